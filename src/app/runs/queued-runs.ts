import { timeAfter } from '../../platform/clock.js';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { InputError, ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { foundNoSlot } from '../../platform/slots.js';
import { addJob, finishJob, type Job, jobs, lockJob, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Tx } from '../../store/database.js';
import type { Context } from '../context.js';
import { chargeDailyRun, refundDailyRun, runsLeft } from '../limits/limits.js';
import { type BulkOutcome, changeEach } from '../sites/bulk-change.js';
import { findOwnSites, lockOwnSite, readSite, type Site, type SiteOfAccount } from '../sites/site.js';
import { assertVerified, type PerformRun, type RunObserver } from './run-performer.js';
import { labelFromPayload, type QueuedTrigger } from './run.js';

export type ManualRun =
  | { readonly state: 'running'; readonly startedAt: string; readonly progress: ScanProgress }
  /** The service failed, so the daily run was refunded. */
  | { readonly state: 'failed'; readonly message: string };

/** A run started by a schedule or a deploy hook. */
export type AutomaticRun = ReturnType<typeof toAutomaticRun>;

/** How long the job of a failed manual run stays queued, with a {@link Failure} as its progress, so that the page can show the failure. */
const FAILURE_SHOWN_MS = 60_000;

interface Failure {
  readonly failed: string;
}

const FAILURE: Failure = {
  failed:
    'The run failed because of a fault on our side. It does not count towards today’s runs. Try again in a minute.',
};

const SHOWN_COLUMNS = ['kind', 'lease', 'progress', 'requested_at', 'run_after'] as const;
type ShownJob = Pick<Job, (typeof SHOWN_COLUMNS)[number]>;

function parseProgress({ progress }: Pick<Job, 'progress'>): ScanProgress | Failure {
  return progress === null ? NO_PROGRESS : (JSON.parse(progress) as ScanProgress | Failure);
}

/** Why a bulk start skipped a site, by error code. */
const SKIP_REASONS: Readonly<Partial<Record<string, string>>> = {
  domain_not_verified: 'Not verified yet: verify the site first.',
  daily_runs_exceeded: 'All of today’s manual runs are used. The limit resets at 00:00 UTC.',
  site_not_found: 'It was removed in the meantime.',
};

function rethrowAsInputError(error: unknown): never {
  const reason = error instanceof ServiceError ? SKIP_REASONS[error.code] : undefined;
  throw reason === undefined ? error : new InputError(reason);
}

export class ManualRuns {
  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {}

  /**
   * Queues a run, or joins the manual run that the site already has.
   * @returns true if a run was queued
   * @throws ServiceError site_not_found (also for another account's site), domain_not_verified, daily_runs_exceeded
   */
  async start(request: SiteOfAccount): Promise<boolean> {
    const { db, clock } = this.context;
    return db.transaction((tx) => queueManualRun(tx, request, clock.now()));
  }

  /** Calls {@link start} for each site. The outcome says why a site was skipped. */
  async startMany(accountId: string, siteIds: readonly string[]): Promise<BulkOutcome> {
    const sites = await findOwnSites(this.context.db, { accountId, siteIds });
    return changeEach(sites, async ({ id: siteId }) => {
      await yieldToEventLoop();
      return this.start({ accountId, siteId }).catch(rethrowAsInputError);
    });
  }

  /**
   * Returns the manual run that is queued, is running or has just failed, and the automatic run that is running or next. The caller must
   * check who owns the site.
   * @throws ServiceError site_not_found for an invalid id
   */
  async pendingRuns({ siteId }: Pick<SiteOfAccount, 'siteId'>) {
    if (!isId('site', siteId)) throw new ServiceError('site_not_found');
    const queued = await this.context.db.run(jobs.find({ site_id: siteId, queue: 'runs' }, SHOWN_COLUMNS, 'run_after'));
    const manual = queued.find(({ kind }) => kind === 'MANUAL');
    const automatic = queued.filter((job) => job !== manual);
    const first = automatic.find(({ lease }) => lease !== null) ?? automatic[0];
    return { manual: manual ? toManualRun(manual) : null, automatic: first ? toAutomaticRun(first) : null };
  }
}

/** `runAfter`: the earliest start of the run, ISO 8601, UTC. */
function toAutomaticRun({ kind, run_after: runAfter, lease }: ShownJob) {
  return { trigger: kind as QueuedTrigger, runAfter, isRunning: lease !== null };
}

function toManualRun(job: ShownJob): ManualRun {
  const progress = parseProgress(job);
  return 'failed' in progress
    ? { state: 'failed', message: progress.failed }
    : { state: 'running', startedAt: job.requested_at, progress };
}

/** Queues the first run of a newly verified site. Does nothing if a removed site on the same host has used up today's manual runs. */
export async function queueFirstRun(tx: Tx, site: Site, now: Date): Promise<void> {
  const { accountId, id: siteId } = site;
  const left = await runsLeft(tx, site, 'MANUAL', now);
  // Checking first is safe: other requests see the site as verified only after this transaction.
  if (left?.remaining !== 0) await queueManualRun(tx, { accountId, siteId }, now);
}

/** @returns false if the site already has a manual run */
async function queueManualRun(tx: Tx, request: SiteOfAccount, now: Date): Promise<boolean> {
  // The removal of a site uses the same lock order: site, then job.
  const site = await lockOwnSite(tx, request);
  const jobKey = { kind: 'MANUAL', key: site.id };
  const job = await tx.one(lockJob(jobKey));
  if (job && !('failed' in parseProgress(job))) return false;
  if (job) await tx.run(jobs.delete(jobKey));
  const details = { account_id: site.accountId, site_id: site.id, run_after: now.toISOString() };
  if (!(await addJob(tx, { queue: 'runs', ...jobKey, ...details }, now))) return false;
  assertVerified(site);
  await chargeDailyRun(tx, site, 'MANUAL', now);
  return true;
}

interface RunHandlerContext extends Pick<Context, 'db' | 'clock'> {
  readonly performRun: PerformRun;
  readonly observer: Pick<RunObserver, 'retried' | 'abandoned'>;
}

export const RUN_ATTEMPTS_MAX = 3;

const RETRY_AFTER_MS = 15_000;
const NO_SLOT_RETRY_MS = 5000;

/** Creates the handler that performs the queued runs of one trigger. It stores each run in the transaction that ends the job. */
export function createRunHandler(trigger: QueuedTrigger, context: RunHandlerContext): JobHandler {
  const { db, clock, performRun, observer } = context;
  return {
    attemptsMax: RUN_ATTEMPTS_MAX,
    async perform(job, onProgress) {
      const label = labelFromPayload(job.payload, clock.now());
      const endJob = (tx: Tx): Promise<void> => finishJob(tx, job, clock.now());
      const site = 'failed' in parseProgress(job) ? undefined : await readSite(db, job.key);
      // Ownership may have been lost since the run was queued.
      if (site?.verifiedAt) await performRun({ site, trigger, label, onProgress, beforeCommit: endJob });
      else await db.transaction(endJob);
    },
    async failed(job, cause) {
      const run = { siteId: job.key, trigger };
      // The job was deleted with the site.
      if (cause instanceof ServiceError && cause.code === 'site_not_found') return;
      const retryIn = (ms: number, attempts = job.attempts) =>
        db.transaction((tx) => retryJob(tx, job, timeAfter(clock.now(), ms), { attempts }));
      if (foundNoSlot(cause)) {
        await retryIn(retryDelayMs(NO_SLOT_RETRY_MS), job.attempts - 1);
      } else if (trigger !== 'MANUAL' && job.attempts < RUN_ATTEMPTS_MAX) {
        observer.retried(run, cause);
        await retryIn(retryDelayMs(RETRY_AFTER_MS, job.attempts));
      } else {
        observer.abandoned(run, cause);
        const endFailedJob = trigger === 'MANUAL' ? showFailure : finishJob;
        await db.transaction((tx) => endFailedJob(tx, job, clock.now()));
      }
    },
  };
}

/** Shows that a manual run has failed, and refunds the daily run. */
async function showFailure(tx: Tx, job: Job, now: Date): Promise<void> {
  // queueManualRun uses the same lock order: job, then daily runs.
  await retryJob(tx, job, timeAfter(now, FAILURE_SHOWN_MS), { attempts: 0, progress: JSON.stringify(FAILURE) });
  const site = await readSite(tx, job.key);
  if (site) await refundDailyRun(tx, site, 'MANUAL', new Date(job.requested_at));
}

/**
 * Returns the delay before the next attempt. The delay doubles after each failure. Up to 100% is added at random, so that runs that failed
 * together do not retry together.
 * @param attempt number of the failed attempt, from 1
 */
function retryDelayMs(firstMs: number, attempt = 1): number {
  return Math.floor(firstMs * 2 ** (attempt - 1) * (1 + Math.random()));
}
