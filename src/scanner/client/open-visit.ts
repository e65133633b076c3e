import type { FetchFailure } from '../../net/failure.js';
import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { isSameSite } from '../artifacts/site-address.js';
import { isRedirect } from './exchange.js';
import { Limiter } from './limiter.js';
import { CrawlDelay, Deadline, type Pause, pauseFor, RequestBudget } from './limits.js';
import { type Listener, prepareRequest, redirectOptions, type RunEvent, type SiteRequest } from './request.js';
import { FetchMemo, type Run } from './send.js';
import type { Fetched, FetchOptions, ScanTarget, SiteResponse, Visit } from './visit.js';

/** The limits of one run. */
const VISIT_LIMITS = {
  runMs: SCAN_LIMITS.runMs,
  /** How long the run may wait for slots of other runs. */
  holdMs: SCAN_LIMITS.holdMs,
  /** How long the run may wait for the rate limit of anonymous scans. */
  paceMs: SCAN_LIMITS.paceMs,
  /** Time limit of one try: connection, header fields and body. */
  tryMs: 12_000,
  requestsMax: SCAN_LIMITS.requestsMax,
  /** Requests reserved for redirects and retries. */
  furtherReserve: 30,
  /** Requests that may go to external sites. */
  externalMax: SCAN_LIMITS.externalRequestsMax,
  /** Total bytes of cached bodies. */
  memoBytesMax: 4 * 1_048_576,
};
export type VisitLimits = Readonly<Record<keyof typeof VISIT_LIMITS, number>>;

export interface VisitOptions {
  readonly target: ScanTarget;
  /** Closing the visit closes it. */
  readonly transport: Transport;
  /** Default: the guard without exceptions. */
  readonly gate?: UrlGate;
  /** Shared by all runs of the process, so that runs at one address share its limit. Default: a new one. */
  readonly limiter?: Limiter;
  readonly limits?: Partial<VisitLimits>;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: URL | string;
  readonly pause?: Pause;
  /** Ends the run when it aborts. Default: only the deadline does. */
  readonly timeUp?: AbortSignal;
  /** Observes each hop: called with the request, it returns a function for the response, which may come from memory. */
  readonly watch?: (request: SiteRequest) => (fetched: Fetched) => void;
  /** Observers of what is decided about requests. */
  readonly listeners?: readonly Listener[];
}

export interface ClosableVisit extends Visit {
  /** Aborts all running fetches and closes the transport. */
  close(): Promise<void>;
}

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): ClosableVisit {
  const { target, transport, watch, gate = createGuard(), pause = pauseFor, listeners = [] } = options;
  const limits = { ...VISIT_LIMITS, ...options.limits };
  const deadline = new Deadline(limits.runMs, limits.holdMs + (target.anonymousLimits ? limits.paceMs : 0));
  const { signal } = deadline;
  options.timeUp?.addEventListener('abort', () => deadline.end(), { once: true });
  let siteRequestCount = 0;
  const run: Run = {
    target,
    transport,
    gate,
    deadline,
    pause,
    userAgent: scannerUserAgent(options.infoUrl),
    budget: new RequestBudget(limits.requestsMax, limits.furtherReserve, limits.externalMax),
    crawlDelay: new CrawlDelay(pause, signal),
    limiter: options.limiter ?? new Limiter(),
    tryMs: limits.tryMs,
    listen: (event) => {
      if (isSentToSite(event, transport)) siteRequestCount += 1;
      for (const notify of listeners) notify(event);
    },
  };
  const memo = new FetchMemo(run, limits.memoBytesMax);
  const send = async (request: SiteRequest): Promise<Fetched> => {
    const report = watch?.(request);
    const fetched = await memo.fetch(request);
    report?.(fetched);
    return fetched;
  };
  return {
    userAgent: run.userAgent,
    fetch: (url, fetchOptions = {}) => followRedirects(run, url, fetchOptions, send),
    refuses: (url) => gate.vetUrl(url) !== null,
    // The deadline ends the pause; later fetches then fail with `run_deadline`.
    pause: (ms) => pause(ms, signal).catch(() => undefined),
    get requestCount() {
      return run.budget.count;
    },
    get siteRequestCount() {
      return siteRequestCount;
    },
    deadline: signal,
    get isLimitedByUs() {
      return deadline.isLimitedByUs;
    },
    applyCrawlDelay: (delayS) => run.crawlDelay.begin(delayS),
    close: async () => {
      deadline.end();
      await transport.close();
    },
  };
}

const NO_ADDRESS: ReadonlySet<FetchFailure> = new Set(['name_not_found', 'dns_failed', 'dns_silent']);

/** True if a request was sent to the scanned site over the network. */
function isSentToSite(event: RunEvent, transport: Transport): boolean {
  if (event.kind !== 'sent' || event.request.isExternal) return false;
  const hasAddress = 'response' in event.fetched || !NO_ADDRESS.has(event.fetched.failure);
  return hasAddress && transport.answersOffline?.(event.request) !== true;
}

/** RFC 9110 §15.4: clients should continue to use the original URL. */
const TEMPORARY_STATUSES = new Set([302, 303, 307]);

/** Follows at most 5 redirects and no URL twice. Each hop passes the guard. */
async function followRedirects(
  run: Run,
  url: URL,
  options: FetchOptions,
  send: (request: SiteRequest) => Promise<Fetched>,
): Promise<Fetched> {
  const first = prepareRequest(url, options, run);
  const hops: URL[] = [];
  let hopOptions = options;
  let redirectedTemporarily = false;
  let wasLastRedirectTemporary = false;
  for (let request = first; ;) {
    const fetched = await send(request);
    if ('failure' in fetched) {
      return hops.length === 0 ? fetched : { ...fetched, redirect: { from: first.url, to: request.url } };
    }
    const { response } = fetched;
    if (request.follows === false || !isRedirect(response)) {
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
    const stop = (failure: FetchFailure | null): void =>
      run.listen({ kind: 'stopped', request, to: location, failure });
    if (location === null) {
      stop('bad_redirect');
      return { failure: 'bad_redirect' };
    }
    const isGrowing = growsAgain(hops.at(-1), request.url, location);
    if (isGrowing || !request.follows(location)) {
      stop(null);
      return { response: { ...response, hops, ...(isGrowing && { isGrowing }) } };
    }
    hops.push(request.url);
    wasLastRedirectTemporary = TEMPORARY_STATUSES.has(response.status);
    redirectedTemporarily ||= wasLastRedirectTemporary && !isSameSite(request.url, location);
    hopOptions = redirectOptions(hopOptions, response.status);
    const hop = { ...prepareRequest(location, hopOptions, run), isFollowUp: true };
    const isCircle = hop.method === request.method && hops.some(({ href }) => href === hop.url.href);
    if (isCircle || hops.length > SCAN_LIMITS.redirectsMax) {
      stop('redirect_loop');
      return { failure: 'redirect_loop' };
    }
    run.listen({ kind: 'redirected', request, to: hop.url });
    request = hop;
  }
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
