import type { Clock } from '../../platform/clock.js';

/** How long a failure is told to those who ask how the scan stands. */
const TOLD_MS = 60_000;

/** The hosts whose scan failed within the last minute, and what is told of it. */
export class RecentFailures {
  /** In the order in which they failed. */
  readonly #failures = new Map<string, { readonly message: string; readonly untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  add(hostname: string, message: string): void {
    this.#dropOld();
    this.#failures.delete(hostname);
    this.#failures.set(hostname, { message, untilMs: this.clock.now().getTime() + TOLD_MS });
  }

  find(hostname: string): string | undefined {
    this.#dropOld();
    return this.#failures.get(hostname)?.message;
  }

  #dropOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [hostname, { untilMs }] of this.#failures) {
      if (untilMs > nowMs) return;
      this.#failures.delete(hostname);
    }
  }
}
