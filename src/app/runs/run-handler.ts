import { createHash } from 'node:crypto';
import { timeAfter, utcDay } from '../../platform/clock.js';
import { foundNoSlot } from '../../platform/slots.js';
import { finishJob, type Job, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { Tx } from '../../store/database.js';
import type { Context } from '../context.js';
import { refundDailyRun } from '../limits/daily-runs.js';
import { readSite } from '../sites/site.js';
import { FAILURE, FAILURE_SHOWN_MS, parseProgress } from './manual-runs.js';
import type { QueuedTrigger } from './run.js';
import { nextLabel } from './run-label.js';
import { isSiteRemoved, type PerformRun } from './run-performer.js';

interface QueuedRun {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
}

/** Observes queued runs that fail. */
export interface RunHandlerObserver {
  retried(run: QueuedRun, cause: unknown): void;
  abandoned(run: QueuedRun, cause: unknown): void;
}

export interface RunHandlerContext extends Pick<Context, 'db' | 'clock'> {
  readonly performRun: PerformRun;
  readonly observer: RunHandlerObserver;
}

export const RUN_ATTEMPTS_MAX = 3;

const RETRY_AFTER_MS = 15_000;
const NO_SLOT_RETRY_MS = 5000;

/** Performs the queued runs of one trigger: scans the site and stores the run in the transaction that ends the job. */
export class RunHandler implements JobHandler {
  readonly attemptsMax = RUN_ATTEMPTS_MAX;

  constructor(
    private readonly trigger: QueuedTrigger,
    private readonly context: RunHandlerContext,
  ) {}

  async perform(job: Job, report: (progress: object) => void): Promise<void> {
    const { db, clock, performRun } = this.context;
    // Deployments that are live from now on label the next run.
    const startedAt = clock.now();
    const isFailureShown = 'failed' in parseProgress(job.progress);
    const site = isFailureShown ? undefined : await readSite(db, job.key);
    // The ownership may have ended since the run was queued.
    if (!site?.verifiedAt) {
      await db.transaction((tx) => finishJob(tx, job, clock.now()));
      return;
    }
    await performRun({
      siteId: site.id,
      accountId: site.accountId,
      origin: site.origin,
      chosenPages: site.chosenPages,
      trigger: this.trigger,
      label: nextLabel(job.payload, startedAt),
      onProgress: report,
      atFinish: (tx) => finishJob(tx, job, clock.now()),
    });
  }

  async failed(job: Job, cause: unknown): Promise<void> {
    const { db, clock, observer } = this.context;
    const run = { siteId: job.key, trigger: this.trigger };
    // The job was deleted with the site.
    if (isSiteRemoved(cause)) return;
    const retryIn = (ms: number, attempts = job.attempts) =>
      db.transaction((tx) => retryJob(tx, job, timeAfter(clock.now(), ms), { attempts }));
    if (foundNoSlot(cause)) {
      await retryIn(retryDelayMs(job.key, NO_SLOT_RETRY_MS), job.attempts - 1);
    } else if (this.trigger !== 'MANUAL' && job.attempts < RUN_ATTEMPTS_MAX) {
      observer.retried(run, cause);
      await retryIn(retryDelayMs(job.key, RETRY_AFTER_MS, job.attempts));
    } else {
      observer.abandoned(run, cause);
      await db.transaction((tx) => this.#giveUp(tx, job, clock.now()));
    }
  }

  /** Shows the failure of a manual run for a while, and gives the run back to the day. A deploy hook's call still counts. */
  async #giveUp(tx: Tx, job: Job, now: Date): Promise<void> {
    if (this.trigger !== 'MANUAL') {
      await finishJob(tx, job, now);
      return;
    }
    // The job first: a start locks the two in this order.
    await retryJob(tx, job, timeAfter(now, FAILURE_SHOWN_MS), { attempts: 0, progress: JSON.stringify(FAILURE) });
    const site = await readSite(tx, job.key);
    if (site) await refundDailyRun(tx, site, 'MANUAL', utcDay(new Date(job.requested_at)));
  }
}

/**
 * Returns how long a queued run waits for its next attempt: twice as long after each, and up to twice that by its key, so that runs that
 * failed together are not repeated together.
 * @param attempt that failed; 1 for the first
 */
function retryDelayMs(key: string, firstMs: number, attempt = 1): number {
  const spread = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(firstMs * 2 ** (attempt - 1) * (1 + spread));
}
