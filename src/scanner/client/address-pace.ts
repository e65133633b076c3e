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

/**
 * Limits how fast anonymous scans send requests to each IP address: one instance per process. A site can have any number of names, so
 * the limit applies to its address. Excess requests wait and are never refused. Uses the generic cell rate algorithm (ITU-T I.371), which
 * stores one timestamp per address.
 */
export class AddressPace implements Pace {
  /** Per address, the time when all its requests so far would be done if sent one per interval. */
  readonly #dueMs = new Map<string, number>();
  readonly #release = new AbortController();

  /** @param nowMs a monotonic clock */
  constructor(
    private readonly limits = ANONYMOUS_PACE,
    private readonly nowMs = (): number => performance.now(),
  ) {}

  get released(): AbortSignal {
    return this.#release.signal;
  }

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
