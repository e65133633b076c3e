import type { Trigger } from '../runs/run.js';
import {
  askAgain,
  countQueuedOfAccount,
  insertQueuedRun,
  lockQueuedRun,
  postponeQueuedRun,
  type QueuedRunRow,
} from '../../queue/queued-run-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { PRIORITY_MAX, type Work } from '../../queue/work.js';

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

/** What {@link queueAfter} has done. */
export interface Queued {
  /** When the run may begin. */
  readonly runAfter: Date;
  /** Whether this makes one run more. */
  readonly isNew: boolean;
  /** To be offered. */
  readonly work: Work | null;
}

/** Nobody can put a run off for longer than this after it was first asked for. */
const POSTPONED_MS_MAX = 600_000;

/**
 * Queues the run unless one of the site and trigger waits or is in hand already: then that one will do.
 * @returns the work to be offered, or null
 */
export function* queueOnce(request: RunRequest): Transaction<Work | null> {
  return yield* queueAt(request, yield* nextPlace(request.accountId));
}

/** The place of the next run among the account's own, so that the first of each account comes before the second of any. */
export function* nextPlace(accountId: string): Transaction<number> {
  return (yield* one(countQueuedOfAccount({ account_id: accountId })))?.count ?? 0;
}

/** As {@link queueOnce}, for who knows the place: the count takes as long as the account has runs in the queue. */
export function* queueAt(request: RunRequest, place: number): Transaction<Work | null> {
  const { siteId: site_id, accountId: account_id, trigger, runAfter, now } = request;
  const row = yield* one(
    insertQueuedRun({
      ...{ site_id, trigger, account_id, priority: Math.min(place, PRIORITY_MAX) },
      ...{ now: now.toISOString(), run_after: runAfter.toISOString() },
    }),
  );
  return row ? workOf(row) : null;
}

/**
 * Queues the run so that it begins at `runAfter` or later, whatever is there: one that waits is put off until then, after one
 * that is in hand, or that was put off for long enough, another follows.
 */
export function* queueAfter(request: RunRequest): Transaction<Queued> {
  const { siteId: site_id, trigger, runAfter, now } = request;
  for (;;) {
    const row = yield* one(lockQueuedRun({ site_id, trigger }));
    if (row) return yield* join(row, runAfter, now);
    const work = yield* queueOnce(request);
    if (work) return { runAfter, isNew: true, work };
    // Another process has queued it since we looked.
  }
}

/** Puts off the run that is there, or has another follow it where that cannot be. Nothing is ever moved to an earlier time. */
function* join(row: QueuedRunRow, wanted: Date, now: Date): Transaction<Queued> {
  const { site_id, trigger } = row;
  const latestMs = Date.parse(row.requested_at) + POSTPONED_MS_MAX;
  if (row.lease === null && wanted.getTime() <= Math.max(latestMs, Date.parse(row.run_after))) {
    const run_after = laterOf(row.run_after, wanted);
    yield* execute(postponeQueuedRun({ site_id, trigger, run_after, now: now.toISOString() }));
    return { runAfter: new Date(run_after), isNew: false, work: workOf({ ...row, run_after }) };
  }
  const again_after = laterOf(row.again_after, wanted);
  yield* execute(askAgain({ site_id, trigger, again_after }));
  return { runAfter: new Date(again_after), isNew: row.again_after === null, work: null };
}

function laterOf(before: string | null, wanted: Date): string {
  return new Date(Math.max(before === null ? 0 : Date.parse(before), wanted.getTime())).toISOString();
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
