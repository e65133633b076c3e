import type { FetchFailure } from '../../net/failure.js';
import { failureOf, type Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { siteKey } from '../artifacts/site-address.js';
import type { RequestBudget } from './budget.js';
import type { Deadline } from './deadline.js';
import type { Listener, Layer } from './request.js';
import type { Limiter } from './limiter.js';
import type { Pause } from './retries.js';
import type { AnonymousLimits, Fetched } from './visit.js';

export interface AdmissionRules {
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  readonly deadline: Deadline;
  readonly crawlDelay: CrawlDelay;
  readonly limiter: Limiter;
  readonly anonymousLimits: AnonymousLimits | undefined;
  readonly transport: Transport;
  readonly pause: Pause;
  readonly listen: Listener;
}

/**
 * Sends each try as soon as all limits allow it: the guard, before any DNS lookup; the run's time and requests; the site's Crawl-delay; the
 * pace of anonymous scans; and the requests in flight to the address, which net/connector.ts resolves and vets. A refused address fails
 * when connecting. What the transport answers without the network does not wait.
 */
export function admit(rules: AdmissionRules): Layer {
  const { gate, budget, deadline, crawlDelay, limiter, anonymousLimits, transport, pause, listen } = rules;
  const { signal } = deadline;
  const isOver = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));

  return async (request, next) => {
    const { url, isExternal, isFurther, priority } = request;
    const refuse = (failure: FetchFailure): Fetched => {
      listen({ kind: 'unsent', request, failure });
      return { failure };
    };
    const reason = gate.vetUrl(url);
    if (reason !== null) {
      listen({ kind: 'refused', request, reason });
      return { failure: 'target_refused' };
    }
    if (signal.aborted) return refuse('run_deadline');
    const isOffline = transport.answersOffline?.(request) ?? false;
    const limits = isOffline ? undefined : anonymousLimits;
    const isAllowed =
      !isExternal || (budget.takeExternal() && ((await limits?.mayRequestDomain(siteKey(url))) ?? true));
    if (!isAllowed) return refuse('foreign_spent');
    if (!budget.take(isFurther ? 'further' : 'first', priority)) return refuse('budget_spent');
    if (isOffline) return next(request);

    const delayMs = isExternal ? 0 : crawlDelay.reserve();
    if (delayMs > 0) await pause(delayMs, signal).catch(() => undefined);
    // The run may end before the lookup does.
    const address = (await Promise.race([transport.addressOf?.(url), isOver])) ?? url.hostname;
    const paceMs = (await limits?.pace.reserve(address)) ?? 0;
    if (paceMs > 0) {
      const resumeClock = deadline.pause();
      await pause(Math.min(paceMs, deadline.pauseMsLeft), signal).catch(() => undefined);
      resumeClock();
    }
    let release: () => void;
    try {
      release = await limiter.acquire(deadline, { address, isExternal, priority });
    } catch (error) {
      return refuse(failureOf(error));
    }
    try {
      const fetched = await next({ ...request, address });
      const isTooMuch = 'response' in fetched && [429, 503].includes(fetched.response.status);
      if (isTooMuch && !isExternal) limiter.slowDown(deadline, address);
      return fetched;
    } finally {
      release();
    }
  };
}

/** Longest pause between two requests, even if the site asks for more. */
const GAP_MAX_MS = 500;

/** How long a run respects the delay. It needs the rest of its time to finish, since a slow pace must not cost a verdict. */
const RESPECTED_MS = 15_000;

/** The `Crawl-delay` of the site's robots.txt: the least time between two requests, for the first third of the run. */
export class CrawlDelay {
  #gapMs = 0;
  #endMs = 0;
  #nextMs = 0;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs = (): number => performance.now()) {}

  /** Starts the delay; later calls and delays of 0 or less have no effect. */
  begin(delayS: number): void {
    if (this.#gapMs > 0 || !(delayS > 0)) return;
    this.#gapMs = Math.min(GAP_MAX_MS, delayS * 1000);
    this.#nextMs = this.nowMs();
    this.#endMs = this.#nextMs + RESPECTED_MS;
  }

  /** Reserves the next request. Returns the milliseconds to wait before it. */
  reserve(): number {
    const startMs = Math.min(this.#nextMs, this.#endMs);
    this.#nextMs = Math.max(this.nowMs(), this.#nextMs) + this.#gapMs;
    return Math.max(0, startMs - this.nowMs());
  }
}
