import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { SharedWatch } from '../../platform/shared-watch.js';
import type { StartTimer } from '../../platform/timer.js';
import { deleteJob, type JobRow, lockJob, selectJob, selectJobsOfSite } from '../../queue/job-statements.js';
import { addJob } from '../../queue/jobs.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { latestNumberOf, type Site, type SiteOfAccount } from '../sites/site.js';
import { admitTo, holdSiteToRun } from './admission.js';
import type { QueuedTrigger } from './run.js';

/** How a run that a person started is doing. */
export type ManualRun =
  | { readonly state: 'running'; readonly startedAt: string; readonly progress: ScanProgress }
  /** No fault of the person's or the site's: `message` is fixed text, and says whether it counts towards the day's runs. */
  | { readonly state: 'failed'; readonly message: string };

/** A run by schedule, or after a deploy. */
export interface AutomaticRun {
  readonly trigger: QueuedTrigger;
  /** When it begins at the earliest. ISO 8601, UTC. */
  readonly runAfter: string;
  /** Whether it is running. */
  readonly isInHand: boolean;
}

/** What waits or is under way for a site; a run by hand also when it failed a moment ago. */
export interface LiveRuns {
  readonly manual: ManualRun | null;
  /** The first of them. */
  readonly automatic: AutomaticRun | null;
}

/** A run that ended is stored as `number`; null where its site has none yet. */
export type WatchedRun = ManualRun | { readonly state: 'finished'; readonly number: number | null };

/** How long a failure is shown to the person who started the run. */
export const FAILURE_SHOWN_MS = 60_000;

/** What the job of a failed run shows. */
export interface Failure {
  readonly failed: string;
}

export const FAILURE: Failure = {
  failed:
    'The run failed because of a fault on our side. It does not count towards today’s runs. Try again in a minute.',
};
export const STARVED: Failure = {
  failed:
    'Other runs kept this one waiting at the site’s address until its time was up, and not for the first time today. It counts ' +
    'towards today’s runs. Try again later.',
};

/** What the job of a run shows: how far it is, or why it failed. */
export function parseProgress(progress: string | null): ScanProgress | Failure {
  if (progress === null) return NO_PROGRESS;
  const parsed = JSON.parse(progress) as Partial<ScanProgress> | Failure;
  // A worker of an earlier version does not say all.
  return 'failed' in parsed ? parsed : { ...NO_PROGRESS, ...parsed };
}

export interface ManualRunsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** Runs that a person starts and watches. A worker performs them, of this process or another. */
export class ManualRuns {
  readonly #watches: SharedWatch<WatchedRun>;

  constructor(private readonly deps: ManualRunsDeps) {
    const { startTimer } = deps;
    this.#watches = new SharedWatch({
      // A database that is away says nothing of the run.
      look: (siteId) => this.#see(siteId),
      isOver: ({ state }) => state !== 'running',
      ...(startTimer && { startTimer }),
    });
  }

  /**
   * Queues a run, or joins the site's run that waits or is under way, which takes nothing from the budget.
   * @throws ServiceError site_not_found (for another account's site too), domain_not_verified, daily_runs_exceeded
   */
  async start(request: SiteOfAccount): Promise<void> {
    const { db, clock } = this.deps;
    if (!isId('site', request.siteId)) throw new ServiceError('site_not_found');
    try {
      await db.transaction(() => queueRun(request, clock.now()));
    } catch (error) {
      if (error instanceof Joined) return;
      throw error instanceof ServiceError && error.code === 'site_not_owned'
        ? new ServiceError('site_not_found')
        : error;
    }
  }

  /** Null when the site has no run that waits, is under way or failed a moment ago. The caller has checked whose site it is. */
  async find(siteId: string): Promise<ManualRun | null> {
    const job = isId('site', siteId)
      ? await runOne(this.deps.db, selectJob({ kind: 'MANUAL', key: siteId }))
      : undefined;
    return job ? manualRunOf(job) : null;
  }

  /** Those of every kind, of a site of any account. @throws ServiceError site_not_found where it is not the id of one */
  async live({ siteId }: Pick<SiteOfAccount, 'siteId'>): Promise<LiveRuns> {
    if (!isId('site', siteId)) throw new ServiceError('site_not_found');
    const jobs = await this.deps.db.run(selectJobsOfSite({ site_id: siteId, queue: 'runs' }));
    const manual = jobs.find(({ kind }) => kind === 'MANUAL');
    const automatic = jobs.filter((job) => job !== manual);
    const first = automatic.find(({ lease }) => lease !== null) ?? automatic[0];
    return { manual: manual ? manualRunOf(manual) : null, automatic: first ? automaticRunOf(first) : null };
  }

  /** Calls the listener now and then until the run has ended, with how it is. @returns what ends it */
  watch(siteId: string, listener: (run: WatchedRun) => void): () => void {
    return this.#watches.watch(siteId, listener);
  }

  async #see(siteId: string): Promise<WatchedRun> {
    const run = await this.find(siteId);
    if (run) return run;
    const latest = await runApart(this.deps.db, latestNumberOf(siteId));
    return { state: 'finished', number: latest === undefined || latest === 0 ? null : latest };
  }
}

function manualRunOf(job: JobRow): ManualRun {
  const progress = parseProgress(job.progress);
  return 'failed' in progress
    ? { state: 'failed', message: progress.failed }
    : { state: 'running', startedAt: job.requested_at, progress };
}

function automaticRunOf({ kind, run_after: runAfter, lease }: JobRow): AutomaticRun {
  return { trigger: kind as QueuedTrigger, runAfter, isInHand: lease !== null };
}

/**
 * Queues the run of a site whose owner has just proved it, as if they had started it. Where the day's runs are used up (by an earlier site
 * on this host) they start it later. Nothing else can start one meanwhile: for everybody else the site is not verified yet.
 */
export function* queueFirstRun({ accountId, id: siteId }: Site, now: Date): Transaction<void> {
  try {
    yield* queueRun({ accountId, siteId }, now);
  } catch (error) {
    if (error instanceof Joined) return;
    if (!(error instanceof ServiceError && error.code === 'daily_runs_exceeded')) throw error;
  }
}

/** Another run of the site is there: it will do. */
class Joined extends Error {
  override readonly name = 'Joined';
}

/** @throws Joined, which undoes the charge */
function* queueRun({ accountId, siteId }: SiteOfAccount, now: Date): Transaction<void> {
  // Before its job, as in a removal: in the other order the two could wait for each other.
  const site = yield* holdSiteToRun({ accountId, siteId });
  const name = { kind: 'MANUAL', key: siteId };
  const job = yield* one(lockJob(name));
  if (job) {
    if (!('failed' in parseProgress(job.progress))) throw new Joined();
    yield* execute(deleteJob(name));
  }
  yield* admitTo(site, { trigger: 'MANUAL', now });
  if (!(yield* addJob({ queue: 'runs', ...name, accountId, siteId, runAfter: now }, now))) throw new Joined();
}
