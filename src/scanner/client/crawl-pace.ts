import type { Pause } from './retries.js';

/** Longest pause between two requests, whatever the site asks for. */
const GAP_MAX_MS = 500;

/** How long a run keeps to the pace: afterwards it needs its time to finish, since a slow pace must not cost a verdict. */
const PACED_MS = 15_000;

/**
 * The pace that a site asks for by `Crawl-delay` in its robots.txt: one request at a time with a pause after each, for the first third of
 * the run.
 */
export class CrawlPace {
  #last: Promise<unknown> | null = null;
  #gapMs = 0;
  #over: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pause: Pause,
    private readonly deadline: AbortSignal,
  ) {}

  /** From now on, and once only. @param delayS what the site asks for; 0 or less is not a wish */
  begin(delayS: number): void {
    if (this.#last !== null || !(delayS > 0)) return;
    this.#gapMs = Math.min(GAP_MAX_MS, delayS * 1000);
    this.#last = Promise.resolve();
    this.#over = this.#wait(PACED_MS).then(() => (this.#gapMs = 0));
  }

  /** Waits for the turn. @returns what ends it, to be called once */
  async enter(): Promise<() => void> {
    if (this.#gapMs === 0) return () => undefined;
    const before = this.#last;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.#last = Promise.race([left.then(() => this.#wait(this.#gapMs)), this.#over]);
    await before;
    return leave;
  }

  #wait(ms: number): Promise<void> {
    return this.pause(ms, this.deadline).catch(() => undefined);
  }
}
