import { literalAddressOf } from '../../net/address.js';
import { BoundedMap } from '../../net/keyed.js';
import { REFUSED_TARGET } from '../../net/url-gate.js';
import { subjectOfAddress } from '../../platform/client-address.js';
import { laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError, RateLimitError } from '../../platform/input-error.js';
import { OutOfSlots } from '../../scanner/artifacts/out-of-resources.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { siteKey } from '../../scanner/artifacts/site-address.js';
import type { OverlayFile } from '../../scanner/client/stand-in.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import type { Context, FileTrier } from '../context.js';
import { consume, createRefunds, type Limit, type Refunds, networkLimits } from '../limits/limits.js';
import { refuseExcluded } from '../sites/excluded-hosts.js';
import { describeRefusal, isSiteHostname, parseSiteOfPage, type SiteAddress } from '../sites/site-input.js';
import {
  type FreeScan,
  freeScanOf,
  type FreeScanState,
  type FreeScanTicket,
  RunningScan,
  type TriedFile,
  type VerifiedChecks,
} from './free-scan.js';
import { FreeScanRunner, type FreeScanRunnerContext } from './free-scan-slots.js';
import { findScan, forgetScan, type StartedScan, startScan, storeScan } from './free-scan-store.js';

export interface FreeScansContext extends FreeScanRunnerContext, Partial<Pick<Context, 'refunds' | 'onFailure'>> {
  readonly scan: Scanner;
  readonly tryFile: FileTrier;
  /** Resolves to true if the guard allows scans of this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
}

interface ScanRequest {
  /** A host name, an origin, or the URL of any page of the site: the site is its origin. */
  readonly site: string;
  /** The caller's IP address; IPv6 counts by its /64. */
  readonly clientAddress: string;
}

/** What a scan consumed of its limits. Its methods never reject; call one of them, once. */
interface Charge {
  /** Refunds what the scan did not use. If no request reached the site, it used only the caller's own limit. */
  settle(siteRequestCount: number): Promise<unknown>;
  /** Refunds a scan that failed or never started, except for the requests that reached the site. */
  cancel(error?: unknown): Promise<unknown>;
}

/** How long a failed scan is reported as such. */
const FAILURE_SHOWN_MS = 60_000;
const FAILURES_MAX = 1000;
/** When to ask again for the result of another process's scan: scans take up to a minute. */
const RUNNING_ELSEWHERE_RETRY_S = 30;
const FAILED =
  'The service could not finish this scan; the site is not to blame. It was not counted. Please try again.';

/** Scans without a key, by the form of the home page and over MCP. */
export class FreeScans {
  readonly #refunds: Refunds;
  readonly #runner: FreeScanRunner;
  /** Scans that are being looked up or started, by host. Other requests for the host wait for them. */
  readonly #starting = new Map<string, Promise<FreeScanTicket>>();
  /** Running scans of this process, by host. */
  readonly #running = new Map<string, RunningScan>();
  /** Until when the failure of a host's scan is reported: ISO 8601, UTC. */
  readonly #failures = new BoundedMap<string, string>(FAILURES_MAX);

  constructor(private readonly context: FreeScansContext) {
    this.#refunds = context.refunds ?? createRefunds();
    this.#runner = new FreeScanRunner(context);
  }

  /**
   * Starts a scan, joins this process's running one of the host, or returns the last result of this hour. While another process scans the
   * host, `done` rejects with `overloaded`.
   *
   * After a minute, a result without a score is replaced, and so is any result for the address that asked first. Over a limit, the caller
   * gets the last result. Only a scan that starts counts. A scan that sends no request counts for its caller only, and so does a name that
   * the guard refuses; an IP address that it refuses does not count.
   * @param request.acceptsCached true if the caller never replaces a result of the last hour
   * @throws InputError for what is not a public site; RateLimitError over a limit
   */
  async start(request: ScanRequest & { readonly acceptsCached?: boolean }): Promise<FreeScanTicket> {
    const { clientAddress, acceptsCached = false } = request;
    const site = await this.#parse(request.site);
    const { hostname } = site;
    for (;;) {
      const other = await this.#starting.get(hostname)?.catch(() => null);
      if (other) return other;
      if (!this.#starting.has(hostname)) break;
    }
    const own = this.#findOrStart(site, clientAddress, acceptsCached).finally(() => this.#starting.delete(hostname));
    this.#starting.set(hostname, own);
    return own;
  }

  /**
   * Repeats checks for a reader who has fixed what they found. Nothing is stored. However many checks there are, they count as one scan.
   * @throws as `start`; ServiceError if the checks could not be made because of a fault of ours
   */
  async verify(request: ScanRequest & { readonly checkIds: readonly string[] }): Promise<VerifiedChecks> {
    const { checkIds, clientAddress } = request;
    const site = await this.#parse(request.site);
    return this.#withCharge(site, clientAddress, async (charge) => {
      const { findings, finishedAt, siteRequestCount } = await this.#runner.run(site.origin, clientAddress, (target) =>
        this.context.scan(target, undefined, checkIds),
      );
      if (findings.length === 0)
        throw new ServiceError('internal_error', { cause: new Error(`no check of ${checkIds.join()}`) });
      await charge.settle(siteRequestCount);
      return { hostname: site.hostname, origin: site.origin.origin, findings, finishedAt: finishedAt.toISOString() };
    });
  }

  /**
   * Scans a site as it is, and as if this file were served. Nothing is stored, and both count as one scan.
   * @throws as `verify`
   */
  async tryFile(
    request: ScanRequest & {
      readonly file: OverlayFile & { readonly path: string };
      readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
    },
  ): Promise<TriedFile> {
    const site = await this.#parse(request.site);
    const { file, clientAddress, onProgress } = request;
    const { path, ...served } = file;
    const { pathname } = new URL(path, site.origin);
    return this.#withCharge(site, clientAddress, async (charge) => {
      const trial = await this.#runner.runTrial(site.origin, clientAddress, (target) =>
        this.context.tryFile(target, pathname, served, onProgress),
      );
      await charge.settle(trial.before.siteRequestCount + trial.after.siteRequestCount);
      return { hostname: site.hostname, trial };
    });
  }

  /** Returns the state of a host's scan; null if there was none in this hour. Starts nothing. */
  async find(hostname: string): Promise<FreeScanState | null> {
    if (!isSiteHostname(hostname)) return null;
    const running = this.#running.get(hostname);
    if (running) return { state: 'running', progress: running.progress };
    const found = await this.#read(hostname);
    if (found === 'running') return { state: 'running', progress: NO_PROGRESS };
    if (found) return { state: 'done', scan: found.scan };
    const failedUntil = this.#failures.get(hostname) ?? '';
    return this.context.clock.now().toISOString() < failedUntil ? { state: 'failed', message: FAILED } : null;
  }

  /** Refuses new scans; resolves when the running ones have ended: for the end of the process. */
  async close(): Promise<void> {
    await this.#runner.close();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  /** @throws InputError for what is not a site, and for one whose owner asked not to be scanned */
  async #parse(input: string): Promise<SiteAddress> {
    const site = parseSiteOfPage(input);
    await refuseExcluded(this.context.db, site.origin);
    return site;
  }

  #read(hostname: string) {
    return findScan(this.context.db, hostname, this.context.clock.now());
  }

  async #findOrStart(site: SiteAddress, clientAddress: string, acceptsCached: boolean): Promise<FreeScanTicket> {
    const { hostname } = site;
    const client = subjectOfAddress(clientAddress);
    const running = this.#running.get(hostname);
    if (running) return running;
    const found = await this.#read(hostname);
    if (found === 'running') return runningElsewhere(hostname);
    if (found && !found.isReplaceableBy(acceptsCached ? null : client)) return ticketOf(found.scan);
    try {
      return await this.#withCharge(site, clientAddress, async (charge) => {
        const request = { hostname, client, isReplacing: found !== null };
        const started = await startScan(this.context.db, request, this.context.clock.now());
        if (started) return this.#begin(site, clientAddress, started, charge);
        await charge.cancel();
        const other = await this.#read(hostname);
        return other === null || other === 'running' ? runningElsewhere(hostname) : ticketOf(other.scan);
      });
    } catch (error) {
      if (found && error instanceof RateLimitError) return ticketOf(found.scan);
      throw error;
    }
  }

  /** Vets the site and charges for one scan, then calls `begin`. Refunds if that fails. @throws RateLimitError; InputError */
  async #withCharge<T>(site: SiteAddress, clientAddress: string, begin: (charge: Charge) => Promise<T>): Promise<T> {
    const { vetSite } = this.context;
    const isLiteral = literalAddressOf(site.origin.hostname) !== null;
    // Refusing an address looks nothing up and writes nothing.
    if (isLiteral && !(await vetSite(site.origin))) throw new InputError(REFUSED_TARGET);
    const charge = await this.#charge(site, clientAddress);
    try {
      if (await vetSite(site.origin)) return await begin(charge);
    } catch (error) {
      await charge.cancel(error);
      throw error;
    }
    // It counts for its caller: the name may have been looked up, and names could be tried without end otherwise.
    await charge.settle(0);
    throw new InputError(describeRefusal(site.origin));
  }

  /**
   * Charges for one scan, and for as many requests to the site's domain as a scan may send.
   * @throws RateLimitError over a limit; then nothing is consumed
   */
  async #charge({ origin, hostname }: SiteAddress, clientAddress: string): Promise<Charge> {
    const requests = networkLimits('anonymous-requests', clientAddress, siteKey(origin)).map((limit) => ({
      ...limit,
      count: SCAN_LIMITS.requestsMax,
    }));
    const scans = [
      ...networkLimits('free-scan', clientAddress),
      ...networkLimits('host-scans', clientAddress, hostname),
    ];
    const refund = await consume(this.context.db, [...scans, ...requests], this.context.clock.now());
    const refundUnused = (requestCount: number, scansOf: (limit: Limit) => number) =>
      this.#refunds.make(() => refund((limit) => (scans.includes(limit) ? scansOf(limit) : requestCount)));
    return {
      settle: (requestCount) =>
        refundUnused(requestCount, ({ name }) => (requestCount > 0 || name === 'free-scan' ? 1 : 0)),
      cancel: (error) => refundUnused(requestsBefore(error), () => 0),
    };
  }

  #begin(site: SiteAddress, clientAddress: string, started: StartedScan, charge: Charge): FreeScanTicket {
    const { db, clock, scan: scanSite, onFailure } = this.context;
    const { hostname, origin } = site;
    const running = new RunningScan(hostname, async (onProgress) => {
      try {
        const report = await this.#runner.run(origin, clientAddress, (target) => scanSite(target, onProgress));
        const scan = freeScanOf(site, report);
        await storeScan(db, started, scan);
        await charge.settle(report.siteRequestCount);
        return scan;
      } catch (error) {
        this.#failures.set(hostname, laterThan(clock.now(), FAILURE_SHOWN_MS));
        await Promise.all([this.#refunds.make(() => forgetScan(db, started)), charge.cancel(error)]);
        onFailure?.(error);
        throw error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
      } finally {
        this.#running.delete(hostname);
      }
    });
    this.#running.set(hostname, running);
    return running;
  }
}

/** Returns how many requests had reached the site before the scan failed, as far as that is known. */
function requestsBefore(error: unknown): number {
  return error instanceof ServiceError && error.cause instanceof OutOfSlots ? error.cause.siteRequestCount : 0;
}

function ticketOf(scan: FreeScan): FreeScanTicket {
  return { hostname: scan.hostname, done: Promise.resolve(scan), isFresh: false, follow: () => () => undefined };
}

/** A scan of another process. It is neither waited for nor repeated here. */
function runningElsewhere(hostname: string): FreeScanTicket {
  const done = Promise.reject(new ServiceError('overloaded', { retryAfterS: RUNNING_ELSEWHERE_RETRY_S }));
  // Pages ignore it.
  done.catch(() => undefined);
  return { hostname, done, isFresh: false, follow: () => () => undefined };
}
