import { setMaxListeners } from 'node:events';
import type { FetchFailure } from '../../net/failure.js';
import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { AddressSlots, VisitSlots } from './address-slots.js';
import { RequestBudget } from './budget.js';
import { composeChain, type ChainDeps } from './chain.js';
import { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import { FetchMemo } from './memo.js';
import { type Layer, prepareRequest, type SiteRequest } from './request.js';
import { type Pause, pauseFor } from './retries.js';
import { RunClock } from './run-clock.js';
import { SiteMove } from './site-move.js';
import type { Fetched, ScanTarget, Visit } from './visit.js';

/** The limits of one run. */
export interface VisitLimits {
  readonly runMs: number;
  /** Total time that the run's clock may be paused while it waits for slots of other runs. */
  readonly holdMs: number;
  /** Total time that the run's clock may be paused by the rate limit of anonymous scans. */
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
  /** Shared by all runs of the process, so that runs at one address share its limit. Default: new ones. */
  readonly slots?: AddressSlots;
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

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): ClosableVisit {
  let siteRequestCount = 0;
  const run = startRun(options, (event) => {
    if (event.kind === 'sent' && isSentToSite(event.request, event.fetched, run)) siteRequestCount += 1;
    for (const notify of options.listeners ?? []) notify(event);
  });
  const { userAgent, clock, deadline, budget } = run;
  const ask = composeChain(run);

  return {
    userAgent,
    fetch: (url, fetchOptions = {}) => {
      // Without proof of ownership, every request uses our own name.
      const name = options.target.isOwnershipVerified ? (fetchOptions.userAgent ?? userAgent) : userAgent;
      return ask(prepareRequest(url, { ...fetchOptions, userAgent: name }));
    },
    noteMove: (movedTo) => run.move.note(movedTo),
    refuses: (url) => run.gate.vetUrl(url) !== null,
    pause: async (ms) => {
      // The deadline ends the pause; later fetches then fail with `run_deadline`.
      await run.pause(ms, deadline).catch(() => undefined);
    },
    get requestCount() {
      return budget.count;
    },
    get siteRequestCount() {
      return siteRequestCount;
    },
    deadline,
    get isOutOfSlots() {
      return clock.isOutOfSlots;
    },
    applyCrawlDelay: (delayS) => run.crawlPace.begin(delayS),
    close: async () => {
      clock.stop();
      run.slots.leaveAll();
      await run.transport.close();
    },
  };
}

const NO_ADDRESS: ReadonlySet<FetchFailure> = new Set(['name_not_found', 'dns_failed', 'dns_silent']);

/** True if the request was sent to the scanned site over the network. */
function isSentToSite(
  request: SiteRequest,
  fetched: Fetched,
  { answersOffline }: Pick<ChainDeps, 'answersOffline'>,
): boolean {
  const hasAddress = 'response' in fetched || !NO_ADDRESS.has(fetched.failure);
  return hasAddress && !request.isExternal && !answersOffline(request);
}

function startRun(options: VisitOptions, listen: Listener): ChainDeps {
  const { target, watch, timeUp, gate = createGuard(), pause = pauseFor } = options;
  const { origin, isOwnershipVerified, party = origin.host, anonymousLimits } = target;
  const { hopsMax, tryMs, ...limits } = { ...VISIT_LIMITS, ...options.limits };
  const clock = new RunClock(limits.runMs, limits.holdMs, limits.paceMs);
  const { deadline } = clock;
  const userAgent = scannerUserAgent(options.infoUrl);
  setMaxListeners(0, deadline);
  timeUp?.addEventListener('abort', () => clock.stop(), { once: true });
  return {
    origin,
    userAgent,
    clock,
    deadline,
    pause,
    move: new SiteMove(origin),
    hopsMax,
    memo: new FetchMemo(limits.memoBytesMax, listen),
    gate,
    budget: new RequestBudget(limits.requestsMax, limits.furtherReserve, limits.externalMax),
    anonymousLimits,
    crawlPace: new CrawlPace(pause, deadline),
    slots: new VisitSlots(options.slots ?? new AddressSlots(), party, isOwnershipVerified, clock.setHeldUp),
    transport: options.transport,
    answersOffline: (request) => options.transport.answersOffline?.(request) ?? false,
    tryMs,
    watch,
    listen,
  };
}
