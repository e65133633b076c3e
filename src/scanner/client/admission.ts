import { type FetchFailure, failureOf } from '../../net/failure.js';
import { type Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { siteKey } from '../artifacts/site-address.js';
import type { RequestBudget, Deadline } from './limits.js';
import type { Listener, Layer } from './request.js';
import type { Limiter } from './limiter.js';
import type { Pause } from './chain.js';
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
 * Sends each try as soon as all limits allow it: the guard, before any DNS lookup; the run's time and requests; the pace of
 * anonymous scans; the site's Crawl-delay; and the requests in flight to the address, which net/connect.ts resolves and vets. A refused
 * address fails when connecting. Requests answered offline skip all waits.
 */
export function admit(rules: AdmissionRules): Layer {
  const { gate, budget, deadline, crawlDelay, limiter, anonymousLimits, transport, pause, listen } = rules;
  const { signal } = deadline;
  const paceEnd = anonymousLimits ? AbortSignal.any([signal, anonymousLimits.pace.released]) : signal;
  const isOver = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));

  return async (request, next) => {
    const { url, isExternal, isFollowUp, priority } = request;
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
    if (!budget.take(isFollowUp ? 'further' : 'first', priority)) return refuse('budget_spent');
    if (isOffline) return next(request);

    // The run may end before the lookup does.
    const found = await Promise.race([isOver, transport.addressOf?.(url)]);
    if (found === null) return refuse('run_deadline');
    const address = found ?? url.hostname;
    const paceMs = (await limits?.pace.reserve(address)) ?? 0;
    if (paceMs > 0) {
      const resumeClock = deadline.pause();
      await pause(Math.min(paceMs, deadline.pauseMsLeft), paceEnd).catch(() => undefined);
      resumeClock();
    }
    const send = async (): Promise<Fetched> => {
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
    // Before the limiter: a request that waits for its site uses no slot.
    return isExternal ? await send() : await crawlDelay.run(send);
  };
}

/** Longest pause between two requests, even if the site asks for more. */
const GAP_MAX_MS = 500;

/** How long a run respects the delay. It needs the rest of its time to finish, since a slow pace must not cost a verdict. */
const RESPECTED_MS = 15_000;

/** The `Crawl-delay` of the site's robots.txt: one request at a time with a pause after each, for the first third of the run. */
export class CrawlDelay {
  #gapMs = 0;
  #previous: Promise<unknown> = Promise.resolve();
  #end: Promise<unknown> | undefined;

  constructor(
    private readonly pause: Pause,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts the delay; later calls and delays of 0 or less have no effect. */
  begin(delayS: number): void {
    if (this.#end || !(delayS > 0)) return;
    this.#gapMs = Math.min(GAP_MAX_MS, delayS * 1000);
    this.#end = this.#wait(RESPECTED_MS).then(() => (this.#gapMs = 0));
  }

  /** Sends a request when the one before and the pause after it are over. */
  run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#gapMs === 0) return send();
    const sent = this.#previous.then(send);
    const isOver = sent.catch(() => undefined).then(() => this.#wait(this.#gapMs));
    this.#previous = Promise.race([isOver, this.#end]);
    return sent;
  }

  #wait(ms: number): Promise<void> {
    return this.pause(ms, this.signal).catch(() => undefined);
  }
}
