import type { Clock } from '../../platform/clock.js';

/** How long a failure is told to those who ask how the scan stands. */
const TOLD_MS = 60_000;

/** The hosts whose scan failed within the last minute. */
export class RecentFailures {
  /** Until when each is told, in the order in which they failed. */
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  add(hostname: string): void {
    this.#dropOld();
    this.#untilMs.delete(hostname);
    this.#untilMs.set(hostname, this.clock.now().getTime() + TOLD_MS);
  }

  has(hostname: string): boolean {
    this.#dropOld();
    return this.#untilMs.has(hostname);
  }

  #dropOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [hostname, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) return;
      this.#untilMs.delete(hostname);
    }
  }
}
