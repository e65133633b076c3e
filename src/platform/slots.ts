import { ServiceError } from './errors.js';
import { startNodeTimer, type StartTimer } from './clock.js';

/** An owner may use this many times the slots that are still free. */
const SHARE = 3;
/** One slot in this many is reserved for owners that use none. */
const RESERVED_FOR_IDLE_OWNERS = 4;

export const SLOT_WAIT_MS = 5000;

/** True if work never began because no slot was free. Errors of the work itself have a cause. */
export function foundNoSlot(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'overloaded' && error.cause === undefined;
}

interface Waiting {
  readonly owner: string;
  admit(): void;
  refuse(): void;
}

export interface SlotsOptions {
  readonly reserved?: { readonly owner: string; readonly slots: number };
  /** The most slots of one owner, however many are free. */
  readonly perOwner?: number;
  /** How many may wait; by default, as many as may run. */
  readonly waitingMax?: number;
  /** By default, {@link SLOT_WAIT_MS}. */
  readonly waitMs?: number;
  /** True for owners that go before others with as many slots, and are never evicted for them. */
  readonly isPreferred?: (owner: string) => boolean;
  readonly startTimer?: StartTimer;
}

/**
 * Limits concurrent work, such as scans or password hashing, so that no owner starves the others, without interrupting running work. An
 * owner is an account, or the network of a client without one. It may use three times as many slots as are still free (the "dynamic
 * threshold" of Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998): alone, it gets more than half; the more owners, the less each. The last
 * quarter is only for owners that use no slot. A limited amount of work waits briefly for a slot; the rest is refused.
 */
export class Slots {
  readonly #used = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #onIdle: () => void = () => undefined;
  #isClosed = false;

  /** @param capacity how many run at a time */
  constructor(
    private readonly capacity: number,
    private readonly options: SlotsOptions = {},
  ) {}

  /**
   * Runs `work` in a slot.
   * @throws ServiceError overloaded when no slot came free in time, too much waits, or the service is stopping
   */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const free = this.tryAcquire(owner) ?? (await this.#wait(owner));
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** Acquires a slot without waiting. @returns a function that frees it; null if none is free for the owner */
  tryAcquire(owner: string): (() => void) | null {
    return !this.#isClosed && this.#mayAcquire(owner) ? this.occupy(owner) : null;
  }

  /** Occupies a slot, even beyond the share of the owner. @returns a function that frees it; further calls do nothing */
  occupy(owner: string): () => void {
    this.#add(owner, 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#add(owner, -1);
      this.#admitWaiting();
      if (this.#running === 0) this.#onIdle();
    };
  }

  occupancy(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size };
  }

  /** Owners that use slots and may not have another. */
  get fullOwners(): string[] {
    return [...this.#used.keys()].filter((owner) => !this.#mayAcquire(owner));
  }

  /** Refuses new and waiting work from now on; resolves when running work has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.refuse();
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #usedBy(owner: string): number {
    return this.#used.get(owner) ?? 0;
  }

  #add(owner: string, change: 1 | -1): void {
    this.#running += change;
    const used = this.#usedBy(owner) + change;
    if (used > 0) this.#used.set(owner, used);
    else this.#used.delete(owner);
  }

  #mayAcquire(owner: string): boolean {
    const { reserved, perOwner = Infinity } = this.options;
    const reservedForOther =
      reserved && owner !== reserved.owner ? Math.max(0, reserved.slots - this.#usedBy(reserved.owner)) : 0;
    const free = this.capacity - this.#running - reservedForOther;
    const used = this.#usedBy(owner);
    if (free <= 0 || used >= perOwner) return false;
    return used === 0 || used < SHARE * (free - Math.floor(this.capacity / RESERVED_FOR_IDLE_OWNERS));
  }

  #wait(owner: string): Promise<() => void> {
    const { waitingMax = this.capacity, waitMs = SLOT_WAIT_MS, startTimer = startNodeTimer } = this.options;
    if (this.#isClosed) throw new ServiceError('overloaded');
    if (this.#waiting.size >= waitingMax) this.#makeRoomFor(owner);
    return new Promise((resolve, reject) => {
      const end = (notify: () => void) => () => {
        this.#waiting.delete(waiter);
        stopTimer();
        notify();
      };
      const admit = end(() => resolve(this.occupy(owner)));
      const refuse = end(() => reject(new ServiceError('overloaded')));
      const waiter: Waiting = { owner, admit, refuse };
      const stopTimer = startTimer(refuse, waitMs);
      this.#waiting.add(waiter);
    });
  }

  /** Ranks other owners half a slot behind preferred ones. */
  #handicap(owner: string): number {
    return this.options.isPreferred?.(owner) ? 0 : 0.5;
  }

  /** Refuses the newest waiter of the owner with the most; preferred owners come last in a tie. @throws ServiceError overloaded */
  #makeRoomFor(owner: string): void {
    const waiting = Map.groupBy(this.#waiting, (waiter) => waiter.owner);
    const load = (name: string): number => (waiting.get(name)?.length ?? 0) + this.#handicap(name);
    const newestFirst = [...this.#waiting].reverse();
    const [evicted] = newestFirst.sort((one, other) => load(other.owner) - load(one.owner));
    if (!evicted || load(owner) + 1 >= load(evicted.owner)) throw new ServiceError('overloaded');
    evicted.refuse();
  }

  /** Admits owners by fewest slots in use; in a tie, preferred ones first, then the longest waiting. */
  #admitWaiting(): void {
    const use = ({ owner }: Waiting): number => this.#usedBy(owner) + this.#handicap(owner);
    for (;;) {
      const [next] = [...this.#waiting]
        .filter(({ owner }) => this.#mayAcquire(owner))
        .sort((one, other) => use(one) - use(other));
      if (!next) return;
      next.admit();
    }
  }
}
