import { timeAfter } from '../../platform/clock.js';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { foundNoSlot } from '../../platform/slots.js';
import { addJob, finishJob, type Job, jobs, lockJob, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Tx } from '../../store/database.js';
import type { Context } from '../context.js';
import { chargeDailyRun, refundDailyRun, runsLeft } from '../limits/daily-runs.js';
import { type BulkOutcome, changeEach } from '../sites/bulk-change.js';
import { findOwnSites, lockOwnSite, readSite, type Site, type SiteOfAccount } from '../sites/site.js';
import { assertVerified, type PerformRun } from './run-performer.js';
import { labelFromPayload, type QueuedTrigger } from './run.js';

/** The state of a run that a person started. */
export type ManualRun =
  | { readonly state: 'running'; readonly startedAt: string; readonly progress: ScanProgress }
  /** Our fault, so it does not count towards the day's runs: `message` is fixed text. */
  | { readonly state: 'failed'; readonly message: string };

/** A run by schedule, or after a deploy. */
export interface AutomaticRun {
  readonly trigger: QueuedTrigger;
  /** Earliest start. ISO 8601, UTC. */
  readonly runAfter: string;
  readonly isRunning: boolean;
}

/** Queued and running runs of a site, and a manual run that failed a moment ago. */
export interface PendingRuns {
  readonly manual: ManualRun | null;
  /** The first of them. */
  readonly automatic: AutomaticRun | null;
}

/** How long a failure is shown to the person who started the run. */
const FAILURE_SHOWN_MS = 60_000;

interface Failure {
  readonly failed: string;
}

const FAILURE: Failure = {
  failed:
    'The run failed because of a fault on our side. It does not count towards today’s runs. Try again in a minute.',
};

const SHOWN = ['kind', 'lease', 'progress', 'requested_at', 'run_after'] as const;
type ShownJob = Pick<Job, (typeof SHOWN)[number]>;

function parseProgress({ progress }: Pick<Job, 'progress'>): ScanProgress | Failure {
  return progress === null ? NO_PROGRESS : (JSON.parse(progress) as ScanProgress | Failure);
}

/** Why the run of one of many sites was not started, by error code. */
const NOT_STARTED: Readonly<Partial<Record<string, string>>> = {
  domain_not_verified: 'Not verified yet: verify the site first.',
  daily_runs_exceeded: 'All of today’s manual runs are used. They renew at 00:00 UTC.',
  site_not_found: 'It was removed in the meantime.',
};

function explainRefusal(error: unknown): never {
  const why = error instanceof ServiceError ? NOT_STARTED[error.code] : undefined;
  throw why === undefined ? error : new InputError(why);
}

export class ManualRuns {
  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {}

  /**
   * Queues a run, or joins the manual run that the site already has.
   * @returns true if a run was queued
   * @throws ServiceError site_not_found (for another account's site too), domain_not_verified, daily_runs_exceeded
   */
  async start(request: SiteOfAccount): Promise<boolean> {
    const { db, clock } = this.context;
    return db.transaction((tx) => queueManualRun(tx, request, clock.now()));
  }

  /** Queues a run of each site, or joins the one that it has. */
  async startMany(accountId: string, siteIds: readonly string[]): Promise<BulkOutcome> {
    const sites = await findOwnSites(this.context.db, { accountId, siteIds });
    return changeEach(sites, async ({ id: siteId }) => {
      await yieldToEventLoop();
      return this.start({ accountId, siteId }).catch(explainRefusal);
    });
  }

  /** Returns the site's runs of every kind. Does not check the owner. @throws ServiceError site_not_found for an invalid id */
  async pendingRuns({ siteId }: Pick<SiteOfAccount, 'siteId'>): Promise<PendingRuns> {
    if (!isId('site', siteId)) throw new ServiceError('site_not_found');
    const queued = await this.context.db.run(jobs.find({ site_id: siteId, queue: 'runs' }, SHOWN, 'run_after'));
    const manual = queued.find(({ kind }) => kind === 'MANUAL');
    const automatic = queued.filter((job) => job !== manual);
    const first = automatic.find(({ lease }) => lease !== null) ?? automatic[0];
    return { manual: manual ? toManualRun(manual) : null, automatic: first ? toAutomaticRun(first) : null };
  }
}

function toManualRun(job: ShownJob): ManualRun {
  const progress = parseProgress(job);
  return 'failed' in progress
    ? { state: 'failed', message: progress.failed }
    : { state: 'running', startedAt: job.requested_at, progress };
}

function toAutomaticRun({ kind, run_after: runAfter, lease }: ShownJob): AutomaticRun {
  return { trigger: kind as QueuedTrigger, runAfter, isRunning: lease !== null };
}

/**
 * Queues the first run of a site that was just verified. If an earlier site on this host has used up today's manual runs, the owner starts
 * it later.
 */
export async function queueFirstRun(tx: Tx, site: Site, now: Date): Promise<void> {
  const { accountId, id: siteId } = site;
  const left = await runsLeft(tx, site, 'MANUAL', now);
  // The last run cannot be used in between: until this transaction ends, no other request sees that the site is verified.
  if (left?.remaining !== 0) await queueManualRun(tx, { accountId, siteId }, now);
}

/** @returns false if the site has a manual run already */
async function queueManualRun(tx: Tx, request: SiteOfAccount, now: Date): Promise<boolean> {
  // The site before its job, as in a removal, so that the two cannot wait for each other.
  const site = await lockOwnSite(tx, request);
  const name = { kind: 'MANUAL', key: site.id };
  const job = await tx.one(lockJob(name));
  if (job && !('failed' in parseProgress(job))) return false;
  if (job) await tx.run(jobs.delete(name));
  const due = { account_id: site.accountId, site_id: site.id, run_after: now.toISOString() };
  if (!(await addJob(tx, { queue: 'runs', ...name, ...due }, now))) return false;
  assertVerified(site);
  await chargeDailyRun(tx, site, 'MANUAL', now);
  return true;
}

interface QueuedRun {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
}

export interface QueuedRunObserver {
  retried(run: QueuedRun, cause: unknown): void;
  abandoned(run: QueuedRun, cause: unknown): void;
}

export interface RunHandlerContext extends Pick<Context, 'db' | 'clock'> {
  readonly performRun: PerformRun;
  readonly observer: QueuedRunObserver;
}

export const RUN_ATTEMPTS_MAX = 3;

const RETRY_AFTER_MS = 15_000;
const NO_SLOT_RETRY_MS = 5000;

/** Performs the queued runs of one trigger: scans the site and stores the run in the transaction that ends the job. */
export function createRunHandler(trigger: QueuedTrigger, context: RunHandlerContext): JobHandler {
  const { db, clock, performRun, observer } = context;
  return {
    attemptsMax: RUN_ATTEMPTS_MAX,
    async perform(job, onProgress) {
      const label = labelFromPayload(job.payload, clock.now());
      const atFinish = (tx: Tx): Promise<void> => finishJob(tx, job, clock.now());
      const site = 'failed' in parseProgress(job) ? undefined : await readSite(db, job.key);
      // The ownership may have ended since the run was queued.
      if (site?.verifiedAt) await performRun({ site, trigger, label, onProgress, atFinish });
      else await db.transaction(atFinish);
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
        const end = trigger === 'MANUAL' ? showFailure : finishJob;
        await db.transaction((tx) => end(tx, job, clock.now()));
      }
    },
  };
}

/** Shows the failure of a manual run for a while, and gives the run back to the day. A deploy hook's call still counts. */
async function showFailure(tx: Tx, job: Job, now: Date): Promise<void> {
  // The job first: a start locks the two in this order.
  await retryJob(tx, job, timeAfter(now, FAILURE_SHOWN_MS), { attempts: 0, progress: JSON.stringify(FAILURE) });
  const site = await readSite(tx, job.key);
  if (site) await refundDailyRun(tx, site, 'MANUAL', new Date(job.requested_at));
}

/**
 * Returns how long a queued run waits for its next attempt: twice as long after each, and up to twice that at random, so that runs that
 * failed together are not repeated together.
 * @param attempt that failed; 1 for the first
 */
function retryDelayMs(firstMs: number, attempt = 1): number {
  return Math.floor(firstMs * 2 ** (attempt - 1) * (1 + Math.random()));
}
