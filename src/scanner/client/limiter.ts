import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Deadline } from './deadline.js';
import type { SiteRequest } from './request.js';
import type { Priority } from './visit.js';

/** Requests in flight to one address. */
export interface AddressLimits {
  readonly inFlightMax: number;
  /** The same for one scan, after its first 429 or 503 from the address. */
  readonly inFlightMaxSlow: number;
}

const ADDRESS_LIMITS: AddressLimits = {
  inFlightMax: SCAN_LIMITS.addressRequestsMax,
  inFlightMaxSlow: SCAN_LIMITS.slowAddressRequestsMax,
};

/** Slots of an address that scans of other sites may use at the expense of scans of its own site. */
const EXTERNAL_MAX = 2;

const RANKS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 1, llmsLinks: 2, sameAs: 3, guesses: 4 };

/** The requests of one scan, which its deadline identifies, to one address: as its own site or as an external one. */
interface Queue {
  readonly scan: Deadline;
  readonly isExternal: boolean;
  readonly waiting: Turn[];
  inFlight: number;
}

interface Turn {
  readonly rank: number;
  readonly start: () => void;
}

type Slot = Pick<SiteRequest, 'address' | 'isExternal'>;

/**
 * Limits the requests in flight to each IP address, for all scans of a thread. Each scan may always have one, so none starves another. The
 * other slots go to the scan with the fewest. An external site gets one request of a scan at a time.
 */
export class Limiter {
  readonly #queues = new Map<string, Queue[]>();
  /** The addresses that asked a scan for fewer requests. */
  readonly #slow = new WeakMap<Deadline, Set<string>>();

  constructor(private readonly limits: AddressLimits = ADDRESS_LIMITS) {}

  /**
   * Waits for a slot and returns a function that frees it. While other scans have slots there, the wait does not count against the
   * deadline. Rejects with the deadline's reason.
   */
  acquire(
    scan: Deadline,
    { address, isExternal, priority }: Slot & Pick<SiteRequest, 'priority'>,
  ): Promise<() => void> {
    const { signal } = scan;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const queue = this.#queueOf(scan, { address, isExternal });
    const rank = RANKS[priority];
    return new Promise((resolve, reject) => {
      let resumeClock = (): void => undefined;
      const stopWaiting = (): void => {
        signal.removeEventListener('abort', onAbort);
        resumeClock();
      };
      const onAbort = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(turn), 1);
        stopWaiting();
        this.#startNext(address);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        queue.inFlight += 1;
        stopWaiting();
        resolve(() => {
          queue.inFlight -= 1;
          this.#startNext(address);
        });
      };
      const turn: Turn = { rank, start };
      signal.addEventListener('abort', onAbort);
      const before = queue.waiting.findIndex((other) => other.rank > rank);
      queue.waiting.splice(before === -1 ? queue.waiting.length : before, 0, turn);
      this.#startNext(address);
      // A slow site delays only its own scan.
      if (queue.waiting.includes(turn) && this.#isHeldUpByOthers(queue, address)) resumeClock = scan.pause();
    });
  }

  /** Lowers the limit of the scan there, after the site asked for fewer requests. */
  slowDown(scan: Deadline, address: string): void {
    this.#slow.set(scan, (this.#slow.get(scan) ?? new Set()).add(address));
  }

  #queueOf(scan: Deadline, { address, isExternal }: Slot): Queue {
    const queues = this.#queues.get(address) ?? [];
    this.#queues.set(address, queues);
    const known = queues.find((queue) => queue.scan === scan && queue.isExternal === isExternal);
    if (known) return known;
    const queue = { scan, isExternal, waiting: [], inFlight: 0 };
    queues.push(queue);
    return queue;
  }

  #startNext(address: string): void {
    const queues = this.#queues.get(address) ?? [];
    const fewestFirst = (a: Queue, b: Queue): number => a.inFlight - b.inFlight;
    for (;;) {
      const isFull = countUsed(queues) >= this.limits.inFlightMax;
      const next = queues
        .filter((queue) => queue.waiting.length > 0 && queue.inFlight < (isFull ? 1 : this.#maxOf(queue, address)))
        .toSorted(fewestFirst)[0];
      if (!next) break;
      next.waiting.shift()?.start();
    }
    const busy = queues.filter(({ waiting, inFlight }) => waiting.length + inFlight > 0);
    if (busy.length > 0) this.#queues.set(address, busy);
    else this.#queues.delete(address);
  }

  #maxOf({ scan, isExternal }: Queue, address: string): number {
    if (isExternal) return 1;
    return this.#slow.get(scan)?.has(address) === true ? this.limits.inFlightMaxSlow : this.limits.inFlightMax;
  }

  #isHeldUpByOthers(queue: Queue, address: string): boolean {
    const others = this.#queues.get(address) ?? [];
    const areOthersBusy = others.some(({ scan, inFlight }) => scan !== queue.scan && inFlight > 0);
    return areOthersBusy && queue.inFlight < this.#maxOf(queue, address);
  }
}

function countUsed(queues: readonly Queue[]): number {
  const count = (isExternal: boolean): number =>
    queues.reduce((sum, queue) => sum + (queue.isExternal === isExternal ? queue.inFlight : 0), 0);
  return count(false) + Math.min(EXTERNAL_MAX, count(true));
}
