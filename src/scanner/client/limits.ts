import { setMaxListeners } from 'node:events';
import { TransportError } from '../../net/failure.js';
import type { Priority } from './visit.js';

/** `first`: the first try of a URL. `further`: the next hop of a redirect, or a second try. */
export type RequestKind = 'first' | 'further';

/** Priorities, the first one dropped last, and how many first tries each may need. */
const NEEDS: readonly (readonly [priority: Priority, requests: number])[] = [
  // The home page, robots.txt, llms.txt, sitemaps, their controls, the sample, its Markdown, and pages under other agents' names.
  ['core', 40],
  // 12 entries, 3 children and another host's robots.txt.
  ['sitemapEntries', 16],
  ['llmsLinks', 20],
  ['sameAs', 5],
  ['guesses', 0],
];
/** Requests reserved for `core` even after it has used up its share. */
const CORE_RESERVE_MIN = 12;

/**
 * Request budget of one run: `requestsMax` in total, of which `furtherReserve` are reserved for redirects and retries, and at most
 * `externalMax` to external sites.
 */
export class RequestBudget {
  readonly #firstCounts: Record<Priority, number> = {
    core: 0,
    sitemapEntries: 0,
    llmsLinks: 0,
    sameAs: 0,
    guesses: 0,
  };
  #externalCount = 0;
  #count = 0;
  #firstCount = 0;

  constructor(
    readonly requestsMax: number,
    readonly furtherReserve: number,
    readonly externalMax: number,
  ) {}

  get count(): number {
    return this.#count;
  }

  /** Spends one external request; false if none is left. */
  takeExternal(): boolean {
    if (this.#externalCount >= this.externalMax) return false;
    this.#externalCount += 1;
    return true;
  }

  /** Spends one request; false if none is left for this priority. */
  take(kind: RequestKind, priority: Priority): boolean {
    const left = this.requestsMax - this.#count;
    const firstLeft = this.requestsMax - this.furtherReserve - this.#firstCount;
    if ((kind === 'first' ? Math.min(left, firstLeft) : left) <= this.#floorOf(priority)) return false;
    this.#count += 1;
    if (kind === 'first') {
      this.#firstCount += 1;
      this.#firstCounts[priority] += 1;
    }
    return true;
  }

  /** Requests that must remain for higher priorities that have not used their share yet. */
  #floorOf(priority: Priority): number {
    let floor = 0;
    for (const [before, requests] of NEEDS) {
      if (before === priority) break;
      floor += Math.max(before === 'core' ? CORE_RESERVE_MIN : 0, requests - this.#firstCounts[before]);
    }
    return floor;
  }
}

/** The end of one run. Waiting for our own limits extends it, by at most `pauseMsMax` in total. */
export class Deadline {
  readonly #controller = new AbortController();
  #endMs: number;
  #pauseMsLeft: number;
  #pauseCount = 0;
  #pausedSinceMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLimitedByUs = false;

  constructor(runMs: number, pauseMsMax: number) {
    this.#endMs = performance.now() + runMs;
    this.#pauseMsLeft = pauseMsMax;
    setMaxListeners(0, this.signal);
    this.#startTimer(this.#endMs);
  }

  /** Aborts with a TransportError. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if waiting for our limits used up the time, so that they, not the site, explain missing evidence. */
  get isLimitedByUs(): boolean {
    return this.#isLimitedByUs;
  }

  /** How much longer the run may wait for our limits. */
  get pauseMsLeft(): number {
    const pausedMs = this.#pauseCount > 0 ? performance.now() - this.#pausedSinceMs : 0;
    return Math.max(0, this.#pauseMsLeft - pausedMs);
  }

  /** Stops the clock until the returned function is called. */
  pause(): () => void {
    if (this.#pauseCount === 0) {
      this.#pausedSinceMs = performance.now();
      this.#startTimer(this.#endMs + this.#pauseMsLeft);
    }
    this.#pauseCount += 1;
    return () => {
      if (this.#pauseCount === 1) this.#resume();
      this.#pauseCount -= 1;
    };
  }

  /** Ends the run now. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(new TransportError('run_deadline'));
  }

  #resume(): void {
    const { pauseMsLeft } = this;
    this.#endMs += this.#pauseMsLeft - pauseMsLeft;
    this.#pauseMsLeft = pauseMsLeft;
    this.#startTimer(this.#endMs);
  }

  #startTimer(endMs: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const expire = (): void => {
      // A timer may fire a fraction of a millisecond early.
      this.#isLimitedByUs = this.#pausedSinceMs > 0 && this.pauseMsLeft < 1;
      this.end();
    };
    // What is still in progress has timers or sockets of its own that keep the process alive.
    this.#timer = setTimeout(expire, Math.ceil(endMs - performance.now())).unref();
  }
}
