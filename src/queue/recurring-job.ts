import { timeAfter } from '../platform/clock.js';
import { OutOfTime, type Pause, pauseFor } from '../platform/concurrency.js';
import { type Job, retryJob } from './jobs.js';
import type { JobHandler, WorkerContext } from './worker.js';

/** After this time a recurring job returns to the queue, due at once, so that it never delays the end of the process. */
const WORK_FOR_MS = 1000;

/** Delay after a failure. */
const RETRY_AFTER_MS = 10_000;

/** Performs upkeep that repeats for ever, in one process at a time. */
export function recurringJob(
  everyMs: number,
  work: (pause: Pause) => Promise<void>,
  { db, clock, logger }: WorkerContext,
  workForMs = WORK_FOR_MS,
): JobHandler {
  const putBack = (job: Job, afterMs: number): Promise<void> =>
    db.transaction((tx) => retryJob(tx, job, { runAfter: timeAfter(clock.now(), afterMs), attempts: 0 }));
  return {
    attemptsMax: Infinity,
    async perform(job) {
      const isDone = await work(pauseFor(workForMs)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof OutOfTime) return false;
          throw error;
        },
      );
      await putBack(job, isDone ? everyMs : 0);
    },
    async failed(job, cause) {
      logger.warn({ kind: job.kind, cause }, 'database upkeep failed, retrying');
      await putBack(job, RETRY_AFTER_MS);
    },
  };
}
