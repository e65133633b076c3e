import { SCAN_LIMITS } from '../../evidence/scanner.js';
import type { Priority } from './visit.js';

/** Requests in flight to one host. */
export interface HostLimits {
  readonly inFlightMax: number;
  /** After the first 429 or 503, until no visit uses the host any more. */
  readonly inFlightMaxSlow: number;
}

export const HOST_LIMITS: HostLimits = {
  inFlightMax: SCAN_LIMITS.hostRequestsMax,
  inFlightMaxSlow: SCAN_LIMITS.slowHostRequestsMax,
};

const RANKS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 1, llmsLinks: 2, sameAs: 3 };

/** The queues of all hosts in use by visits: one instance per process, so that two runs on one host share its limit. */
export class HostQueues {
  readonly #queues = new Map<string, { queue: HostQueue; visits: number }>();

  constructor(readonly limits: HostLimits = HOST_LIMITS) {}

  /** The host's queue, kept until there were as many `leave` as `join` calls. */
  join(hostname: string): HostQueue {
    const known = this.#queues.get(hostname) ?? { queue: new HostQueue(this.limits), visits: 0 };
    known.visits += 1;
    this.#queues.set(hostname, known);
    return known.queue;
  }

  leave(hostname: string): void {
    const known = this.#queues.get(hostname);
    if (!known) return;
    known.visits -= 1;
    if (known.visits === 0) this.#queues.delete(hostname);
  }
}

/** The hosts that one visit uses. */
export class VisitedHosts {
  readonly #queues = new Map<string, HostQueue>();

  constructor(private readonly hosts: HostQueues) {}

  queueOf(hostname: string): HostQueue {
    const queue = this.#queues.get(hostname) ?? this.hosts.join(hostname);
    this.#queues.set(hostname, queue);
    return queue;
  }

  leaveAll(): void {
    for (const hostname of this.#queues.keys()) this.hosts.leave(hostname);
    this.#queues.clear();
  }
}

interface Waiting {
  readonly rank: number;
  readonly start: () => void;
}

/** Limits concurrent requests to one host; others wait by priority, then by arrival. */
export class HostQueue {
  readonly #waiting: Waiting[] = [];
  readonly #limits: HostLimits;
  #inFlight = 0;
  #isSlow = false;

  constructor(limits: HostLimits) {
    this.#limits = limits;
  }

  /** Waits for a slot and returns a function that frees it. Rejects with the signal's reason. */
  acquire(priority: Priority, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        rank: RANKS[priority],
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(() => {
            this.#inFlight -= 1;
            this.#startNext();
          });
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const before = this.#waiting.findIndex(({ rank }) => rank > waiting.rank);
      this.#waiting.splice(before === -1 ? this.#waiting.length : before, 0, waiting);
      this.#startNext();
    });
  }

  /** The host asked for fewer requests: from now on only a few are in flight. */
  slowDown(): void {
    this.#isSlow = true;
  }

  #startNext(): void {
    const { inFlightMax, inFlightMaxSlow } = this.#limits;
    while (this.#inFlight < (this.#isSlow ? inFlightMaxSlow : inFlightMax)) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#inFlight += 1;
      next.start();
    }
  }
}
