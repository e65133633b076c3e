import { setMaxListeners } from 'node:events';
import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { AddressSlots, VisitSlots } from './address-slots.js';
import { BodyRoom, VisitBodies } from './body-room.js';
import { RequestBudget } from './budget.js';
import { composeChain, type ChainDeps } from './chain.js';
import { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import { FetchMemo } from './memo.js';
import { type Layer, prepareRequest, type SiteRequest } from './request.js';
import { type Pause, pauseFor } from './retries.js';
import { RunClock } from './run-clock.js';
import { SiteMove } from './site-move.js';
import { type Signing, SiteSigning } from './site-signing.js';
import type { Fetched, ScanTarget, Visit } from './visit.js';

/** The limits of one run. */
export interface VisitLimits {
  readonly runMs: number;
  /** How long the run may stand still in all while it waits for slots that other runs hold. */
  readonly holdMs: number;
  /** The same while it waits for its turns at an address, where there is a pace. */
  readonly paceMs: number;
  /** Connection, header fields and body of one try. */
  readonly tryMs: number;
  readonly requestsMax: number;
  /** How many of the requests are reserved for hops and second tries. */
  readonly furtherReserve: number;
  /** How many of the requests may go to sites of others. */
  readonly foreignMax: number;
  readonly hopsMax: number;
  /** Total bytes of bodies remembered for a second reader. */
  readonly memoBytesMax: number;
}

export const VISIT_LIMITS: VisitLimits = {
  runMs: SCAN_LIMITS.runMs,
  holdMs: SCAN_LIMITS.holdMs,
  paceMs: SCAN_LIMITS.paceMs,
  tryMs: 12_000,
  requestsMax: SCAN_LIMITS.requestsMax,
  furtherReserve: 30,
  foreignMax: SCAN_LIMITS.foreignRequestsMax,
  hopsMax: SCAN_LIMITS.redirectsMax,
  memoBytesMax: 4 * 1_048_576,
};

export interface VisitOptions {
  readonly target: ScanTarget;
  /** Closed with the visit. */
  readonly transport: Transport;
  /** By default a gate without exceptions. */
  readonly gate?: UrlGate;
  /** The process's, so that two runs on one address share its limit; by default the visit's own. */
  readonly slots?: AddressSlots;
  /** The process's, so that its runs share the room for large bodies; by default the visit's own. */
  readonly bodies?: BodyRoom;
  readonly limits?: Partial<VisitLimits>;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: URL | string;
  readonly pause?: Pause;
  /** With what requests are signed where the site asks for it; by default none are. */
  readonly signing?: Signing;
  /** Ends the run's time when it aborts; a replay has no other time. */
  readonly timeUp?: AbortSignal;
  /** Learns of each hop, and its answer from wherever it comes; may put another request in its place. */
  readonly watch?: Layer;
  /** They hear what the layers decide. */
  readonly listeners?: readonly Listener[];
}

export interface ClosableVisit extends Visit {
  /** Ends all running fetches, and the transport. */
  close(): Promise<void>;
}

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): ClosableVisit {
  let siteRequestCount = 0;
  const run = startRun(options, (event) => {
    if (event.kind === 'sent' && isSentToSite(event.request, event.fetched, run)) siteRequestCount += 1;
    for (const hear of options.listeners ?? []) hear(event);
  });
  const { userAgent, clock, deadline, budget } = run;
  const bodies = new VisitBodies(options.bodies ?? new BodyRoom(), clock.setHeldUp);
  const ask = composeChain(run);

  const read: Visit['read'] = (url, fetchOptions, readFetched) => {
    // Without proof of ownership, every request uses our own name.
    const name = options.target.isOwnershipVerified ? (fetchOptions.userAgent ?? userAgent) : userAgent;
    const asked = { ...fetchOptions, userAgent: name };
    return bodies.lend((lease) => ask(prepareRequest(url, asked, lease)), readFetched);
  };

  return {
    userAgent,
    read,
    fetch: (url, fetchOptions = {}) => read(url, fetchOptions, async (fetched) => fetched),
    noteMove: (movedTo) => run.move.note(movedTo),
    refuses: (url) => run.gate.vetUrl(url) !== null,
    pause: async (ms) => {
      // The deadline ends the pause; later fetches then fail with the deadline themselves.
      await run.pause(ms, deadline).catch(() => undefined);
    },
    get requestCount() {
      return budget.count;
    },
    get siteRequestCount() {
      return siteRequestCount;
    },
    deadline,
    get isStarved() {
      return clock.isStarved;
    },
    keepPace: (delayS) => run.crawlPace.begin(delayS),
    close: async () => {
      clock.stop();
      run.slots.leaveAll();
      await run.transport.close();
    },
  };
}

/** Whether it left us, for the site: there was an address to send it to, and no answer without. */
function isSentToSite(request: SiteRequest, fetched: Fetched, { isKnown }: Pick<ChainDeps, 'isKnown'>): boolean {
  const hasAddress =
    'response' in fetched || (fetched.failure !== 'name_not_found' && fetched.failure !== 'dns_failed');
  return hasAddress && !request.isForeign && !isKnown(request);
}

function startRun(options: VisitOptions, listen: Listener): ChainDeps {
  const { target, watch, timeUp, gate = createGuard(), pause = pauseFor } = options;
  const { origin, isOwnershipVerified, party = origin.host, restraint } = target;
  const { hopsMax, tryMs, ...limits } = { ...VISIT_LIMITS, ...options.limits };
  const clock = new RunClock(limits.runMs, limits.holdMs, limits.paceMs);
  const { deadline } = clock;
  const userAgent = scannerUserAgent(options.infoUrl);
  const signing = options.signing && new SiteSigning(options.signing, { origin, userAgent });
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
    budget: new RequestBudget(limits.requestsMax, limits.furtherReserve, limits.foreignMax),
    restraint,
    crawlPace: new CrawlPace(pause, deadline),
    slots: new VisitSlots(options.slots ?? new AddressSlots(), party, isOwnershipVerified, clock.setHeldUp),
    transport: signing?.over(options.transport) ?? options.transport,
    isKnown: (request) => options.transport.isKnown?.(request) ?? false,
    signing,
    tryMs,
    watch,
    listen,
  };
}
