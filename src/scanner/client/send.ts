import type { FetchFailure } from '../../net/failure.js';
import type { UrlGate } from '../../net/url-gate.js';
import { siteKey } from '../artifacts/site-address.js';
import { exchange, type ExchangeOptions, isRetryableStatus } from './exchange.js';
import type { Limiter } from './limiter.js';
import type { CrawlDelay, Pause, RequestBudget } from './limits.js';
import type { Requester, SiteRequest } from './request.js';
import type { Fetched, ScanTarget } from './visit.js';

/** What all requests of one run share. */
export interface Run extends Requester, ExchangeOptions {
  readonly target: ScanTarget;
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  readonly crawlDelay: CrawlDelay;
  readonly limiter: Limiter;
  readonly pause: Pause;
}

/** Caches the responses of one run, so that all checks together fetch each URL once. */
export class FetchMemo {
  readonly #entries = new Map<string, { readonly request: SiteRequest; readonly fetched: Promise<Fetched> }>();

  /** @param bytesLeft total bytes of cached bodies; a response beyond that is fetched again */
  constructor(
    private readonly run: Run,
    private bytesLeft: number,
  ) {}

  /**
   * Answers from the cache, or sends the request. Bypasses the cache for a request with a sink, which must see the bytes, and for one
   * under another agent's name.
   */
  async fetch(request: SiteRequest): Promise<Fetched> {
    const { url, method, headers, body } = request;
    if (request.sink !== null || request.isRepeat || request.isUnderOtherName)
      return sendWithRetries(this.run, request);
    const key = JSON.stringify([method, url.href, headers, body]);
    for (let entry = this.#entries.get(key); entry; entry = this.#entries.get(key)) {
      const fetched = await entry.fetched;
      if (canServe(entry.request, fetched, request)) {
        this.run.listen({ kind: 'remembered', request });
        return cutTo(fetched, request.bodyBytesMax);
      }
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
    const fetched = sendWithRetries(this.run, request);
    this.#entries.set(key, { request, fetched });
    const settled = await fetched;
    const bytes = 'response' in settled ? settled.response.body.length : 0;
    if (bytes > this.bytesLeft) this.#entries.delete(key);
    else this.bytesLeft -= bytes;
    return settled;
  }
}

/** True if a cached response is as good as a new one: at least as much of the body and as many tries, or the same priority if the budget ran out. */
function canServe(first: SiteRequest, fetched: Fetched, request: SiteRequest): boolean {
  if ('failure' in fetched && fetched.failure === 'budget_spent') return first.priority === request.priority;
  const hasTriedEnough = triesFor(fetched) === 1 || first.attempts === 'standard' || request.attempts === 'once';
  const hasEnoughBody =
    !('response' in fetched) || !fetched.response.isOverLimit || first.bodyBytesMax >= request.bodyBytesMax;
  return hasTriedEnough && hasEnoughBody;
}

function cutTo(fetched: Fetched, bytesMax: number): Fetched {
  if (!('response' in fetched) || fetched.response.byteCount <= bytesMax) return fetched;
  const { response } = fetched;
  return {
    response: { ...response, body: response.body.subarray(0, bytesMax), byteCount: bytesMax, isOverLimit: true },
  };
}

/** Pause before the second try; the third waits three times as long. */
const PAUSE_MS = 500;
const PAUSE_FACTOR = 3;
const RETRY_AFTER_MAX_MS = 5000;
const TRIES_MAX = 3;
const STALL_TRIES_MAX = 2;

/**
 * Tries 5xx, 429 and resets up to three times with growing pauses, stalls twice, everything else once. If the deadline or the budget
 * ends the tries early, returns that failure: findings say "on every try", which would not be proven.
 */
async function sendWithRetries(run: Run, request: SiteRequest): Promise<Fetched> {
  const { deadline, pause, listen } = run;
  for (let tryNumber = 1; ; tryNumber += 1) {
    const fetched = await sendOnce(run, tryNumber === 1 ? request : { ...request, isFollowUp: true });
    if (request.attempts === 'once' || tryNumber >= triesFor(fetched)) return fetched;
    const pauseMs = pauseAfter(fetched, tryNumber);
    listen({ kind: 'retried', request, pauseMs });
    await pause(pauseMs, deadline.signal).catch((error: unknown) => {
      if (!deadline.signal.aborted) throw error;
    });
  }
}

/** Returns how often a request with this result is tried in total. */
function triesFor(fetched: Fetched): number {
  if ('response' in fetched) return isRetryableStatus(fetched.response.status) ? TRIES_MAX : 1;
  return fetched.failure === 'reset' ? TRIES_MAX : fetched.failure === 'stalled' ? STALL_TRIES_MAX : 1;
}

function pauseAfter(fetched: Fetched, tryNumber: number): number {
  if ('failure' in fetched && fetched.failure === 'stalled') return 0;
  const growing = PAUSE_MS * PAUSE_FACTOR ** (tryNumber - 1);
  const requested = 'response' in fetched ? Number(fetched.response.headers.get('retry-after') ?? 0) * 1000 : 0;
  return Math.min(RETRY_AFTER_MAX_MS, Number.isFinite(requested) ? Math.max(growing, requested) : growing);
}

/**
 * Sends one try as soon as all limits allow it: the guard, before any DNS lookup; the run's time and requests; the pace of anonymous
 * scans; the site's Crawl-delay; and the requests in flight to the address, which net/connect.ts resolves and vets. A refused address
 * fails when connecting. Requests answered offline skip all waits.
 */
async function sendOnce(run: Run, request: SiteRequest): Promise<Fetched> {
  const { gate, budget, deadline, crawlDelay, limiter, transport, listen } = run;
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
  if (deadline.signal.aborted) return refuse('run_deadline');
  const isOffline = transport.answersOffline?.(request) ?? false;
  const limits = isOffline ? undefined : run.target.anonymousLimits;
  const isAllowed = !isExternal || (budget.takeExternal() && ((await limits?.mayRequestDomain(siteKey(url))) ?? true));
  if (!isAllowed) return refuse('external_spent');
  if (!budget.take(isFollowUp ? 'further' : 'first', priority)) return refuse('budget_spent');
  if (isOffline) return exchange(run, request, url.hostname);

  // The run may end before the lookup does.
  const address = await Promise.race([abortOf(deadline.signal), transport.addressOf?.(url) ?? url.hostname]);
  if (address === null) return refuse('run_deadline');
  if (limits) await keepPace(run, await limits.pace.reserve(address), limits.pace.released);
  const send = async (): Promise<Fetched> => {
    const slot = limiter.acquire(deadline, { address, isExternal, priority });
    const release = await slot.catch(() => null);
    if (release === null) return refuse('run_deadline');
    try {
      const fetched = await exchange(run, request, address);
      const isTooMuch = 'response' in fetched && [429, 503].includes(fetched.response.status);
      if (isTooMuch && !isExternal) limiter.slowDown(deadline, address);
      return fetched;
    } finally {
      release();
    }
  };
  // Before the limiter: a request that waits for its site uses no slot.
  return isExternal ? await send() : await crawlDelay.run(send);
}

function abortOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** Waits for the pace of anonymous scans, without counting against the deadline. */
async function keepPace({ deadline, pause }: Run, paceMs: number, released: AbortSignal): Promise<void> {
  if (paceMs <= 0) return;
  const resumeClock = deadline.pause();
  const end = AbortSignal.any([deadline.signal, released]);
  await pause(Math.min(paceMs, deadline.pauseMsLeft), end).catch(() => undefined);
  resumeClock();
}
