import { ServiceError } from './errors.js';
import { FairShare, type KeptPlaces } from './fair-share.js';
import { type StartTimer, startNodeTimer } from './timer.js';

/** How long work waits for a slot before it is refused. */
export const SLOT_WAIT_MS = 5000;

interface Waiting {
  readonly party: string | null;
  admit(): void;
  refuse(): void;
}

export interface SlotsOptions {
  /** How many more may wait; by default, as many as may run. */
  readonly waitingMax?: number;
  /** How long it waits; by default, {@link SLOT_WAIT_MS}. */
  readonly waitMs?: number;
  readonly kept?: KeptPlaces;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/**
 * Limits concurrent heavy work, such as scans or password hashing: so much runs at a time, shared fairly between the parties whose
 * work it is (see {@link FairShare}); some more waits briefly, the rest is refused.
 */
export class Slots {
  readonly #share: FairShare;
  readonly #waitingMax: number;
  readonly #waitMs: number;
  readonly #startTimer: StartTimer;
  readonly #waiting = new Set<Waiting>();
  #onIdle: () => void = () => undefined;
  #isClosed = false;

  /** @param concurrency how many run at a time */
  constructor(concurrency: number, options: SlotsOptions = {}) {
    const { waitingMax = concurrency, waitMs = SLOT_WAIT_MS, kept, startTimer = startNodeTimer } = options;
    this.#share = new FairShare(concurrency, kept);
    this.#waitingMax = waitingMax;
    this.#waitMs = waitMs;
    this.#startTimer = startTimer;
  }

  /**
   * Runs `work` in a slot.
   * @param party whose work it is, such as an account; null: nobody's in particular
   * @throws ServiceError overloaded when no slot came free in time, too much waits, or the service is stopping
   */
  async run<T>(work: () => Promise<T>, party: string | null = null): Promise<T> {
    const free = await this.#enter(party);
    try {
      return await work();
    } finally {
      free();
      this.#admitWaiting();
      if (this.#share.taken === 0) this.#onIdle();
    }
  }

  /** How much runs now, and how much waits. */
  occupancy(): { readonly running: number; readonly waiting: number } {
    return { running: this.#share.taken, waiting: this.#waiting.size };
  }

  /** From now on refuses new and waiting work; resolves when running work has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const one of this.#waiting) one.refuse();
    if (this.#share.taken > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #enter(party: string | null): Promise<() => void> {
    if (this.#isClosed) throw new ServiceError('overloaded');
    if (this.#share.mayTake(party)) return this.#share.take(party);
    if (this.#waiting.size >= this.#waitingMax) this.#makeRoomFor(party);
    return this.#wait(party);
  }

  /** The last of the party that has most waiting gives way, unless the one who asks would then have as many. */
  #makeRoomFor(party: string | null): void {
    const counts = new Map<string | null, number>();
    let last: Waiting | undefined;
    for (const { party: one } of this.#waiting) counts.set(one, (counts.get(one) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const one of this.#waiting) if (counts.get(one.party) === most) last = one;
    if (!last || (counts.get(party) ?? 0) + 1 >= most) throw new ServiceError('overloaded');
    last.refuse();
  }

  #wait(party: string | null): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(one);
        stopTimer();
      };
      const one: Waiting = {
        party,
        admit: () => {
          leave();
          resolve(this.#share.take(party));
        },
        refuse: () => {
          leave();
          reject(new ServiceError('overloaded'));
        },
      };
      const stopTimer = this.#startTimer(one.refuse, this.#waitMs);
      this.#waiting.add(one);
    });
  }

  /** Of those that may have a slot, the party that holds fewest comes first; then the one that has waited longest. */
  #admitWaiting(): void {
    for (;;) {
      let next: Waiting | null = null;
      for (const one of this.#waiting) {
        if (this.#share.mayTake(one.party) && (next === null || this.#holds(one) < this.#holds(next))) next = one;
      }
      if (next === null) return;
      next.admit();
    }
  }

  #holds({ party }: Waiting): number {
    return party === null ? 0 : this.#share.heldBy(party);
  }
}
