import { ServiceError } from './errors.js';
import { FairShare, type ShareOptions } from './fair-share.js';
import { type StartTimer, startNodeTimer } from './timer.js';

/** How long work waits for a slot before it is refused. */
export const SLOT_WAIT_MS = 5000;

/** True if work never began because no slot was free. Later failures of this kind have a cause. */
export function foundNoSlot(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'overloaded' && error.cause === undefined;
}

interface Waiting {
  readonly party: string;
  admit(): void;
  refuse(): void;
}

export interface SlotsOptions extends ShareOptions {
  /** How many more may wait; by default, as many as may run. */
  readonly waitingMax?: number;
  /** By default, {@link SLOT_WAIT_MS}. */
  readonly waitMs?: number;
  /** True for parties that precede others with equally few slots, and are never evicted for them. */
  readonly isPreferred?: (party: string) => boolean;
  readonly startTimer?: StartTimer;
}

/**
 * Limits concurrent work, such as scans or password hashing. The slots are shared fairly between the parties whose work it is: accounts,
 * or the networks of clients without one (see {@link FairShare}). Some more work waits briefly; the rest is refused.
 */
export class Slots {
  readonly #share: FairShare;
  readonly #options: Required<Pick<SlotsOptions, 'waitingMax' | 'waitMs' | 'isPreferred' | 'startTimer'>>;
  readonly #waiting = new Set<Waiting>();
  #onIdle: () => void = () => undefined;
  #isClosed = false;

  /** @param concurrency how many run at a time */
  constructor(concurrency: number, options: SlotsOptions = {}) {
    this.#share = new FairShare(concurrency, options);
    this.#options = {
      waitingMax: concurrency,
      waitMs: SLOT_WAIT_MS,
      isPreferred: () => false,
      startTimer: startNodeTimer,
      ...options,
    };
  }

  /**
   * Runs `work` in a slot.
   * @throws ServiceError overloaded when no slot came free in time, too much waits, or the service is stopping
   */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const free = await this.acquire(party);
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** Waits for a slot. @returns a function that frees it @throws as `run` */
  async acquire(party: string): Promise<() => void> {
    return this.tryAcquire(party) ?? this.#wait(party);
  }

  /** Takes a slot without waiting. @returns a function that frees it; null if the party may not have one now */
  tryAcquire(party: string): (() => void) | null {
    return !this.#isClosed && this.#share.mayAcquire(party) ? this.#acquire(party) : null;
  }

  occupancy(): { readonly running: number; readonly waiting: number } {
    return { running: this.#share.used, waiting: this.#waiting.size };
  }

  /** Refuses new and waiting work from now on; resolves when running work has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const one of this.#waiting) one.refuse();
    if (this.#share.used > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #acquire(party: string): () => void {
    const free = this.#share.acquire(party);
    return () => {
      free();
      this.#admitWaiting();
      if (this.#share.used === 0) this.#onIdle();
    };
  }

  #wait(party: string): Promise<() => void> {
    if (this.#isClosed) throw new ServiceError('overloaded');
    if (this.#waiting.size >= this.#options.waitingMax) this.#makeRoomFor(party);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(one);
        stopTimer();
      };
      const one: Waiting = {
        party,
        admit: () => {
          leave();
          resolve(this.#acquire(party));
        },
        refuse: () => {
          leave();
          reject(new ServiceError('overloaded'));
        },
      };
      const stopTimer = this.#options.startTimer(one.refuse, this.#options.waitMs);
      this.#waiting.add(one);
    });
  }

  /** Refuses the newest waiter of the party with most waiters, preferably not of a preferred party. @throws ServiceError overloaded */
  #makeRoomFor(party: string): void {
    const { isPreferred } = this.#options;
    const rank = (one: string): number => (isPreferred(one) ? 0 : 0.5);
    const counts = new Map<string, number>();
    for (const { party: one } of this.#waiting) counts.set(one, (counts.get(one) ?? 0) + 1);
    const weightOf = (one: string): number => (counts.get(one) ?? 0) + rank(one);
    let last: Waiting | undefined;
    for (const one of this.#waiting) if (!last || weightOf(one.party) >= weightOf(last.party)) last = one;
    if (!last || weightOf(party) + 1 >= weightOf(last.party)) throw new ServiceError('overloaded');
    last.refuse();
  }

  /** Admits the party that uses fewest slots first, then preferred ones, then the one that has waited longest. */
  #admitWaiting(): void {
    const { isPreferred } = this.#options;
    const rankOf = ({ party }: Waiting): number => this.#share.usedBy(party) + (isPreferred(party) ? 0 : 0.5);
    for (;;) {
      let next: Waiting | null = null;
      for (const one of this.#waiting) {
        if (this.#share.mayAcquire(one.party) && (next === null || rankOf(one) < rankOf(next))) next = one;
      }
      if (next === null) return;
      next.admit();
    }
  }
}
