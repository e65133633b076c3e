import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '../../net/failure.js';
import type { Priority } from './visit.js';

/** Number of first tries that each priority may need. Ordered by importance: the last priority is dropped first. */
const NEEDS: Readonly<Record<Priority, number>> = {
  // The home page, robots.txt, llms.txt, sitemaps, their controls, the sample, its Markdown, and pages under other agents' names.
  core: 40,
  // 12 entries, 3 children and another host's robots.txt.
  sitemapEntries: 16,
  llmsLinks: 20,
  sameAs: 5,
  guesses: 0,
};

export const PRIORITIES = Object.keys(NEEDS) as readonly Priority[];

/** Requests reserved for `core` even after it has used up its share. */
const CORE_RESERVE_MIN = 12;

/**
 * Request budget of one run: `requestsMax` in total, of which `followUpReserve` are reserved for redirects and retries, and at most
 * `externalMax` to external sites.
 */
export class RequestBudget {
  readonly #firsts: Record<Priority, number> = { core: 0, sitemapEntries: 0, llmsLinks: 0, sameAs: 0, guesses: 0 };
  #followUpCount = 0;
  /** Requests that reached a server of the scanned site. */
  siteCount = 0;

  constructor(
    readonly requestsMax: number,
    readonly followUpReserve: number,
    private externalLeft: number,
  ) {}

  get count(): number {
    return Object.values(this.#firsts).reduce((sum, count) => sum + count, this.#followUpCount);
  }

  /** Spends one external request; false if none is left. */
  spendExternal(): boolean {
    if (this.externalLeft <= 0) return false;
    this.externalLeft -= 1;
    return true;
  }

  /**
   * Spends one request; false if none is left for this priority.
   * @param isFollowUp true for the next hop of a redirect, or a second try
   */
  spend(isFollowUp: boolean, priority: Priority): boolean {
    const reserved = isFollowUp ? 0 : Math.max(0, this.followUpReserve - this.#followUpCount);
    if (this.requestsMax - this.count - reserved <= this.#reservedBefore(priority)) return false;
    if (isFollowUp) this.#followUpCount += 1;
    else this.#firsts[priority] += 1;
    return true;
  }

  /** Number of requests reserved for higher priorities that have not used their share yet. */
  #reservedBefore(priority: Priority): number {
    const higher = PRIORITIES.slice(0, PRIORITIES.indexOf(priority));
    return higher.reduce(
      (sum, one) => sum + Math.max(one === 'core' ? CORE_RESERVE_MIN : 0, NEEDS[one] - this.#firsts[one]),
      0,
    );
  }
}

/** The end of one run. Waiting for our own limits extends it, by at most `pauseMsMax` in total. */
export class Deadline {
  readonly #controller = new AbortController();
  /** Aborts with a TransportError. */
  readonly signal = this.#controller.signal;
  readonly #ended = new Promise<null>((resolve) => this.signal.addEventListener('abort', () => resolve(null)));
  #runMsLeft: number;
  #pauseMsLeft: number;
  #pauseCount = 0;
  #hasPaused = false;
  #chargedUntilMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isLimitedByUs = false;

  constructor(runMs: number, pauseMsMax: number) {
    this.#runMsLeft = runMs;
    this.#pauseMsLeft = pauseMsMax;
    setMaxListeners(0, this.signal);
    this.#startTimer();
  }

  /** True if waiting for our limits used up the time, so that they, not the site, explain missing evidence. */
  get isLimitedByUs(): boolean {
    return this.#isLimitedByUs;
  }

  /** Milliseconds that the run may still wait for our limits. */
  get pauseMsLeft(): number {
    this.#chargeTime();
    return this.#pauseMsLeft;
  }

  /** Returns the result of the promise, or null if the run ends first. */
  race<T>(work: Promise<T> | T): Promise<T | null> {
    return Promise.race([this.#ended, work]);
  }

  /** Stops the clock until the returned function is called. */
  pause(): () => void {
    this.#hasPaused = true;
    this.#changePauses(1);
    return () => this.#changePauses(-1);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(new TransportError('run_deadline'));
  }

  #changePauses(change: 1 | -1): void {
    this.#chargeTime();
    this.#pauseCount += change;
    this.#startTimer();
  }

  /** Charges the time since the last call to the pauses, up to their limit, and the rest to the run. */
  #chargeTime(): void {
    const now = performance.now();
    const ms = now - this.#chargedUntilMs;
    const pausedMs = this.#pauseCount > 0 ? Math.min(ms, this.#pauseMsLeft) : 0;
    this.#pauseMsLeft -= pausedMs;
    this.#runMsLeft -= ms - pausedMs;
    this.#chargedUntilMs = now;
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const ms = this.#runMsLeft + (this.#pauseCount > 0 ? this.#pauseMsLeft : 0);
    const expire = (): void => {
      // A timer may fire a fraction of a millisecond early.
      this.#isLimitedByUs = this.#hasPaused && this.pauseMsLeft < 1;
      this.end();
    };
    // The timers and sockets of running work keep the process alive.
    this.#timer = setTimeout(expire, Math.ceil(ms)).unref();
  }
}

/** Waits, or rejects as soon as the signal aborts. Injected so that tests do not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const pauseFor: Pause = (ms, signal) => delay(ms, undefined, { signal });

/** Longest pause between two requests, even if the site asks for more. */
const PAUSE_MAX_MS = 500;

/** How long a run respects the delay. It needs the rest of its time to finish, since a slow pace must not cost a verdict. */
const RESPECTED_MS = 15_000;

/** The `Crawl-delay` of the site's robots.txt: one request at a time with a pause after each, for the first third of the run. */
export class CrawlDelay {
  #pauseMs = 0;
  #previous: Promise<unknown> = Promise.resolve();
  #end: Promise<unknown> | undefined;

  constructor(
    private readonly pause: Pause,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts the delay; later calls and delays of 0 or less have no effect. */
  begin(delayS: number): void {
    if (this.#end || !(delayS > 0)) return;
    this.#pauseMs = Math.min(PAUSE_MAX_MS, delayS * 1000);
    this.#end = this.#wait(RESPECTED_MS).then(() => (this.#pauseMs = 0));
  }

  /** Sends a request after the previous one and its pause have ended. */
  run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#pauseMs === 0) return send();
    const sent = this.#previous.then(send);
    const finished = sent.catch(() => undefined).then(() => this.#wait(this.#pauseMs));
    this.#previous = Promise.race([finished, this.#end]);
    return sent;
  }

  #wait(ms: number): Promise<void> {
    return this.pause(ms, this.signal).catch(() => undefined);
  }
}
