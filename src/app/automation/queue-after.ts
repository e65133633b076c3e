import type { NewJob } from '../../queue/job.js';
import { askAgain, type JobRow, lockJob, postponeJob } from '../../queue/job-statements.js';
import { addJob } from '../../queue/jobs.js';
import { execute, one, type Transaction } from '../../store/transaction.js';

/** What {@link queueAfter} has done. */
export interface Queued {
  /** When the job is due. */
  readonly runAfter: Date;
  /** When it was due until now; null: this makes one more. */
  readonly before: Date | null;
}

/** However many calls follow one another, the first of them waits no longer than this. */
const POSTPONED_MS_MAX = 600_000;

/**
 * Queues the job so that it begins at `runAfter` or later: one that waits is postponed until then; after one that is claimed, or that
 * has been postponed long enough, another follows.
 */
export function* queueAfter(job: NewJob, now: Date): Transaction<Queued> {
  for (;;) {
    const row = yield* one(lockJob({ kind: job.kind, key: job.key }));
    if (row) return yield* join(row, job.runAfter);
    if (yield* addJob(job, now)) return { runAfter: job.runAfter, before: null };
    // Another process has queued it since we looked.
  }
}

/** Nothing is ever moved to an earlier time. */
function* join(row: JobRow, wanted: Date): Transaction<Queued> {
  const { kind, key } = row;
  const latestMs = Date.parse(row.requested_at) + POSTPONED_MS_MAX;
  if (row.lease === null && wanted.getTime() <= Math.max(latestMs, Date.parse(row.run_after))) {
    const runAfter = laterOf(row.run_after, wanted);
    yield* execute(postponeJob({ kind, key, run_after: runAfter.toISOString(), due_ms: runAfter.getTime() }));
    return { runAfter, before: new Date(row.run_after) };
  }
  const runAfter = laterOf(row.again_after, wanted);
  yield* execute(askAgain({ kind, key, again_after: runAfter.toISOString() }));
  return { runAfter, before: row.again_after === null ? null : new Date(row.again_after) };
}

function laterOf(before: string | null, wanted: Date): Date {
  return new Date(Math.max(before === null ? 0 : Date.parse(before), wanted.getTime()));
}
