import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Pace } from './visit.js';

/** A rate limit: a burst, then one request per interval. */
export interface PaceLimits {
  readonly burst: number;
  readonly intervalMs: number;
}

export const ANONYMOUS_PACE: PaceLimits = {
  burst: SCAN_LIMITS.anonymousBurst,
  intervalMs: 1000 / SCAN_LIMITS.anonymousPerSecond,
};

/** Monotonic clock and timers of the process. */
export interface Timing {
  nowMs(): number;
  /** Returns a function that cancels the timer. */
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
  readonly limits?: PaceLimits;
  /** For tests. */
  readonly timing?: Timing;
}

/**
 * Limits how fast anonymous scans send requests to each IP address: one instance per process. A site can have any number of names, so
 * the limit applies to its address. Excess requests wait and are never refused. Uses the generic cell rate algorithm (ITU-T I.371), which
 * stores one timestamp per address.
 */
export class AddressPace implements Pace {
  /** Per address, the time when all its requests so far would be done if sent one per interval. */
  readonly #dueMs = new Map<string, number>();
  /** Functions that each end one wait. */
  readonly #waiting = new Set<() => void>();
  #isReleased = false;
  readonly #deps: Required<AddressPaceDeps>;

  constructor(deps: AddressPaceDeps = {}) {
    this.#deps = { limits: ANONYMOUS_PACE, timing: NODE_TIMING, ...deps };
  }

  take(address: string): number {
    if (this.#isReleased) return 0;
    const { limits, timing } = this.#deps;
    const now = timing.nowMs();
    this.#forgetIdle(now);
    const dueMs = Math.max(now, this.#dueMs.get(address) ?? now) + limits.intervalMs;
    this.#dueMs.delete(address);
    this.#dueMs.set(address, dueMs);
    return Math.max(0, dueMs - now - limits.burst * limits.intervalMs);
  }

  /** True if more than half of the burst is used: after one or two more scans, the next one waits. */
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

  /** Lifts all limits, since at shutdown the process waits for running scans. */
  release(): void {
    this.#isReleased = true;
    for (const end of this.#waiting) end();
  }

  /** Removes idle addresses. The map is ordered by last request, oldest first. */
  #forgetIdle(now: number): void {
    for (const [address, dueMs] of this.#dueMs) {
      if (dueMs > now) return;
      this.#dueMs.delete(address);
    }
  }
}
