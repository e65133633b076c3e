import type { FetchFailure } from '../../net/failure.js';
import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { isSameSite } from '../artifacts/site-address.js';
import { admit, CrawlDelay } from './admission.js';
import { RequestBudget, Deadline } from './limits.js';
import {
  type Listener,
  type Ask,
  type PreparedRequest,
  type Layer,
  prepareRequest,
  type SiteRequest,
} from './request.js';
import { exchange } from './exchange.js';
import { Limiter } from './limiter.js';
import { FetchMemo } from './chain.js';
import { followRedirects, type Pause, pauseFor, retry } from './chain.js';
import type { Fetched, ScanTarget, Visit } from './visit.js';

/** The limits of one run. */
export interface VisitLimits {
  readonly runMs: number;
  /** How long the run may wait for slots of other runs. */
  readonly holdMs: number;
  /** How long the run may wait for the rate limit of anonymous scans. */
  readonly paceMs: number;
  /** Time limit of one try: connection, header fields and body. */
  readonly tryMs: number;
  readonly requestsMax: number;
  /** Requests reserved for redirects and retries. */
  readonly furtherReserve: number;
  /** Requests that may go to external sites. */
  readonly externalMax: number;
  readonly hopsMax: number;
  /** Total bytes of cached bodies. */
  readonly memoBytesMax: number;
}

export const VISIT_LIMITS: VisitLimits = {
  runMs: SCAN_LIMITS.runMs,
  holdMs: SCAN_LIMITS.holdMs,
  paceMs: SCAN_LIMITS.paceMs,
  tryMs: 12_000,
  requestsMax: SCAN_LIMITS.requestsMax,
  furtherReserve: 30,
  externalMax: SCAN_LIMITS.externalRequestsMax,
  hopsMax: SCAN_LIMITS.redirectsMax,
  memoBytesMax: 4 * 1_048_576,
};

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
  /** Ends the run when it aborts; used by replays, which have no clock. */
  readonly timeUp?: AbortSignal;
  /** A layer around everything but redirects: sees each hop and its response, and may replace the request. */
  readonly watch?: Layer;
  /** Observers of the layers' decisions. */
  readonly listeners?: readonly Listener[];
}

export interface ClosableVisit extends Visit {
  /** Aborts all running fetches and closes the transport. */
  close(): Promise<void>;
}

const NO_ADDRESS: ReadonlySet<FetchFailure> = new Set(['name_not_found', 'dns_failed', 'dns_silent']);

/**
 * Opens the visit of one run, whose time starts now. Every request passes these layers on its way to the socket: those after the redirects
 * for each hop, those after the retries for each try.
 */
export function openVisit(options: VisitOptions): ClosableVisit {
  const { target, transport, watch, timeUp, gate = createGuard(), pause = pauseFor, listeners = [] } = options;
  const { origin, isOwnershipVerified, anonymousLimits } = target;
  const limits = { ...VISIT_LIMITS, ...options.limits };
  const deadline = new Deadline(limits.runMs, limits.holdMs + (anonymousLimits ? limits.paceMs : 0));
  timeUp?.addEventListener('abort', () => deadline.end(), { once: true });
  const { signal } = deadline;
  const userAgent = scannerUserAgent(options.infoUrl);
  const budget = new RequestBudget(limits.requestsMax, limits.furtherReserve, limits.externalMax);
  const crawlDelay = new CrawlDelay(pause, signal);
  const limiter = options.limiter ?? new Limiter();

  /** True if the request was sent to the scanned site over the network. */
  const isSentToSite = (request: SiteRequest, fetched: Fetched): boolean => {
    const hasAddress = 'response' in fetched || !NO_ADDRESS.has(fetched.failure);
    return hasAddress && !request.isExternal && transport.answersOffline?.(request) !== true;
  };
  let siteRequestCount = 0;
  const listen: Listener = (event) => {
    if (event.kind === 'sent' && isSentToSite(event.request, event.fetched)) siteRequestCount += 1;
    for (const notify of listeners) notify(event);
  };

  const layers: readonly Layer[] = [
    ...(watch ? [watch] : []),
    new FetchMemo(limits.memoBytesMax, listen).answer,
    retry({ pause, signal, listen }),
    admit({ gate, budget, deadline, crawlDelay, limiter, anonymousLimits, transport, pause, listen }),
  ];
  const send = layers.reduceRight<Ask>(
    (next, layer) => (request) => layer(request, next),
    exchange({ transport, signal, tryMs: limits.tryMs, listen }),
  );
  const follow = followRedirects({ hopsMax: limits.hopsMax, listen });
  const sendHop = (asked: PreparedRequest): Promise<Fetched> => {
    const isExternal = !isSameSite(asked.url, origin);
    // Another site is asked under our own name only.
    const headers = isExternal ? { ...asked.headers, 'user-agent': userAgent } : asked.headers;
    return send({ ...asked, headers, isExternal, address: asked.url.hostname });
  };

  return {
    userAgent,
    fetch: (url, fetchOptions = {}) =>
      follow(prepareRequest(url, fetchOptions, { userAgent, mayUseOthers: isOwnershipVerified }), sendHop),
    refuses: (url) => gate.vetUrl(url) !== null,
    // The deadline ends the pause; later fetches then fail with `run_deadline`.
    pause: (ms) => pause(ms, signal).catch(() => undefined),
    get requestCount() {
      return budget.count;
    },
    get siteRequestCount() {
      return siteRequestCount;
    },
    deadline: signal,
    get isLimitedByUs() {
      return deadline.isLimitedByUs;
    },
    applyCrawlDelay: (delayS) => crawlDelay.begin(delayS),
    close: async () => {
      deadline.end();
      await transport.close();
    },
  };
}
