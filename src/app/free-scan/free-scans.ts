import { literalAddressOf } from '../../net/address.js';
import { REFUSED_TARGET, siteKey } from '../../net/url-gate.js';
import { isoTimeAfter } from '../../platform/clock.js';
import { InputError, RateLimitError, ServiceError } from '../../platform/errors.js';
import { OutOfSlots } from '../../scanner/artifacts/resource.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import type { OverlayFile } from '../../scanner/client/stand-in.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import { isUnknownHost } from '../../scanner/report/no-score.js';
import type { OverlayComparison } from '../../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import { retryBusy } from '../../store/database.js';
import type { Context } from '../context.js';
import { consume, type Limit, undoWithRetry, networkLimits } from '../limits/limits.js';
import { refuseExcluded } from '../sites/excluded-hosts.js';
import { describeRefusal, isSiteHostname, parseSiteOfPage, type SiteAddress } from '../sites/site-input.js';
import {
  findScan,
  FREE_SCAN_CACHE_MS,
  type FreeScan,
  type StartedScan,
  startScan,
  storeEnd,
  toFreeScan,
} from './free-scan-store.js';
import { FreeScanRunner, type FreeScanRunnerContext } from './free-scan-slots.js';

export type FreeScansContext = FreeScanRunnerContext &
  Pick<Context, 'scan' | 'tryFile' | 'vetSite'> &
  Partial<Pick<Context, 'onFailure'>>;

/** A scan of the site as it is, and one with the file. */
export interface TriedFile extends OverlayComparison {
  readonly hostname: string;
}

/** A running scan, or the cached result. */
export interface FreeScanTicket {
  readonly hostname: string;
  /** Rejects with a ServiceError if the service failed or no slot became free. */
  readonly done: Promise<FreeScan>;
  /** True for a scan in this process; false for a cached result. */
  readonly isFresh: boolean;
}

/** State of a free scan. `message` never contains text from the site. */
type FreeScanState =
  | { readonly state: 'running'; readonly progress: ScanProgress }
  | { readonly state: 'done'; readonly scan: FreeScan }
  | { readonly state: 'failed'; readonly message: string };

type OnProgress = (progress: ScanProgress) => void;

interface ScanRequest {
  /** Host name, origin, or URL of any page of the site. */
  readonly site: string;
  /** The caller's IP address. */
  readonly clientAddress: string;
  /** Called at each step, only for a scan in this process. Must not throw. */
  readonly onProgress?: OnProgress | undefined;
}

interface StartRequest extends ScanRequest {
  /** True to accept any result of the last hour. */
  readonly acceptsCached?: boolean;
}

interface RunningScan extends FreeScanTicket {
  progress: ScanProgress;
  readonly listeners: OnProgress[];
}

/**
 * Refunds unused limits. Call it once. It never rejects. If no request reached the site, refunds the host's limit.
 * @param siteRequestCount requests that reached the site
 * @param counted what the scan counts as; null if it failed or never started
 */
type RefundUnused = (siteRequestCount: number, counted: 'free-scan' | 'unknown-hosts' | null) => Promise<unknown>;

/** A result younger than this is returned instead of a new scan. */
const RESCAN_AFTER_MS = 60_000;
/** Retry-After while another process scans the host. */
const RUNNING_ELSEWHERE_RETRY_S = 30;
const FAILED = 'The scan failed because of a fault on our side, not on the site. It was not counted. Please try again.';

/** Runs scans that need no API key, for the form on the home page and for MCP. */
export class FreeScans {
  readonly #runner: FreeScanRunner;
  /** The last pending call of {@link start} for each host. */
  readonly #starting = new Map<string, Promise<FreeScanTicket>>();
  /** Running scans of this process, by host. */
  readonly #running = new Map<string, RunningScan>();

  constructor(private readonly context: FreeScansContext) {
    this.#runner = new FreeScanRunner(context);
  }

  /**
   * Starts a scan, or joins this process's running scan of the host. Returns the cached result if it is younger than a minute, if the
   * caller accepts it, or if a limit is reached. While another process scans the host, `done` rejects with `overloaded`.
   *
   * Charges only scans that start. A scan that sends no requests, and one of a refused host name, count only towards the caller's limit. A
   * scan of a name that does not exist has its own limit. A refused IP address costs nothing.
   * @throws InputError if the site is invalid, excluded or not public; RateLimitError if a limit is reached and there is no cached result
   */
  async start(request: StartRequest): Promise<FreeScanTicket> {
    const site = await this.#parse(request.site);
    // Requests for one host run one after another, so that later ones find the scan of the first.
    const previous = this.#starting.get(site.hostname)?.catch(() => undefined);
    const ticket = (previous ?? Promise.resolve()).then(() => this.#findOrStart(site, request));
    this.#starting.set(site.hostname, ticket);
    try {
      return await ticket;
    } finally {
      if (this.#starting.get(site.hostname) === ticket) this.#starting.delete(site.hostname);
    }
  }

  /**
   * Repeats only the given checks, to verify a fix. Stores nothing. Counts as one scan.
   * @throws like `start`; ServiceError if the service failed
   */
  async verify(request: ScanRequest & { readonly checkIds: readonly string[] }): Promise<FreeScan> {
    const { checkIds, clientAddress } = request;
    const site = await this.#parse(request.site);
    return this.#withCharge(site, clientAddress, async (refundUnused) => {
      const report = await this.#runner.run(site.origin, clientAddress, (target) =>
        this.context.scan(target, undefined, checkIds),
      );
      if (report.findings.length === 0)
        throw new ServiceError('internal_error', { cause: new Error(`no check of ${checkIds.join()}`) });
      await refundUnused(report.siteRequestCount, countedAs(report));
      return toFreeScan(site, report);
    });
  }

  /**
   * Scans a site twice: unchanged, and with the file. Stores nothing. Counts as one scan.
   * @throws like `verify`
   */
  async tryFile(request: ScanRequest & { readonly file: OverlayFile & { readonly path: string } }): Promise<TriedFile> {
    const site = await this.#parse(request.site);
    const { file, clientAddress, onProgress } = request;
    const { path, ...served } = file;
    const { pathname } = new URL(path, site.origin);
    return this.#withCharge(site, clientAddress, async (refundUnused) => {
      const scanBoth = (target: ScanTarget) => this.context.tryFile(target, pathname, served, onProgress);
      const trial = await this.#runner.run(site.origin, clientAddress, scanBoth, true);
      await refundUnused(trial.before.siteRequestCount + trial.after.siteRequestCount, countedAs(trial.before));
      return { hostname: site.hostname, ...trial };
    });
  }

  /** Returns the state of the host's scan; null if there was none in the last hour. */
  async find(hostname: string): Promise<FreeScanState | null> {
    if (!isSiteHostname(hostname)) return null;
    const running = this.#running.get(hostname);
    if (running) return { state: 'running', progress: running.progress };
    const found = await this.#read(hostname);
    if (found === 'running') return { state: 'running', progress: NO_PROGRESS };
    return found === 'failed' ? { state: 'failed', message: FAILED } : found && { state: 'done', scan: found };
  }

  /** Refuses new scans. Resolves when the running scans have ended. */
  async close(): Promise<void> {
    await this.#runner.close();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  /** @throws InputError for an invalid or excluded site */
  async #parse(input: string): Promise<SiteAddress> {
    const site = parseSiteOfPage(input);
    await refuseExcluded(this.context.db, site.origin);
    return site;
  }

  #read(hostname: string) {
    return findScan(this.context.db, hostname, this.context.clock.now());
  }

  async #findOrStart(site: SiteAddress, request: StartRequest): Promise<FreeScanTicket> {
    const { db, clock } = this.context;
    const { hostname } = site;
    const { clientAddress, onProgress, acceptsCached = false } = request;
    const running = this.#running.get(hostname);
    if (running) {
      if (onProgress) running.listeners.push(onProgress);
      return running;
    }
    const maxAgeMs = acceptsCached ? FREE_SCAN_CACHE_MS : RESCAN_AFTER_MS;
    const state = await this.#read(hostname);
    if (state === 'running') return rejectedTicket(hostname);
    const found = state === 'failed' ? null : state;
    if (found && found.finishedAt > isoTimeAfter(clock.now(), -maxAgeMs)) return finishedTicket(found);
    try {
      return await this.#withCharge(site, clientAddress, async (refundUnused) => {
        const started = await startScan(db, hostname, maxAgeMs, clock.now());
        if (!started) {
          await refundUnused(0, null);
          return rejectedTicket(hostname);
        }
        const done = this.#perform(site, clientAddress, started, refundUnused);
        // Prevents an unhandled rejection.
        done.catch(() => undefined);
        const listeners = onProgress ? [onProgress] : [];
        const newScan: RunningScan = { hostname, done, isFresh: true, progress: NO_PROGRESS, listeners };
        this.#running.set(hostname, newScan);
        return newScan;
      });
    } catch (error) {
      if (found && error instanceof RateLimitError) return finishedTicket(found);
      throw error;
    }
  }

  /** Charges for one scan, vets the site, then calls `begin`. Refunds if one of these fails. @throws RateLimitError; InputError */
  async #withCharge<T>(
    site: SiteAddress,
    clientAddress: string,
    begin: (refundUnused: RefundUnused) => Promise<T>,
  ): Promise<T> {
    const { vetSite } = this.context;
    const isIpAddress = literalAddressOf(site.origin.hostname) !== null;
    // Refusing an IP address needs no DNS lookup, so it costs nothing.
    if (isIpAddress && !(await vetSite(site.origin))) throw new InputError(REFUSED_TARGET);
    const refundUnused = await this.#charge(site, clientAddress);
    try {
      if (await vetSite(site.origin)) return await begin(refundUnused);
    } catch (error) {
      await refundUnused(countRequestsBefore(error), null);
      throw error;
    }
    // Charges the caller, to limit DNS lookups.
    await refundUnused(0, 'free-scan');
    throw new InputError(describeRefusal(site.origin));
  }

  /**
   * Charges for one scan, and for the maximum number of requests that it may send to the domain.
   * @throws RateLimitError if a limit is reached; nothing is charged then
   */
  async #charge({ origin, hostname }: SiteAddress, clientAddress: string): Promise<RefundUnused> {
    const requests: readonly Limit[] = networkLimits('anonymous-requests', clientAddress, siteKey(origin)).map(
      (limit) => ({
        ...limit,
        count: SCAN_LIMITS.requestsMax,
      }),
    );
    const scans = [
      ...networkLimits('free-scan', clientAddress),
      ...networkLimits('host-scans', clientAddress, hostname),
    ];
    const unknownHosts = networkLimits('unknown-hosts', clientAddress);
    const { db, clock, startTimer } = this.context;
    const refund = await consume(db, [...scans, ...requests, ...unknownHosts], clock.now(), startTimer);
    return (siteRequestCount, counted) => {
      const usedOf = (limit: Limit): number => {
        if (requests.includes(limit)) return siteRequestCount;
        if (unknownHosts.includes(limit)) return counted === 'unknown-hosts' ? 1 : 0;
        return counted === 'free-scan' && (siteRequestCount > 0 || limit.name === 'free-scan') ? 1 : 0;
      };
      return refund(usedOf);
    };
  }

  async #perform(
    { hostname, origin }: SiteAddress,
    clientAddress: string,
    started: StartedScan,
    refundUnused: RefundUnused,
  ): Promise<FreeScan> {
    const { db, clock, scan: scanSite, onFailure, startTimer } = this.context;
    const onProgress = (progress: ScanProgress): void => {
      const running = this.#running.get(hostname);
      if (!running) return;
      running.progress = progress;
      for (const listener of running.listeners) listener(progress);
    };
    try {
      const report = await this.#runner.run(origin, clientAddress, (target) => scanSite(target, onProgress));
      const scan = toFreeScan({ hostname, origin }, report);
      await retryBusy(() => storeEnd(db, started, scan.finishedAt, scan));
      await refundUnused(report.siteRequestCount, countedAs(report));
      return scan;
    } catch (error) {
      await Promise.all([
        undoWithRetry(() => storeEnd(db, started, clock.now().toISOString(), null), startTimer),
        refundUnused(countRequestsBefore(error), null),
      ]);
      onFailure?.(error);
      throw error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
    } finally {
      this.#running.delete(hostname);
    }
  }
}

type CountedReport = Pick<ScanReport, 'findings' | 'siteRequestCount'>;

function countedAs({ findings, siteRequestCount }: CountedReport): 'free-scan' | 'unknown-hosts' {
  return siteRequestCount === 0 && isUnknownHost(findings) ? 'unknown-hosts' : 'free-scan';
}

/** Returns how many requests reached the site before the scan failed; 0 if unknown. */
function countRequestsBefore(error: unknown): number {
  return error instanceof ServiceError && error.cause instanceof OutOfSlots ? error.cause.siteRequestCount : 0;
}

function finishedTicket(scan: FreeScan): FreeScanTicket {
  return { hostname: scan.hostname, done: Promise.resolve(scan), isFresh: false };
}

/** Returns a ticket whose `done` has rejected, because another process is scanning the host. */
function rejectedTicket(hostname: string): FreeScanTicket {
  const done = Promise.reject(new ServiceError('overloaded', { retryAfterS: RUNNING_ELSEWHERE_RETRY_S }));
  // Prevents an unhandled rejection: pages ignore `done`.
  done.catch(() => undefined);
  return { hostname, done, isFresh: false };
}
