import type { Fetched } from './visit.js';

/** What large bodies may hold in all, alongside the first one of each visit. */
const ROOM_BYTES = 16 * 1_048_576;

interface Waiting {
  readonly visit: VisitBodies;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * The room for large bodies that arrive, or wait to be read: one instance per process, so that its runs share it. A visit that holds
 * none gets its room at once, so none can starve another; of those that wait, the one that holds least is next. One that holds room
 * gives it back without taking any more, so none waits for ever.
 */
export class BodyRoom {
  readonly #waiting: Waiting[] = [];
  #bytesLeft: number;

  constructor(bytesMax: number = ROOM_BYTES) {
    this.#bytesLeft = bytesMax;
  }

  /** Null if there is room now; else rejects with the signal's reason. */
  take(visit: VisitBodies, bytes: number, signal: AbortSignal): Promise<void> | null {
    // None overtakes those that wait already.
    if (visit.bytes === 0 || (this.#waiting.length === 0 && bytes <= this.#bytesLeft)) {
      this.#count(visit, bytes);
      return null;
    }
    return new Promise((resolve, reject) => {
      const waiting = { visit, bytes, start: () => leave(resolve) };
      const onAbort = (): void => leave(() => reject(signal.reason as Error));
      const leave = (then: () => void): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        signal.removeEventListener('abort', onAbort);
        visit.onHeldUp(false);
        then();
      };
      this.#waiting.push(waiting);
      visit.onHeldUp(true);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort);
    });
  }

  giveBack(visit: VisitBodies, bytes: number): void {
    this.#count(visit, -bytes);
    for (let next = this.#next; next; next = this.#next) {
      this.#count(next.visit, next.bytes);
      next.start();
    }
  }

  /** Whose turn it is, if there is room. */
  get #next(): Waiting | null {
    const [first] = this.#waiting.toSorted((a, b) => a.visit.bytes - b.visit.bytes);
    return first && (first.visit.bytes === 0 || first.bytes <= this.#bytesLeft) ? first : null;
  }

  #count(visit: VisitBodies, bytes: number): void {
    visit.bytes += bytes;
    this.#bytesLeft -= bytes;
  }
}

/** What the large bodies of one visit hold. */
export class VisitBodies {
  bytes = 0;

  /** @param onHeldUp hears when a body begins to wait for room, and when it does so no more */
  constructor(
    readonly room: BodyRoom,
    readonly onHeldUp: (isHeldUp: boolean) => void,
  ) {}

  /** Fetches with a lease, and gives it back when the answer has been read. */
  async lend<T>(fetch: (lease: BodyLease) => Promise<Fetched>, read: (fetched: Fetched) => Promise<T>): Promise<T> {
    const lease = new BodyLease(this);
    try {
      const fetched = await fetch(lease);
      lease.shrinkTo('response' in fetched ? fetched.response.body.length : 0);
      return await read(fetched);
    } finally {
      lease.shrinkTo(0);
    }
  }
}

/** The room of one answer: taken in one piece as soon as its body proves to be large, given back when it has been read. */
export class BodyLease {
  #bytes = 0;

  constructor(private readonly visit: VisitBodies) {}

  /** Null if there is room now; else rejects with the signal's reason. What an earlier try took is given back first. */
  take(bytes: number, signal: AbortSignal): Promise<void> | null {
    this.shrinkTo(0);
    const wait = this.visit.room.take(this.visit, bytes, signal);
    if (wait === null) this.#bytes = bytes;
    return wait?.then(() => void (this.#bytes = bytes)) ?? null;
  }

  shrinkTo(bytes: number): void {
    const unused = Math.max(0, this.#bytes - bytes);
    this.#bytes -= unused;
    if (unused > 0) this.visit.room.giveBack(this.visit, unused);
  }
}
