import { setMaxListeners } from 'node:events';
import type { FetchFailure } from '../../net/failure.js';
import { isSameSite, siteKey } from '../artifacts/site-address.js';
import { AddressPlaces, VisitPlaces } from './address-places.js';
import { Attribution } from './attribution.js';
import { type BodyLease, BodyRoom, VisitBodies } from './body-room.js';
import { RequestBudget } from './budget.js';
import { Fetcher, type FetcherOptions } from './fetcher.js';
import { createGuard } from '../../net/guard.js';
import type { UrlGate } from '../../net/url-gate.js';
import type { RefusalReason } from '../../net/refusal.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { CrawlPace } from './crawl-pace.js';
import { FetchMemo } from './memo.js';
import type { FetchHop } from './redirects.js';
import { followRedirects } from './redirects.js';
import { prepareRequest, type SiteRequest, withUserAgent } from './request.js';
import type { Pause } from './retries.js';
import { pauseFor, tryRepeatedly } from './retries.js';
import { RunClock } from './run-clock.js';
import type { Transport } from '../../net/transport.js';
import { SiteMove } from './site-move.js';
import type { Fetched, FetchOptions, Restraint, ScanTarget, Visit } from './visit.js';

/** The limits of one run. */
export interface VisitLimits {
  readonly runMs: number;
  /** How long the run may stand still in all while it waits for places that other runs hold. */
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
  readonly places?: AddressPlaces;
  /** The process's, so that its runs share the room for large bodies; by default the visit's own. */
  readonly bodies?: BodyRoom;
  readonly limits?: Partial<VisitLimits>;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: URL | string;
  readonly pause?: Pause;
  /** Ends the run's time when it aborts; a replay has no other time. */
  readonly timeUp?: AbortSignal;
  /** Learns what each part of the run was answered. */
  readonly attribution?: Attribution;
  /** For a record of the run: what the limits on requests kept from being sent. */
  readonly onUnsent?: (request: SiteRequest, failure: FetchFailure) => void;
  /** For the log: why a target was refused, which no tenant may see. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
}

export interface OpenVisit extends Visit {
  /** Ends all running fetches, and the transport. */
  close(): Promise<void>;
}

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): OpenVisit {
  const limits = { ...VISIT_LIMITS, ...options.limits };
  const clock = startClock(limits, options.timeUp);
  const { deadline } = clock;
  const { gate = createGuard(), pause = pauseFor, onUnsent = () => undefined, onRefused = () => undefined } = options;
  const { attribution = new Attribution() } = options;
  const { origin, isOwnershipVerified, party = origin.host, restraint } = options.target;
  const isForeign = (url: URL): boolean => !isSameSite(url, origin);
  const budget = new RequestBudget(limits.requestsMax, limits.furtherReserve, limits.foreignMax);
  const places = new VisitPlaces(options.places ?? new AddressPlaces(), party, isOwnershipVerified, clock.setHeldUp);
  const bodies = new VisitBodies(options.bodies ?? new BodyRoom(), clock.setHeldUp);
  const pace = new CrawlPace(pause, deadline);
  const fetcher = new Fetcher({
    transport: options.transport,
    ...{ gate, budget, deadline, tryMs: limits.tryMs, places, pace, isForeign },
    ...holdBack(restraint, clock),
    ...{ onUnsent, onRefused, onTried: (fetched, facts) => attribution.noteTry(fetched, facts) },
  });
  const move = new SiteMove(origin);
  const userAgent = scannerUserAgent(options.infoUrl);

  const fetchOnce = remembering(new FetchMemo(limits.memoBytesMax), fetcher, pause, deadline);
  // Who did not ask for this scan is asked under our own name only.
  const fetchHop = attribution.watching((asked, isHop) =>
    fetchOnce(isForeign(asked.url) ? withUserAgent(asked, userAgent) : asked, isHop),
  );

  const read: Visit['read'] = (url, fetchOptions, readFetched) => {
    // Without proof of ownership, every request uses our own name.
    const name = isOwnershipVerified ? (fetchOptions.userAgent ?? userAgent) : userAgent;
    const fetchIn = (lease: BodyLease): Promise<Fetched> =>
      fetchFollowing(prepareRequest(url, name, fetchOptions, lease), fetchHop, fetchOptions, limits, move);
    return bodies.lend(fetchIn, readFetched);
  };

  return {
    userAgent,
    read,
    fetch: (url, fetchOptions = {}) => read(url, fetchOptions, async (fetched) => fetched),
    noteMove: (movedTo) => move.note(movedTo),
    refuses: (url) => gate.vetUrl(url) !== null,
    pause: async (ms) => {
      // The deadline ends the pause; later fetches then fail with the deadline themselves.
      await pause(ms, deadline).catch(() => undefined);
    },
    get requestCount() {
      return budget.count;
    },
    get siteRequestCount() {
      return fetcher.siteRequestCount;
    },
    deadline,
    get isStarved() {
      return clock.isStarved;
    },
    keepPace: (delayS) => pace.begin(delayS),
    close: async () => {
      clock.stop();
      places.leaveAll();
      await options.transport.close();
    },
  };
}

function fetchFollowing(
  request: SiteRequest,
  fetchHop: FetchHop,
  { follows, isHome, isRedirectManual }: FetchOptions,
  { hopsMax }: VisitLimits,
  move: SiteMove,
): Promise<Fetched> {
  if (isRedirectManual === true) return fetchHop(request, false);
  const leadsToMove = isHome === true ? undefined : move.isEnteredBy.bind(move);
  return followRedirects(request, fetchHop, { hopsMax, follows, leadsToMove });
}

/** Asks for each URL once, and again where its answer warrants it. */
function remembering(memo: FetchMemo, fetcher: Fetcher, pause: Pause, deadline: AbortSignal): FetchHop {
  return (request, isHop) =>
    memo.fetch(request, () =>
      tryRepeatedly(
        (tryNumber) => fetcher.tryOnce(request, isHop || request.isRepeat || tryNumber > 1 ? 'further' : 'first'),
        { attempts: request.attempts, pause, deadline },
      ),
    );
}

function startClock({ runMs, holdMs, paceMs }: VisitLimits, timeUp: AbortSignal | undefined): RunClock {
  const clock = new RunClock(runMs, holdMs, paceMs);
  setMaxListeners(0, clock.deadline);
  timeUp?.addEventListener('abort', () => clock.stop(), { once: true });
  return clock;
}

/** What holds back the requests of a run, where something does. */
function holdBack(
  restraint: Restraint | undefined,
  clock: RunClock,
): Pick<FetcherOptions, 'mayAskOther' | 'waitForTurn'> {
  if (!restraint) return { mayAskOther: async () => true, waitForTurn: async () => undefined };
  return {
    mayAskOther: (url) => restraint.mayAskOther(siteKey(url)),
    waitForTurn: async (address) => {
      const ms = restraint.pace.take(address);
      if (ms === 0) return;
      // The run's time stands still meanwhile: it is we who let it wait.
      clock.setPaced(true);
      await restraint.pace.wait(Math.min(ms, clock.countPaceLeftMs()), clock.deadline);
      clock.setPaced(false);
    },
  };
}
