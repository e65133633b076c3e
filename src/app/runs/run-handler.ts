import { type Clock, timeAfter, utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import type { ClaimedJob, JobHandler } from '../../queue/job.js';
import { finishJob, retryJob } from '../../queue/jobs.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { isForgiven } from '../limits/starved-scans.js';
import { readSite } from '../sites/site.js';
import { FAILURE, FAILURE_SHOWN_MS, parseProgress, STARVED } from './manual-runs.js';
import { giveBackRun } from '../limits/daily-runs.js';
import { retryDelayMs } from './retry-delay.js';
import { isSiteRemoved, type PerformRun } from './run-performer.js';
import type { QueuedTrigger } from './run.js';
import { labelOfRow } from './run-label.js';
import { deleteNextLabels, selectNextLabel } from './run-label-statements.js';

/** A queued run, as log and metrics name it. */
interface QueuedRun {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
}

/** Hears what becomes of queued runs that fail: for log and metrics. */
export interface RunHandlerObserver {
  /** It is tried again. */
  retried(run: QueuedRun, cause: unknown): void;
  givenUp(run: QueuedRun, cause: unknown): void;
}

export interface RunHandlerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly observer: RunHandlerObserver;
  readonly rateLimits?: RateLimits;
}

/** A run is tried so often before it is given up. */
export const RUN_ATTEMPTS_MAX = 3;

const RETRY_AFTER_MS = 15_000;
const NO_SLOT_RETRY_MS = 5000;

/** Performs the queued runs of one trigger: scans the site and stores the run in the transaction that ends the job. */
export class RunHandler implements JobHandler {
  readonly attemptsMax = RUN_ATTEMPTS_MAX;

  constructor(
    private readonly trigger: QueuedTrigger,
    private readonly deps: RunHandlerDeps,
  ) {}

  async perform(job: ClaimedJob, report: (progress: object) => void): Promise<void> {
    const { db, clock, performRun } = this.deps;
    // Deployments that come from now on name the run after this one.
    const begunAt = clock.now();
    // A job that was only left to show its failure has done so.
    const isOver = 'failed' in parseProgress(job.progress);
    const site = isOver ? undefined : await runApart(db, readSite(job.key));
    // Its ownership may have been lost since it was queued.
    if (!site?.verifiedAt) {
      await db.transaction(() => finishJob(job, clock.now()));
      return;
    }
    const next =
      this.trigger === 'POST_DEPLOY'
        ? await runOne(db, selectNextLabel({ site_id: site.id, now: begunAt.toISOString() }))
        : undefined;
    await performRun({
      ...{ siteId: site.id, accountId: site.accountId, origin: site.origin, trigger: this.trigger },
      ...(next && { label: labelOfRow(next) }),
      onProgress: report,
      *atFinish() {
        if (next) yield* execute(deleteNextLabels({ site_id: site.id, upto: next.due_at }));
        yield* finishJob(job, clock.now());
      },
    });
  }

  async failed(job: ClaimedJob, cause: unknown): Promise<void> {
    const { db, clock, observer } = this.deps;
    const run = { siteId: job.key, trigger: this.trigger };
    // Its job went with the site.
    if (isSiteRemoved(cause)) return;
    const retryIn = (ms: number, attempts = job.attempts) =>
      db.transaction(() => retryJob(job, { runAfter: timeAfter(clock.now(), ms), attempts }));
    if (isWithoutSlot(cause)) {
      await retryIn(retryDelayMs(job.key, NO_SLOT_RETRY_MS), job.attempts - 1);
    } else if (this.trigger !== 'MANUAL' && job.attempts < RUN_ATTEMPTS_MAX) {
      observer.retried(run, cause);
      await retryIn(retryDelayMs(job.key, RETRY_AFTER_MS, job.attempts));
    } else {
      observer.givenUp(run, cause);
      await this.#giveUp(job, cause);
    }
  }

  /** The failure of a run by hand is shown for a while, and it rarely counts; a call of a deploy hook counts. */
  async #giveUp(job: ClaimedJob, cause: unknown): Promise<void> {
    const { db, clock, rateLimits = createRateLimits({ db, clock }) } = this.deps;
    if (this.trigger === 'MANUAL') {
      const isReturned = await isForgiven(cause, job.accountId ?? job.key, rateLimits);
      await db.transaction(() => showFailure(job, clock.now(), isReturned));
    } else await db.transaction(() => finishJob(job, clock.now()));
  }
}

/** @param isReturned whether the day gets the run back */
function* showFailure(job: ClaimedJob, now: Date, isReturned: boolean): Transaction<void> {
  const progress = isReturned ? FAILURE : STARVED;
  // The job first: a start locks the two in this order.
  yield* retryJob(job, { runAfter: timeAfter(now, FAILURE_SHOWN_MS), attempts: 0, progress });
  if (isReturned) yield* giveBackRun(job.key, 'MANUAL', utcDay(job.requestedAt));
}

/** Whether nothing was tried: no slot was free. Whatever failed later, by the database or for lack of places, has a cause. */
function isWithoutSlot(cause: unknown): boolean {
  return cause instanceof ServiceError && cause.code === 'overloaded' && cause.cause === undefined;
}
