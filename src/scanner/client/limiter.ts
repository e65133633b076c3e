import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Deadline } from './limits.js';
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
interface ScanQueue {
  readonly scan: Deadline;
  readonly isExternal: boolean;
  inFlightMax: number;
  inFlight: number;
  readonly waiting: WaitingRequest[];
  /** Set while the queue waits for other scans. */
  resumeClock: (() => void) | undefined;
}

interface WaitingRequest {
  readonly rank: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Limits the requests in flight to each IP address, for all scans of a thread. Each scan may always have one, so none starves another. The
 * other slots go to the scan with the fewest. An external site gets one request of a scan at a time.
 */
export class Limiter {
  readonly #queues = new Map<string, Set<ScanQueue>>();

  constructor(private readonly limits: AddressLimits = ADDRESS_LIMITS) {}

  /**
   * Waits for a slot and returns a function that frees it. While other scans have slots there, the wait does not count against the
   * deadline. Rejects with the deadline's reason.
   */
  acquire(
    scan: Deadline,
    { address, isExternal, priority }: Pick<SiteRequest, 'address' | 'isExternal' | 'priority'>,
  ): Promise<() => void> {
    const { signal } = scan;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const queue = this.#queueOf(scan, address, isExternal);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        queue.inFlight += 1;
        resolve(() => {
          queue.inFlight -= 1;
          this.#startNext(address);
        });
      };
      const refuse = (): void => reject(signal.reason as Error);
      const request: WaitingRequest = { rank: RANKS[priority], start, refuse };
      const before = queue.waiting.findIndex(({ rank }) => rank > request.rank);
      queue.waiting.splice(before === -1 ? queue.waiting.length : before, 0, request);
      this.#startNext(address);
    });
  }

  /** Lowers the limit of the scan at its own site, which asked for fewer requests. */
  slowDown(scan: Deadline, address: string): void {
    if (scan.signal.aborted) return;
    const queue = this.#queueOf(scan, address, false);
    queue.inFlightMax = Math.min(queue.inFlightMax, this.limits.inFlightMaxSlow);
  }

  #queueOf(scan: Deadline, address: string, isExternal: boolean): ScanQueue {
    const queues = this.#queues.get(address) ?? new Set();
    this.#queues.set(address, queues);
    const known = [...queues].find((queue) => queue.scan === scan && queue.isExternal === isExternal);
    if (known) return known;
    const inFlightMax = isExternal ? 1 : this.limits.inFlightMax;
    const queue: ScanQueue = { scan, isExternal, inFlightMax, inFlight: 0, waiting: [], resumeClock: undefined };
    queues.add(queue);
    scan.signal.addEventListener('abort', () => {
      queues.delete(queue);
      if (queues.size === 0) this.#queues.delete(address);
      for (const { refuse } of queue.waiting.splice(0)) refuse();
      this.#startNext(address);
    });
    return queue;
  }

  #startNext(address: string): void {
    const queues = [...(this.#queues.get(address) ?? [])];
    for (;;) {
      const isFull = countUsed(queues) >= this.limits.inFlightMax;
      const ready = queues.filter(
        ({ waiting, inFlight, inFlightMax }) => waiting.length > 0 && inFlight < (isFull ? 1 : inFlightMax),
      );
      const [next] = ready.sort((a, b) => a.inFlight - b.inFlight);
      if (!next) break;
      next.waiting.shift()?.start();
    }
    for (const queue of queues) {
      if (isHeldUp(queue, queues)) queue.resumeClock ??= queue.scan.pause();
      else {
        queue.resumeClock?.();
        queue.resumeClock = undefined;
      }
    }
  }
}

/** True if the scan would have another slot, but for other scans. A slow site delays only its own scan. */
function isHeldUp({ scan, waiting, inFlight, inFlightMax }: ScanQueue, queues: readonly ScanQueue[]): boolean {
  const isShort = waiting.length > 0 && inFlight < inFlightMax;
  return isShort && queues.some((other) => other.scan !== scan && other.inFlight > 0);
}

function countUsed(queues: readonly ScanQueue[]): number {
  const count = (isExternal: boolean): number =>
    queues.reduce((sum, queue) => sum + (queue.isExternal === isExternal ? queue.inFlight : 0), 0);
  return count(false) + Math.min(EXTERNAL_MAX, count(true));
}
