import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BodyOptions, type ReadBody, readBody } from '../../net/body.js';
import { type FetchFailure, TransportError, UnsentError } from '../../net/failure.js';
import type { HopResponse, Transport } from '../../net/transport.js';
import { siteKey, type UrlGate } from '../../net/url-gate.js';
import { parseMediaType } from '../parsers/text.js';
import { detectChallenge } from './challenge.js';
import type { Limiter } from './limiter.js';
import type { CrawlDelay, Deadline, Pause, RequestBudget } from './limits.js';
import { isRedirect, isSuccess } from './requests.js';
import type { Fetched, Listener, ScanTarget, SiteRequest, SiteResponse } from './visit.js';

/** State that all requests of one run share. */
export interface Run {
  readonly target: ScanTarget;
  /** Our own User-Agent. */
  readonly userAgent: string;
  readonly transport: Transport;
  readonly gate: UrlGate;
  readonly deadline: Deadline;
  readonly budget: RequestBudget;
  readonly crawlDelay: CrawlDelay;
  readonly limiter: Limiter;
  readonly pause: Pause;
  /** Time limit of one try: connection, header fields and body. Waiting before the try does not count. */
  readonly tryMs: number;
  readonly listen: Listener;
}

/** Pause before the second try; the third waits three times as long. */
const PAUSE_MS = 500;
const PAUSE_FACTOR = 3;
const RETRY_AFTER_MAX_MS = 5000;
const TRIES_MAX = 3;
const STALL_TRIES_MAX = 2;

/**
 * Tries 5xx, 429 and resets up to three times with growing pauses, stalls twice, everything else once. If the deadline or the budget
 * ends the tries early, returns that failure, since findings must not claim that every try failed.
 */
export async function sendWithRetries(run: Run, request: SiteRequest): Promise<Fetched> {
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

/** Returns the maximum number of tries for a request with this result. */
export function triesFor(fetched: Fetched): number {
  if ('response' in fetched) return isRetryable(fetched.response) ? TRIES_MAX : 1;
  return fetched.failure === 'reset' ? TRIES_MAX : fetched.failure === 'stalled' ? STALL_TRIES_MAX : 1;
}

function isRetryable({ status }: { readonly status: number }): boolean {
  return status >= 500 || status === 429;
}

function pauseAfter(fetched: Fetched, tryNumber: number): number {
  if ('failure' in fetched && fetched.failure === 'stalled') return 0;
  const growing = PAUSE_MS * PAUSE_FACTOR ** (tryNumber - 1);
  const requested = 'response' in fetched ? Number(fetched.response.headers.get('retry-after') ?? 0) * 1000 : 0;
  return Math.min(RETRY_AFTER_MAX_MS, Number.isFinite(requested) ? Math.max(growing, requested) : growing);
}

/**
 * Sends one try as soon as all limits allow it: the guard, before any DNS lookup; the run's time and requests; the pace of anonymous
 * scans; the site's Crawl-delay; and the requests in flight to the address, which net/network-transport.ts resolves and vets. A refused
 * address fails when connecting. Requests answered offline skip all waits.
 */
async function sendOnce(run: Run, request: SiteRequest): Promise<Fetched> {
  const { gate, budget, deadline, crawlDelay, limiter, transport, listen } = run;
  const { url, isExternal, isFollowUp, priority } = request;
  const skip = (failure: FetchFailure): Fetched => {
    listen({ kind: 'unsent', request, failure });
    return { failure };
  };
  const reason = gate.vetUrl(url);
  if (reason !== null) {
    listen({ kind: 'refused', request, reason });
    return { failure: 'target_refused' };
  }
  if (deadline.signal.aborted) return skip('run_deadline');
  const isOffline = transport.answersOffline?.(request) ?? false;
  const limits = isOffline ? undefined : run.target.anonymousLimits;
  const isAllowed = !isExternal || (budget.spendExternal() && ((await limits?.mayRequestDomain(siteKey(url))) ?? true));
  if (!isAllowed) return skip('external_spent');
  if (!budget.spend(isFollowUp, priority)) return skip('budget_spent');
  if (isOffline) return exchange(run, request, url.hostname);

  // The run may end before the lookup does.
  const address = await deadline.race(transport.addressOf?.(url) ?? url.hostname);
  if (address === null) return skip('run_deadline');
  if (limits) await keepPace(run, await limits.pace.reserve(address), limits.pace.released);
  const send = async (): Promise<Fetched> => {
    const release = await limiter.acquire(deadline, { address, isExternal, priority });
    if (release === null) return skip('run_deadline');
    try {
      const fetched = await exchange(run, request, address);
      const isOverloaded = 'response' in fetched && [429, 503].includes(fetched.response.status);
      if (isOverloaded && !isExternal) limiter.slowDown(deadline, address);
      return fetched;
    } finally {
      release();
    }
  };
  // The Crawl-delay comes before the limiter, so that a request that waits for it uses no slot.
  const fetched = isExternal ? await send() : await crawlDelay.run(send);
  if (!isExternal && hasReachedServer(fetched)) budget.siteCount += 1;
  if ('response' in fetched && fetched.response.body.length > LARGE_BYTES) await waitForTurn();
  return fetched;
}

const NO_ADDRESS: ReadonlySet<FetchFailure> = new Set(['name_not_found', 'dns_failed', 'dns_silent']);

function hasReachedServer(fetched: Fetched): boolean {
  return fetched.sent !== undefined && !('failure' in fetched && NO_ADDRESS.has(fetched.failure));
}

/** Parsing a larger body may take nearly a second. */
const LARGE_BYTES = 65_536;
let lastTurn = Promise.resolve();

/** Waits for its own turn of the event loop. Parsing large bodies of several scans in one turn would block the loop for seconds. */
function waitForTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/** Waits for the pace of anonymous scans, without counting against the deadline. */
async function keepPace({ deadline, pause }: Run, paceMs: number, released: AbortSignal): Promise<void> {
  if (paceMs <= 0) return;
  const resumeClock = deadline.pause();
  const end = AbortSignal.any([deadline.signal, released]);
  await pause(Math.min(paceMs, deadline.pauseMsLeft), end).catch(() => undefined);
  resumeClock();
}

/** Sends the request over the transport and reads the body. */
async function exchange(run: Run, request: SiteRequest, address: string): Promise<Fetched> {
  const { listen } = run;
  const beganMs = performance.now();
  let result: Fetched;
  try {
    result = { response: await readResponse(run, request) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { failure } = error;
    result = { failure };
    if (error instanceof UnsentError) {
      listen({ kind: 'unsent', request, failure });
      return result;
    }
    // The URL has already passed the guard, so only the address can be refused here.
    if (failure === 'target_refused') {
      listen({ kind: 'refused', request, reason: 'address_not_public' });
      return result;
    }
  }
  const fetched = { ...result, sent: { address, durationMs: performance.now() - beganMs } };
  listen({ kind: 'sent', request, fetched });
  return fetched;
}

async function readResponse({ transport, deadline, tryMs }: Run, request: SiteRequest): Promise<SiteResponse> {
  const aborter = new AbortController();
  const timer = abortAfter(tryMs, aborter);
  try {
    const { url, method, headers, body } = request;
    const signal = AbortSignal.any([deadline.signal, aborter.signal]);
    const answer = await transport.exchange({ url, method, headers, body, signal });
    const read = await readAnswer(answer, aborter, request);
    const response = { status: answer.status, url, hops: [], headers: answer.headers, ...read };
    return { ...response, challenge: detectChallenge(response) };
  } finally {
    clearTimeout(timer);
  }
}

function abortAfter(ms: number, aborter: AbortController): NodeJS.Timeout {
  return setTimeout(() => aborter.abort(new TransportError('stalled')), ms);
}

/** Options for an unused body: of a redirect, a retried response, or an error that a sink must not get. */
const UNUSED_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null };

/** How long the unused body of a redirect may delay the next hop. */
const REDIRECT_BODY_MS = 1000;

/** Reads a body. If it stops before the end, closes the connection, which would stay open for the rest of the run. */
async function readAnswer(answer: HopResponse, aborter: AbortController, request: SiteRequest): Promise<ReadBody> {
  const { status, headers } = answer;
  const isHop = isRedirect(answer);
  const timer = isHop ? abortAfter(REDIRECT_BODY_MS, aborter) : undefined;
  let isWhole = false;
  try {
    // An event stream has no end and may stay silent.
    const isStream = status === 200 && parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
    if (isStream) return { body: new Uint8Array(), byteCount: 0, isOverLimit: true };
    // A sink receives successful bodies only. The start of an error page is stored, since it identifies a challenge.
    const isUnused = isHop || isRetryable(answer) || (request.sink !== null && !isSuccess(status));
    const read = await readBody(answer, isUnused ? UNUSED_BODY : request);
    isWhole = !read.isOverLimit;
    return read;
  } catch (error) {
    // A redirect counts even if its body fails.
    if (isHop && error instanceof TransportError) return { body: new Uint8Array(), byteCount: 0, isOverLimit: false };
    throw error;
  } finally {
    clearTimeout(timer);
    if (!isWhole) aborter.abort(new TransportError('reset'));
  }
}
