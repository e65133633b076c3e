import { timeAfter } from '../platform/clock.js';
import { OutOfTime, type Pause, timeLimitedPause } from '../platform/concurrency.js';
import { addJobs, type Job, retryJob } from '../queue/jobs.js';
import type { JobHandler, WorkerContext, WorkerQueue } from '../queue/worker.js';

/** Creates the queue of recurring jobs, one of each kind. */
export function upkeepQueue(handlers: WorkerQueue['handlers'], { db, clock }: WorkerContext): WorkerQueue {
  const kinds = Object.keys(handlers);
  return {
    name: 'upkeep',
    concurrency: kinds.length,
    handlers,
    async prepare() {
      const now = clock.now();
      const job = { queue: 'upkeep', key: '', account_id: null, site_id: null, run_after: now.toISOString() } as const;
      await db.transaction((tx) =>
        addJobs(
          tx,
          kinds.map((kind) => ({ ...job, kind })),
          now,
        ),
      );
    },
  };
}

/** One round of a recurring job. */
export type RecurringWork = (pause: Pause) => Promise<void>;

/** Time after which a recurring job is interrupted and requeued at once, so that it never delays shutdown. */
const TIME_SLICE_MS = 1000;

const RETRY_AFTER_MS = 10_000;

/** Repeats `work`, in one process at a time. @param everyMs pause after each round */
export function recurringJob(
  everyMs: number,
  work: RecurringWork,
  { db, clock, logger }: WorkerContext,
  timeSliceMs = TIME_SLICE_MS,
): JobHandler {
  const requeue = (job: Job, afterMs: number): Promise<void> =>
    db.transaction((tx) => retryJob(tx, job, timeAfter(clock.now(), afterMs), { attempts: 0 }));
  return {
    attemptsMax: Infinity,
    async perform(job) {
      await work(timeLimitedPause(timeSliceMs));
      await requeue(job, everyMs);
    },
    async failed(job, cause) {
      const isUnfinished = cause instanceof OutOfTime;
      if (!isUnfinished) logger.warn({ kind: job.kind, cause }, 'recurring job failed, retrying');
      await requeue(job, isUnfinished ? 0 : RETRY_AFTER_MS);
    },
  };
}
