import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { type Peers, NO_PEERS } from './address-slots.js';
import type { Pace } from './visit.js';

/** A rate of requests: so many at once, then one in each interval. */
export interface PaceLimits {
  readonly burst: number;
  readonly intervalMs: number;
}

export const STRANGERS_PACE: PaceLimits = {
  burst: SCAN_LIMITS.strangersBurst,
  intervalMs: 1000 / SCAN_LIMITS.strangersPerSecond,
};

/** The time of the process. */
export interface Timing {
  nowMs(): number;
  /** @returns what cancels it */
  startTimer(action: () => void, delayMs: number): () => void;
}

const NODE_TIMING: Timing = {
  nowMs: () => performance.now(),
  startTimer: (action, delayMs) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface AddressPaceDeps {
  /** Other processes that scan too; by default none. */
  readonly peers?: Pick<Peers, 'countAt'>;
  readonly limits?: PaceLimits;
  /** For tests. */
  readonly timing?: Timing;
}

/**
 * The pace of the requests that strangers cause at each address: one instance per process. A site can be had under any number of names, so
 * nothing but its address bounds what they cause there together. What exceeds the pace waits its turn and is never refused: the
 * generic cell rate algorithm (ITU-T I.371), which keeps one time for each address.
 */
export class AddressPace implements Pace {
  /** When the address's requests so far would have been sent one by one. */
  readonly #dueMs = new Map<string, number>();
  /** Ends a wait each. */
  readonly #waiting = new Set<() => void>();
  #isReleased = false;
  readonly #deps: Required<AddressPaceDeps>;

  constructor(deps: AddressPaceDeps = {}) {
    this.#deps = { peers: NO_PEERS, limits: STRANGERS_PACE, timing: NODE_TIMING, ...deps };
  }

  take(address: string): number {
    if (this.#isReleased) return 0;
    const { limits, peers, timing } = this.#deps;
    const now = timing.nowMs();
    this.#forgetIdle(now);
    const processes = peers.countAt(address);
    // Not known yet: it is within moments.
    const sharing = Number.isFinite(processes) ? processes : 1;
    const intervalMs = limits.intervalMs * sharing;
    const dueMs = Math.max(now, this.#dueMs.get(address) ?? now) + intervalMs;
    this.#dueMs.delete(address);
    this.#dueMs.set(address, dueMs);
    return Math.max(0, dueMs - now - limits.burst * limits.intervalMs);
  }

  /** Whether the address has spent more than half of what may come at once: a scan or two more, and the next one waits. */
  isNearlySpent(address: string): boolean {
    const { limits, timing } = this.#deps;
    const dueMs = this.#dueMs.get(address) ?? 0;
    return dueMs - timing.nowMs() > (limits.burst * limits.intervalMs) / 2;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isReleased) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        stopTimer();
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      const stopTimer = this.#deps.timing.startTimer(end, ms);
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  /** Holds nobody back any more: for the end of the process, which waits for the scans that run. */
  release(): void {
    this.#isReleased = true;
    for (const end of this.#waiting) end();
  }

  /** An address whose time has come is as good as new. The one that was asked longest ago is first. */
  #forgetIdle(now: number): void {
    for (const [address, dueMs] of this.#dueMs) {
      if (dueMs > now) return;
      this.#dueMs.delete(address);
    }
  }
}
