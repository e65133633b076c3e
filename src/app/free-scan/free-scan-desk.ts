import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError, TooSoonError } from '../../platform/input-error.js';
import { REFUSED_TARGET } from '../../scanner/gather/guard/refusal.js';
import type { SiteAddress } from '../sites/site-input.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/scan/scan.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import type { FreeScan, FreeScanState, FreeScanTicket } from './free-scan.js';
import { FreeScanCharges } from './free-scan-charges.js';
import { FreeScanJob } from './free-scan-job.js';
import type { Claim, FreeScanCache } from './free-scan-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Slots } from '../../platform/slots.js';
import type { StartTimer } from '../../platform/timer.js';

export interface DeskDeps {
  readonly clock: Clock;
  readonly scan: Scanner;
  /** The slots that all scans of this process share. */
  readonly slots: Slots;
  /** The share of these that scans without a key may have. */
  readonly ownSlots: Slots;
  /** Whether the guard lets anybody scan this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  readonly rateLimits: RateLimits;
  readonly cache: FreeScanCache;
  /** Hears why a scan failed after it was admitted: for the log. */
  readonly onFailure: ((error: unknown) => void) | undefined;
  readonly startTimer: StartTimer;
}

const POLL_EVERY_MS = 1000;
const FAILURE_TOLD_MS = 60_000;

const FAILED =
  'The service could not finish this scan; the site is not to blame. It was not counted. Please try again.';

/** The scans that go on in this process. */
export class FreeScanDesk {
  readonly #jobs = new Map<string, FreeScanJob>();
  /** The scans of other processes that somebody here waits for: one question a second for each, however many wait. */
  readonly #others = new Map<string, FreeScanJob>();
  readonly #failures: Failures;

  constructor(private readonly deps: DeskDeps) {
    this.#failures = new Failures(deps.clock);
  }

  /** The scan of this host that goes on, or the result that is kept; null when there is neither. */
  async join(hostname: string): Promise<FreeScanTicket | null> {
    const job = this.#jobs.get(hostname);
    if (job) return job;
    const seen = await this.deps.cache.look(hostname);
    if (seen === 'claimed') return this.#joinOther(hostname);
    return seen && { hostname, done: Promise.resolve(seen), isFresh: false, onProgress: () => () => undefined };
  }

  async startAnew(site: SiteAddress, clientAddress: string): Promise<FreeScanTicket> {
    const charges = new FreeScanCharges(this.deps.rateLimits);
    try {
      await charges.takeForAddress(clientAddress);
      if (!(await this.deps.vetSite(site.origin))) throw new InputError(REFUSED_TARGET);
      await charges.takeForAll();
      const claim = await this.deps.cache.claim(site.hostname);
      if (claim) return this.#begin(site, claim, charges);
    } catch (error) {
      // A refused target stays counted: its name was looked up, and names could be tried without end otherwise.
      if (!(error instanceof InputError) || error instanceof TooSoonError) await charges.giveBack();
      throw error;
    }
    // Another process was quicker.
    await charges.giveBack();
    const ticket = await this.join(site.hostname);
    if (!ticket) throw new ServiceError('overloaded');
    return ticket;
  }

  async find(hostname: string): Promise<FreeScanState | null> {
    const job = this.#jobs.get(hostname);
    if (job) return { state: 'running', progress: job.progress };
    const seen = await this.deps.cache.look(hostname);
    if (seen === 'claimed') return { state: 'running', progress: NO_PROGRESS };
    if (seen) return { state: 'done', scan: seen };
    return this.#failures.has(hostname) ? { state: 'failed', message: FAILED } : null;
  }

  async settle(): Promise<void> {
    await Promise.allSettled([...this.#jobs.values()].map(({ done }) => done));
  }

  #begin(site: SiteAddress, claim: Claim, charges: FreeScanCharges): FreeScanTicket {
    const { hostname } = site;
    const job = new FreeScanJob(hostname, async (onProgress) => {
      try {
        const scan = await this.#scan(site, onProgress);
        await this.deps.cache.keep(claim, scan);
        return scan;
      } catch (error) {
        // Whatever failed was neither the caller's fault nor the site's.
        this.#failures.add(hostname);
        await Promise.all([this.deps.cache.release(claim), charges.giveBack()]);
        this.deps.onFailure?.(error);
        throw error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
      } finally {
        this.#jobs.delete(hostname);
      }
    });
    this.#jobs.set(hostname, job);
    return job;
  }

  async #scan({ origin, hostname }: SiteAddress, onProgress: (progress: ScanProgress) => void): Promise<FreeScan> {
    const { ownSlots, slots, scan } = this.deps;
    const target = { origin, isOwnershipVerified: false };
    const report = await ownSlots.run(() => slots.run(() => scan(target, onProgress)));
    const { score, startedAt, finishedAt, findings } = report;
    return { hostname, score, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString(), findings };
  }

  /** A scan that another process does; its steps cannot be seen from here. */
  #joinOther(hostname: string): FreeScanTicket {
    const known = this.#others.get(hostname);
    if (known) return known;
    const job = new FreeScanJob(hostname, () =>
      this.#waitForOther(hostname).finally(() => this.#others.delete(hostname)),
    );
    this.#others.set(hostname, job);
    return job;
  }

  async #waitForOther(hostname: string): Promise<FreeScan> {
    for (;;) {
      await new Promise<void>((resolve) => this.deps.startTimer(resolve, POLL_EVERY_MS));
      const seen = await this.deps.cache.look(hostname);
      if (seen === null) throw new ServiceError('overloaded');
      if (seen !== 'claimed') return seen;
    }
  }
}

/** The hosts whose scan failed of late. */
class Failures {
  /** Until when each is told, in the order in which they failed. */
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  add(hostname: string): void {
    this.#dropOld();
    this.#untilMs.delete(hostname);
    this.#untilMs.set(hostname, this.clock.now().getTime() + FAILURE_TOLD_MS);
  }

  has(hostname: string): boolean {
    this.#dropOld();
    return this.#untilMs.has(hostname);
  }

  #dropOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [hostname, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) return;
      this.#untilMs.delete(hostname);
    }
  }
}
