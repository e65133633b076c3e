import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import { InputError, TooSoonError } from '../../platform/input-error.js';
import { SingleFlight } from '../../platform/single-flight.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { AddressPace } from '../../scanner/client/address-pace.js';
import type { Peers } from '../../scanner/client/address-slots.js';
import { literalAddressOf } from '../../net/address.js';
import { REFUSED_TARGET } from '../../net/refusal.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Trial } from '../../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import type { OverlayFile } from '../../scanner/trace/overlay.js';
import { type Database, runApart } from '../../store/database.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';
import { isStarved } from '../limits/starved-scans.js';
import { refuseExcluded } from '../sites/excluded-hosts.js';
import { isSiteHostname, parseSiteOfPage, type SiteAddress } from '../sites/site-input.js';
import { type Claim, FreeScanCache } from './free-scan-cache.js';
import { FreeScanCharges } from './free-scan-charges.js';
import { FreeScanJob } from './free-scan-job.js';
import { FreeScanPlaces, type FreeScanPlacesDeps } from './free-scan-places.js';
import {
  type FreeScan,
  freeScanOf,
  type FreeScanState,
  type FreeScanTicket,
  type VerifiedChecks,
  type TriedFile,
} from './free-scan.js';
import { RecentFailures } from './recent-failures.js';
import { createTurns } from './turns.js';

/** A scan of a site as it is, and as it would be with this file at this path, which is percent-encoded. Rejects as a {@link Scanner} does. */
export type FileTrier = (
  target: ScanTarget,
  pathname: string,
  file: OverlayFile,
  onProgress?: (progress: ScanProgress) => void,
) => Promise<Trial>;

export interface FreeScansDeps extends FreeScanPlacesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  readonly tryFile: FileTrier;
  /** Whether the guard allows scans of this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  /** That of the requests at each address. */
  readonly pace?: AddressPace;
  /** Other processes that scan too; by default none. */
  readonly peers?: Pick<Peers, 'countAt'> | undefined;
  readonly refunds?: Refunds;
  /** Hears why a scan failed after it was admitted: for the log. */
  readonly onFailure?: (error: unknown) => void;
  readonly startTimer?: StartTimer;
}

const POLL_EVERY_MS = 1000;

const FAILED =
  'The service could not finish this scan; the site is not to blame. It was not counted. Please try again.';
const STARVED =
  'Other scans kept this one waiting at the site’s address until its time was up; the site is not to blame. It was counted. ' +
  'Please try again later.';

/** A scan that somebody asked for. */
interface ScanAsked {
  readonly site: SiteAddress;
  readonly clientAddress: string;
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Ids of checks; by default all. */
  readonly only?: readonly string[];
}

/** The scan without a key, for the MCP tool and the form of the home page alike. It has its own limits. */
export class FreeScans {
  readonly #deps: FreeScansDeps;
  readonly #startTimer: StartTimer;
  readonly #cache: FreeScanCache;
  readonly #places: FreeScanPlaces;
  /** The scans of this process. */
  readonly #jobs = new Map<string, FreeScanJob>();
  /** The scans of other processes that a client of this one waits for: polled once a second each, however many wait. */
  readonly #others = new SingleFlight<FreeScanJob>();
  readonly #failures: RecentFailures;
  readonly #pace: AddressPace;
  readonly #inTurn = createTurns();

  constructor(deps: FreeScansDeps) {
    const { db, clock, refunds = createRefunds(db), startTimer = startNodeTimer } = deps;
    this.#deps = deps;
    this.#startTimer = startTimer;
    this.#cache = new FreeScanCache({ db, clock, refunds, startTimer });
    this.#failures = new RecentFailures(clock);
    this.#pace = deps.pace ?? new AddressPace(deps.peers && { peers: deps.peers });
    this.#places = new FreeScanPlaces(deps, this.#pace, startTimer);
  }

  /**
   * Admits and starts a scan, joins the running one of this host, or hands over the last result of this hour. After a minute a result
   * without a score is made again, and so is any for the address that had asked for it first: unless a limit forbids it, when the last result
   * is handed over all the same. Only a scan that it starts counts towards the limits. One that asks no site counts for its caller alone, and
   * so does a name that the guard refuses; an address that it refuses does not count.
   * @param request.site a host name, an origin, or the URL of any page of the site: the site is its origin
   * @param request.clientAddress the caller's IP address; IPv6 counts by its /64
   * @param request.isLastEnough whether a result of the last hour does for the address that had asked for it first, too
   * @throws InputError for what is not a public site; TooSoonError over a limit
   */
  async start(request: {
    readonly site: string;
    readonly clientAddress: string;
    readonly isLastEnough?: boolean;
  }): Promise<FreeScanTicket> {
    const site = await this.#parse(request.site);
    const asker = request.isLastEnough ? null : subjectOfAddress(request.clientAddress);
    return this.#inTurn(
      site.hostname,
      async () =>
        (await this.#join(site.hostname, asker)) ??
        this.#startNew(site, request.clientAddress).catch((error: unknown) => this.#keptInstead(site.hostname, error)),
    );
  }

  /**
   * Makes checks again, for a reader who has fixed what they found. Nothing is kept, and the limits are those of a scan that starts, however
   * many checks there are.
   * @throws as `start`; ServiceError when they could not be made by a fault of ours
   */
  async verify(request: {
    readonly site: string;
    readonly checkIds: readonly string[];
    readonly clientAddress: string;
  }): Promise<VerifiedChecks> {
    const site = await this.#parse(request.site);
    const { checkIds: only, clientAddress } = request;
    return this.#admit(site, clientAddress, async (charges) => {
      const { findings, finishedAt, siteRequestCount } = await this.#perform({ site, clientAddress, only });
      await charges.settle(siteRequestCount);
      if (findings.length === 0)
        throw new ServiceError('internal_error', { cause: new Error(`no check of ${only.join()}`) });
      return { hostname: site.hostname, findings, finishedAt: finishedAt.toISOString() };
    });
  }

  /**
   * Scans a site as it is, and as if this file were served. Nothing of it is kept, and the limits are those of one scan that starts.
   * @throws as `verify`
   */
  async tryFile(request: {
    readonly site: string;
    readonly file: OverlayFile & { readonly path: string };
    readonly clientAddress: string;
    readonly onProgress?: (progress: ScanProgress) => void;
  }): Promise<TriedFile> {
    const site = await this.#parse(request.site);
    const { file, clientAddress, onProgress } = request;
    const { path, ...served } = file;
    const { pathname } = new URL(path, site.origin);
    return this.#admit(site, clientAddress, async (charges) => {
      const trial = await this.#places.runTrial(site.origin, clientAddress, (target) =>
        this.#deps.tryFile(target, pathname, served, onProgress),
      );
      await charges.settle(trial.before.siteRequestCount + trial.after.siteRequestCount);
      return { hostname: site.hostname, trial };
    });
  }

  /** How the scan of this host stands; null when there was none in this hour. Starts nothing. */
  async find(hostname: string): Promise<FreeScanState | null> {
    if (!isSiteHostname(hostname)) return null;
    const job = this.#jobs.get(hostname);
    if (job) return { state: 'running', progress: job.progress };
    const seen = await this.#cache.look(hostname);
    if (seen === 'claimed') return { state: 'running', progress: NO_PROGRESS };
    if (seen) return { state: 'done', scan: seen };
    const message = this.#failures.find(hostname);
    return message === undefined ? null : { state: 'failed', message };
  }

  /** Refuses new scans; resolves when the running ones have ended: for the end of the process. */
  async settle(): Promise<void> {
    this.#pace.release();
    await this.#places.close();
    await Promise.allSettled([...this.#jobs.values()].map(({ done }) => done));
  }

  /** @throws InputError for what is not a site, and for one whose owner asked not to be scanned */
  async #parse(input: string): Promise<SiteAddress> {
    const site = parseSiteOfPage(input);
    await runApart(this.#deps.db, refuseExcluded(site.origin));
    return site;
  }

  /** The running scan of this host, or the result that is kept; null when there is neither, or that gives way to a new one. */
  async #join(hostname: string, asker: string | null): Promise<FreeScanTicket | null> {
    const job = this.#jobs.get(hostname);
    if (job) return job;
    const seen = await this.#cache.look(hostname);
    if (seen === 'claimed') return this.#joinOther(hostname);
    if (seen === null || (await this.#cache.isSpent({ hostname, asker }))) return null;
    return ticketOf(seen);
  }

  /** For a caller over a limit: the running scan, or the last result, however little it says. @throws the error where there is none */
  async #keptInstead(hostname: string, error: unknown): Promise<FreeScanTicket> {
    const seen = error instanceof TooSoonError ? await this.#cache.look(hostname) : null;
    if (seen === null) throw error;
    return seen === 'claimed' ? this.#joinOther(hostname) : ticketOf(seen);
  }

  async #startNew(site: SiteAddress, clientAddress: string): Promise<FreeScanTicket> {
    const { hostname } = site;
    const asker = subjectOfAddress(clientAddress);
    const job = await this.#admit(site, clientAddress, async (charges) => {
      const claim = await this.#cache.claim({ hostname, asker });
      if (claim) return this.#begin({ site, clientAddress }, claim, charges);
      // Another process was quicker.
      await charges.giveBack();
      return null;
    });
    const ticket = job ?? (await this.#join(hostname, null));
    if (!ticket) throw new ServiceError('overloaded');
    return ticket;
  }

  /** Charges for one scan, then does what begins it. What fails before that is given back. @throws TooSoonError; InputError */
  async #admit<T>(
    site: SiteAddress,
    clientAddress: string,
    begin: (charges: FreeScanCharges) => Promise<T>,
  ): Promise<T> {
    const isLiteral = literalAddressOf(site.origin.hostname) !== null;
    // Refusing an address looks nothing up and writes nothing.
    if (isLiteral && !(await this.#deps.vetSite(site.origin))) throw new InputError(REFUSED_TARGET);
    const charges = await FreeScanCharges.take(this.#deps.rateLimits, site, clientAddress);
    try {
      if (await this.#deps.vetSite(site.origin)) return await begin(charges);
    } catch (error) {
      await charges.fail(error);
      throw error;
    }
    // It stays counted for its caller: its name may have been looked up, and names could be tried without end otherwise.
    await charges.settle(0);
    throw new InputError(REFUSED_TARGET);
  }

  #begin(asked: ScanAsked, claim: Claim, charges: FreeScanCharges): FreeScanTicket {
    const { hostname } = asked.site;
    const job = new FreeScanJob(hostname, async (onProgress) => {
      try {
        const report = await this.#perform({ ...asked, onProgress });
        const scan = freeScanOf(asked.site, report);
        await this.#cache.keep(claim, scan);
        await charges.settle(report.siteRequestCount);
        return scan;
      } catch (error) {
        // Neither the caller's fault nor the site's.
        this.#failures.add(hostname, isStarved(error) ? STARVED : FAILED);
        await Promise.all([this.#cache.release(claim), charges.fail(error)]);
        this.#deps.onFailure?.(error);
        throw error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
      } finally {
        this.#jobs.delete(hostname);
      }
    });
    this.#jobs.set(hostname, job);
    return job;
  }

  #perform({ site, clientAddress, onProgress, only }: ScanAsked): Promise<ScanReport> {
    return this.#places.run(site.origin, clientAddress, (target) => this.#deps.scan(target, onProgress, only));
  }

  /** A scan of another process: its steps cannot be seen from here. */
  #joinOther(hostname: string): FreeScanTicket {
    return this.#others.share(
      hostname,
      (end) => new FreeScanJob(hostname, () => this.#waitForOther(hostname).finally(end)),
    );
  }

  async #waitForOther(hostname: string): Promise<FreeScan> {
    for (;;) {
      await new Promise<void>((resolve) => this.#startTimer(resolve, POLL_EVERY_MS));
      const seen = await this.#cache.look(hostname);
      if (seen === null) throw new ServiceError('overloaded');
      if (seen !== 'claimed') return seen;
    }
  }
}

function ticketOf(scan: FreeScan): FreeScanTicket {
  return { hostname: scan.hostname, done: Promise.resolve(scan), isFresh: false, onProgress: () => () => undefined };
}
