import type { Trigger } from '../../domain/run.js';
import {
  askAgain,
  countQueuedOfAccount,
  insertQueuedRun,
  lockQueuedRun,
  postponeQueuedRun,
  type QueuedRunRow,
} from '../../store/queued-runs.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { PRIORITY_MAX, type Work } from '../work.js';

/** What starts a run that no API call waits for. Those by hand are queued in the hand of the process that starts them. */
export type QueuedTrigger = Exclude<Trigger, 'API'>;

/** A run to be queued. Of a site and trigger at most one waits at a time. */
export interface RunRequest {
  readonly siteId: string;
  readonly accountId: string;
  readonly trigger: QueuedTrigger;
  readonly runAfter: Date;
  readonly now: Date;
}

/** Nobody can put a run off for longer than this after it was first asked for. */
const POSTPONED_MS_MAX = 600_000;

/**
 * Queues the run unless one of the site and trigger waits or is in hand already: then that one will do.
 * @returns the work to be offered, or null
 */
export function* queueOnce(request: RunRequest): Transaction<Work | null> {
  const { siteId: site_id, accountId: account_id, trigger, runAfter, now } = request;
  const counted = yield* one(countQueuedOfAccount({ account_id }));
  // Its place among the account's own, so that the first of each account comes before the second of any.
  const priority = Math.min(counted?.count ?? 0, PRIORITY_MAX);
  const row = yield* one(
    insertQueuedRun({
      ...{ site_id, trigger, account_id, priority },
      ...{ now: now.toISOString(), run_after: runAfter.toISOString() },
    }),
  );
  return row ? workOf(row) : null;
}

/**
 * Queues the run so that it begins at `runAfter` or later, whatever is there: one that waits is put off until then, after one
 * that is in hand another follows.
 * @returns when it may begin, whether it is a new one, and the work to be offered
 */
export function* queueAfter(
  request: RunRequest,
): Transaction<{ readonly runAfter: Date; readonly isNew: boolean; readonly work: Work | null }> {
  const { siteId: site_id, trigger, runAfter, now } = request;
  for (;;) {
    const row = yield* one(lockQueuedRun({ site_id, trigger }));
    if (row?.lease === null) return { ...(yield* postpone(row, runAfter, now)), isNew: false };
    if (row) {
      yield* execute(askAgain({ site_id, trigger, again_after: runAfter.toISOString() }));
      return { runAfter, isNew: row.again_after === null, work: null };
    }
    const work = yield* queueOnce(request);
    if (work) return { runAfter, isNew: true, work };
    // Another process has queued it since we looked.
  }
}

function* postpone(
  row: QueuedRunRow,
  wanted: Date,
  now: Date,
): Transaction<{ readonly runAfter: Date; readonly work: Work }> {
  const { site_id, trigger } = row;
  const latestMs = Date.parse(row.requested_at) + POSTPONED_MS_MAX;
  const runAfter = new Date(Math.min(Math.max(wanted.getTime(), Date.parse(row.run_after)), latestMs));
  const run_after = runAfter.toISOString();
  yield* execute(postponeQueuedRun({ site_id, trigger, run_after, now: now.toISOString() }));
  return { runAfter, work: workOf({ ...row, run_after }) };
}

/** What the workers are told of a queued run. */
export function workOf({ site_id, trigger, run_after, priority }: QueuedRunRow): Work {
  return { kind: 'run', key: `${trigger} ${site_id}`, notBefore: new Date(run_after), priority };
}

/** The site and trigger of {@link workOf}'s key. */
export function parseWorkKey(key: string): { readonly trigger: QueuedTrigger; readonly siteId: string } {
  const [trigger = '', siteId = ''] = key.split(' ');
  return { trigger: trigger as QueuedTrigger, siteId };
}
