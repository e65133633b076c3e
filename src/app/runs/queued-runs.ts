import { ServiceError } from '../../platform/errors.js';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { addJob, type Job, jobs, lockJob } from '../../queue/jobs.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import type { Context } from '../context.js';
import { runsLeft } from '../limits/daily-runs.js';
import { BulkChange, type BulkOutcome } from '../sites/bulk-change.js';
import { listSitesAmong, type Site, type SiteOfAccount } from '../sites/site.js';
import { admitRun, lockSiteToRun } from './run-performer.js';
import type { QueuedTrigger } from './run.js';

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
export const FAILURE_SHOWN_MS = 60_000;

/** The progress of a failed run. */
export interface Failure {
  readonly failed: string;
}

export const FAILURE: Failure = {
  failed:
    'The run failed because of a fault on our side. It does not count towards today’s runs. Try again in a minute.',
};

/** Parses the progress of a run's job. */
export function parseProgress(progress: string | null): ScanProgress | Failure {
  return progress === null ? NO_PROGRESS : (JSON.parse(progress) as ScanProgress | Failure);
}

/** The queued runs of a site, in order of their due time. */
const selectQueuedRuns = defineQuery<Job, { site_id: string }>((sql, { site_id }) =>
  sql('jobs').where({ site_id, queue: 'runs' }).orderBy('run_after'),
);

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

/** Queues runs that people start. */
export class ManualRuns {
  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {}

  /**
   * Queues a run, or joins the manual run that the site already has.
   * @returns true if a run was queued
   * @throws ServiceError site_not_found (for another account's site too), domain_not_verified, daily_runs_exceeded
   */
  async start(request: SiteOfAccount): Promise<boolean> {
    const { db, clock } = this.context;
    if (!isId('site', request.siteId)) throw new ServiceError('site_not_found');
    try {
      return await db.transaction((tx) => queueManualRun(tx, request, clock.now()));
    } catch (error) {
      throw error instanceof ServiceError && error.code === 'site_not_owned'
        ? new ServiceError('site_not_found')
        : error;
    }
  }

  /** Queues a run of each site, or joins the one that it has. */
  async startMany(accountId: string, siteIds: readonly string[]): Promise<BulkOutcome> {
    const sites = await listSitesAmong(this.context.db, accountId, siteIds);
    const change = new BulkChange();
    for (const { id: siteId, hostname } of sites) {
      await change.add(hostname, () => this.start({ accountId, siteId }).catch(explainRefusal));
      await yieldToEventLoop();
    }
    return change;
  }

  /** Returns the site's runs of every kind. Does not check the owner. @throws ServiceError site_not_found for an invalid id */
  async pendingRuns({ siteId }: Pick<SiteOfAccount, 'siteId'>): Promise<PendingRuns> {
    if (!isId('site', siteId)) throw new ServiceError('site_not_found');
    const queued = await this.context.db.run(selectQueuedRuns({ site_id: siteId }));
    const manual = queued.find(({ kind }) => kind === 'MANUAL');
    const automatic = queued.filter((job) => job !== manual);
    const first = automatic.find(({ lease }) => lease !== null) ?? automatic[0];
    return { manual: manual ? toManualRun(manual) : null, automatic: first ? toAutomaticRun(first) : null };
  }
}

function toManualRun(job: Job): ManualRun {
  const progress = parseProgress(job.progress);
  return 'failed' in progress
    ? { state: 'failed', message: progress.failed }
    : { state: 'running', startedAt: job.requested_at, progress };
}

function toAutomaticRun({ kind, run_after: runAfter, lease }: Job): AutomaticRun {
  return { trigger: kind as QueuedTrigger, runAfter, isRunning: lease !== null };
}

/**
 * Queues the first run of a site that was just verified. If an earlier site on this host has used up today's manual runs, the owner starts
 * it later.
 */
export async function queueFirstRun(tx: Tx, site: Site, now: Date): Promise<void> {
  const { accountId, id: siteId } = site;
  const left = await runsLeft(tx, site, 'MANUAL', now);
  // No run takes the last one in between: until this transaction ends, no other request sees that the site is verified.
  if (left?.remaining !== 0) await queueManualRun(tx, { accountId, siteId }, now);
}

/** @returns false if the site has a manual run already */
async function queueManualRun(tx: Tx, { accountId, siteId }: SiteOfAccount, now: Date): Promise<boolean> {
  // The site before its job, as in a removal, so that the two cannot wait for each other.
  const site = await lockSiteToRun(tx, { accountId, siteId });
  const name = { kind: 'MANUAL', key: siteId };
  const job = await tx.one(lockJob(name));
  if (job && !('failed' in parseProgress(job.progress))) return false;
  if (job) await tx.run(jobs.delete(name));
  const due = { account_id: accountId, site_id: siteId, run_after: now.toISOString() };
  if (!(await addJob(tx, { queue: 'runs', ...name, ...due }, now))) return false;
  await admitRun(tx, site, 'MANUAL', now);
  return true;
}
