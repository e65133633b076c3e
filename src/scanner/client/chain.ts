import { setTimeout as delay } from 'node:timers/promises';
import type { FetchFailure } from '../../net/failure.js';
import type { ResponseHeaders } from '../../net/transport.js';
import { isSameSite } from '../artifacts/site-address.js';
import {
  type Layer,
  type Listener,
  type PreparedRequest,
  redirectRequest,
  requestKey,
  type SiteRequest,
} from './request.js';
import type { Fetched, SiteResponse } from './visit.js';

/** RFC 9110 §15.4: clients should continue to use the original URL. */
const TEMPORARY_STATUSES = new Set([302, 303, 307]);
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** True for a redirect. A 3xx without Location is an ordinary response. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

export interface RedirectRules {
  readonly hopsMax: number;
  readonly listen: Listener;
}

/** Follows at most `hopsMax` redirects and no URL twice. Each hop passes through all later layers, and so through the guard. */
export function followRedirects({ hopsMax, listen }: RedirectRules): Layer<PreparedRequest> {
  return async (first, next) => {
    if (first.follows === false) return await next(first);
    const { follows } = first;
    const hops: URL[] = [];
    let redirectedTemporarily = false;
    let wasLastRedirectTemporary = false;
    for (let request = first; ;) {
      const fetched = await next(request);
      if ('failure' in fetched) {
        return hops.length === 0 ? fetched : { ...fetched, redirect: { from: first.url, to: request.url } };
      }
      const { response } = fetched;
      if (!isRedirect(response)) {
        return {
          response: {
            ...response,
            hops,
            ...(redirectedTemporarily && { redirectedTemporarily }),
            ...(wasLastRedirectTemporary && { wasLastRedirectTemporary }),
          },
        };
      }
      const location = locationOf(response);
      const current = request;
      const stop = (failure: FetchFailure): Fetched => {
        listen({ kind: 'stopped', request: current, to: location, failure });
        return { failure };
      };
      if (location === null) return stop('bad_redirect');
      const isGrowing = growsAgain(hops.at(-1), request.url, location);
      if (isGrowing || !follows(location)) {
        listen({ kind: 'stopped', request, to: location, failure: null });
        return { response: { ...response, hops, ...(isGrowing && { isGrowing }) } };
      }
      hops.push(request.url);
      wasLastRedirectTemporary = TEMPORARY_STATUSES.has(response.status);
      redirectedTemporarily ||= wasLastRedirectTemporary && !isSameSite(request.url, location);
      const hop = redirectRequest(request, response.status, location);
      const isCircle = hop.method === request.method && hops.some(({ href }) => href === hop.url.href);
      if (isCircle || hops.length > hopsMax) return stop('redirect_loop');
      listen({ kind: 'redirected', request, to: hop.url });
      request = hop;
    }
  };
}

/**
 * True if a redirect adds the same part to the path as the previous one (`/x`, `/en/x`, `/en/en/x`). It would never end, and following it
 * for each missing file would use up the requests of the run.
 */
function growsAgain(before: URL | undefined, from: URL, to: URL): boolean {
  const added = before && additionOf(before, from);
  return added !== undefined && added !== '' && added === additionOf(from, to);
}

/** Returns the prefix or suffix that `to` adds to `from`, or an empty string. */
function additionOf({ pathname: from }: URL, { pathname: to }: URL): string {
  if (to.endsWith(from)) return to.slice(0, to.length - from.length);
  return to.startsWith(from) ? to.slice(from.length) : '';
}

/** Returns the redirect's target; null if it is invalid, or if two Location fields differ. */
function locationOf({ url, headers }: SiteResponse): URL | null {
  const [location = '', ...others] = headers.all('location');
  return others.some((other) => other !== location) ? null : URL.parse(location, url);
}

/** Waits, or rejects as soon as the signal aborts. Injected, so that tests need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Pause before the second try; the third waits three times as long. */
const PAUSE_MS = 500;
const PAUSE_FACTOR = 3;
const RETRY_AFTER_MAX_MS = 5000;
const TRIES_MAX = 3;
const STALL_TRIES_MAX = 2;

export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

export interface RetryRules {
  readonly pause: Pause;
  /** Aborts at the run's deadline. */
  readonly signal: AbortSignal;
  readonly listen: Listener;
}

/**
 * Tries 5xx, 429 and resets up to three times with growing pauses, stalls twice, everything else once. If the deadline or the budget
 * ends the tries early, returns that failure: findings say "on every try", which would not be proven.
 */
export function retry({ pause, signal, listen }: RetryRules): Layer {
  return async (request, next) => {
    for (let tryNumber = 1; ; tryNumber += 1) {
      const fetched = await next(tryNumber === 1 ? request : { ...request, isFollowUp: true });
      if (request.attempts === 'once' || tryNumber >= triesFor(fetched)) return fetched;
      const pauseMs = pauseAfter(fetched, tryNumber);
      listen({ kind: 'retried', request, pauseMs });
      try {
        await pause(pauseMs, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        listen({ kind: 'unsent', request, failure: 'run_deadline' });
        return { failure: 'run_deadline' };
      }
    }
  };
}

/** Returns how often a request with this result is tried in total. */
export function triesFor(fetched: Fetched): number {
  if ('failure' in fetched) {
    return fetched.failure === 'reset' ? TRIES_MAX : fetched.failure === 'stalled' ? STALL_TRIES_MAX : 1;
  }
  return isRetryableStatus(fetched.response.status) ? TRIES_MAX : 1;
}

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429;
}

function pauseAfter(fetched: Fetched, tryNumber: number): number {
  if ('failure' in fetched && fetched.failure === 'stalled') return 0;
  const growing = PAUSE_MS * PAUSE_FACTOR ** (tryNumber - 1);
  const requested = 'response' in fetched ? Number(fetched.response.headers.get('retry-after') ?? 0) * 1000 : 0;
  return Math.min(RETRY_AFTER_MAX_MS, Number.isFinite(requested) ? Math.max(growing, requested) : growing);
}

interface Entry {
  readonly request: SiteRequest;
  readonly fetched: Promise<Fetched>;
}

/** Caches the responses of one run, so that all checks together fetch each URL once. */
export class FetchMemo {
  readonly #entries = new Map<string, Entry>();
  #bytesLeft: number;

  /** @param bytesMax total bytes of cached bodies; a response beyond that is fetched again */
  constructor(
    bytesMax: number,
    private readonly listen: Listener,
  ) {
    this.#bytesLeft = bytesMax;
  }

  /**
   * Answers from the cache, or calls the next layer. Bypasses the cache for a request with a sink, which must see the bytes, and for one
   * under another agent's name.
   */
  readonly answer: Layer = async (request, next) => {
    if (request.sink !== null || request.isRepeat || request.isUnderOtherName) return await next(request);
    const key = requestKey(request);
    for (let entry = this.#entries.get(key); entry; entry = this.#entries.get(key)) {
      const fetched = await entry.fetched;
      if (canServe(entry.request, fetched, request)) {
        this.listen({ kind: 'remembered', request });
        return cutTo(fetched, request.bodyBytesMax);
      }
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
    const fetched = next(request);
    this.#entries.set(key, { request, fetched });
    this.#limitBytes(key, await fetched);
    return fetched;
  };

  #limitBytes(key: string, fetched: Fetched): void {
    const bytes = 'response' in fetched ? fetched.response.body.length : 0;
    if (bytes > this.#bytesLeft) this.#entries.delete(key);
    else this.#bytesLeft -= bytes;
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
