import type { Pause } from './retries.js';

/** Longest pause between two requests, even if the site asks for more. */
const GAP_MAX_MS = 500;

/** How long a run respects the delay. It needs the rest of its time to finish, since a slow pace must not cost a verdict. */
const PACED_MS = 15_000;

/** Applies the `Crawl-delay` of robots.txt: one request at a time with a pause after each, for the first third of the run. */
export class CrawlPace {
  #last: Promise<unknown> | null = null;
  #gapMs = 0;
  #end: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pause: Pause,
    private readonly deadline: AbortSignal,
  ) {}

  /** Starts the delay; later calls and delays of 0 or less have no effect. */
  begin(delayS: number): void {
    if (this.#last !== null || !(delayS > 0)) return;
    this.#gapMs = Math.min(GAP_MAX_MS, delayS * 1000);
    this.#last = Promise.resolve();
    this.#end = this.#wait(PACED_MS).then(() => (this.#gapMs = 0));
  }

  /** Waits for the next slot. Returns a function that frees it, to be called once. */
  async acquire(): Promise<() => void> {
    if (this.#gapMs === 0) return () => undefined;
    const previous = this.#last;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#last = Promise.race([released.then(() => this.#wait(this.#gapMs)), this.#end]);
    await previous;
    return release;
  }

  #wait(ms: number): Promise<void> {
    return this.pause(ms, this.deadline).catch(() => undefined);
  }
}
