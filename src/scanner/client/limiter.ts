import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { type Deadline, PRIORITIES } from './limits.js';
import type { Pace, Priority } from './visit.js';

/** Maximum number of slots that scans of other sites may take from the scans of an address's own site. */
const EXTERNAL_MAX = 2;

export interface SlotRequest {
  readonly address: string;
  /** True if the address is not that of the scanned site. */
  readonly isExternal: boolean;
  readonly priority: Priority;
}

/** Requests of one scan to one address. The deadline identifies the scan. */
interface ScanQueue {
  readonly scan: Deadline;
  readonly isExternal: boolean;
  inFlightMax: number;
  inFlight: number;
  readonly waiting: { readonly priority: Priority; readonly start: () => void }[];
  /** Set while the queue waits for other scans. */
  resumeClock: (() => void) | undefined;
}

/**
 * Limits the requests in flight to each IP address, for all scans of a thread. Each scan may always have one, so none starves another. The
 * other slots go to the scan with the fewest requests. Each scan sends one request at a time to an external site.
 */
export class Limiter {
  readonly #queues = new Map<string, Set<ScanQueue>>();

  /** @param inFlightMax requests to one address; @param inFlightMaxSlow requests of one scan after the address has returned 429 or 503 */
  constructor(
    private readonly inFlightMax: number = SCAN_LIMITS.addressRequestsMax,
    private readonly inFlightMaxSlow: number = SCAN_LIMITS.slowAddressRequestsMax,
  ) {}

  /**
   * Waits for a slot and returns a function that frees it; null once the scan has ended. While other scans use slots of the address, the
   * wait does not count against the deadline.
   */
  acquire(scan: Deadline, { address, isExternal, priority }: SlotRequest): Promise<(() => void) | null> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    if (scan.signal.aborted) return Promise.resolve(null);
    const queue = this.#queueOf(scan, address, isExternal);
    const release = (): void => {
      queue.inFlight -= 1;
      this.#startNext(address);
    };
    const start = (): void => {
      queue.inFlight += 1;
      resolve(release);
    };
    queue.waiting.push({ priority, start });
    queue.waiting.sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority));
    this.#startNext(address);
    return scan.race(promise);
  }

  /** Lowers the scan's limit for its own site, which asked for fewer requests. */
  slowDown(scan: Deadline, address: string): void {
    if (scan.signal.aborted) return;
    const queue = this.#queueOf(scan, address, false);
    queue.inFlightMax = Math.min(queue.inFlightMax, this.inFlightMaxSlow);
  }

  #queueOf(scan: Deadline, address: string, isExternal: boolean): ScanQueue {
    const queues = this.#queues.get(address) ?? new Set();
    this.#queues.set(address, queues);
    const existing = [...queues].find((queue) => queue.scan === scan && queue.isExternal === isExternal);
    if (existing) return existing;
    const inFlightMax = isExternal ? 1 : this.inFlightMax;
    const queue: ScanQueue = { scan, isExternal, inFlightMax, inFlight: 0, waiting: [], resumeClock: undefined };
    queues.add(queue);
    scan.signal.addEventListener('abort', () => {
      queues.delete(queue);
      if (queues.size === 0) this.#queues.delete(address);
      this.#startNext(address);
    });
    return queue;
  }

  #startNext(address: string): void {
    const queues = [...(this.#queues.get(address) ?? [])];
    for (;;) {
      const isFull = countUsed(queues) >= this.inFlightMax;
      const ready = queues.filter(
        ({ waiting, inFlight, inFlightMax }) => waiting.length > 0 && inFlight < (isFull ? 1 : inFlightMax),
      );
      const [next] = ready.sort((a, b) => a.inFlight - b.inFlight);
      if (!next) break;
      next.waiting.shift()?.start();
    }
    for (const queue of queues) {
      if (isDelayedByOthers(queue, queues)) queue.resumeClock ??= queue.scan.pause();
      else {
        queue.resumeClock?.();
        queue.resumeClock = undefined;
      }
    }
  }
}

/** True if this scan waits for slots that other scans use. Waiting only for its own requests does not count. */
function isDelayedByOthers({ scan, waiting, inFlight, inFlightMax }: ScanQueue, queues: readonly ScanQueue[]): boolean {
  const needsSlot = waiting.length > 0 && inFlight < inFlightMax;
  return needsSlot && queues.some((other) => other.scan !== scan && other.inFlight > 0);
}

function countUsed(queues: readonly ScanQueue[]): number {
  const count = (isExternal: boolean): number =>
    queues.reduce((sum, queue) => sum + (queue.isExternal === isExternal ? queue.inFlight : 0), 0);
  return count(false) + Math.min(EXTERNAL_MAX, count(true));
}

/** The rate limit of anonymous scans: a burst, then one request per interval. */
export const ANONYMOUS_PACE: { readonly burst: number; readonly intervalMs: number } = {
  burst: SCAN_LIMITS.anonymousBurst,
  intervalMs: 1000 / SCAN_LIMITS.anonymousPerSecond,
};

/**
 * Limits how fast anonymous scans send requests to each IP address: one instance per process. A site can have any number of names, so
 * the limit applies to its address. Excess requests wait and are never refused. Uses the generic cell rate algorithm (ITU-T I.371), which
 * stores one timestamp per address.
 */
export class AddressPace implements Pace {
  /** Per address, the time when all its requests so far would be done if sent one per interval. */
  readonly #dueMs = new Map<string, number>();
  readonly #release = new AbortController();
  readonly released = this.#release.signal;

  /** @param nowMs a monotonic clock */
  constructor(
    private readonly limits = ANONYMOUS_PACE,
    private readonly nowMs = (): number => performance.now(),
  ) {}

  reserve(address: string): number {
    if (this.released.aborted) return 0;
    const { burst, intervalMs } = this.limits;
    const now = this.nowMs();
    this.#forgetIdle(now);
    const dueMs = Math.max(now, this.#dueMs.get(address) ?? now) + intervalMs;
    this.#dueMs.delete(address);
    this.#dueMs.set(address, dueMs);
    return Math.max(0, dueMs - now - burst * intervalMs);
  }

  /** True if more than half of the burst is used: after one or two more scans, the next one waits. */
  isNearlySpent(address: string): boolean {
    const { burst, intervalMs } = this.limits;
    return (this.#dueMs.get(address) ?? 0) - this.nowMs() > (burst * intervalMs) / 2;
  }

  /** Lifts the limit and ends all waits, since at shutdown the process waits for running scans. */
  release(): void {
    this.#release.abort();
  }

  /** Removes idle addresses. The map is ordered by last request, oldest first. */
  #forgetIdle(now: number): void {
    for (const [address, dueMs] of this.#dueMs) {
      if (dueMs > now) return;
      this.#dueMs.delete(address);
    }
  }
}
