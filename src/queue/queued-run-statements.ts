import type { Trigger } from '../app/runs/run.js';
import { defineQuery, deleteReturning, lockFreeRows } from '../store/query.js';

/** A run that waits or is in hand: one of a site and what starts it. */
export interface QueuedRunRow {
  readonly site_id: string;
  readonly trigger: Trigger;
  readonly account_id: string;
  readonly requested_at: string;
  readonly run_after: string;
  readonly priority: number;
  readonly attempts: number;
  /** Null while it waits. */
  readonly lease: string | null;
  readonly leased_until: string | null;
  readonly again_after: string | null;
}

const COLUMNS = [
  'site_id',
  'trigger',
  'account_id',
  'requested_at',
  'run_after',
  'priority',
  'attempts',
  'lease',
  'leased_until',
  'again_after',
];

/** A row when it was queued; none when one of the site and trigger is there already. */
export const insertQueuedRun = defineQuery<
  QueuedRunRow,
  { site_id: string; trigger: string; account_id: string; now: string; run_after: string; priority: number }
>((sql, { site_id, trigger, account_id, now, run_after, priority }) =>
  sql('queued_runs')
    .insert({ site_id, trigger, account_id, requested_at: now, run_after, priority, offered_at: now })
    .onConflict(['site_id', 'trigger'])
    .ignore()
    .returning(COLUMNS),
);

/** The same for a run that is in hand from the start. */
export const insertLeasedRun = defineQuery<
  QueuedRunRow,
  { site_id: string; trigger: string; account_id: string; now: string; lease: string; leased_until: string }
>((sql, { site_id, trigger, account_id, now, lease, leased_until }) =>
  sql('queued_runs')
    .insert({
      ...{ site_id, trigger, account_id, lease, leased_until },
      ...{ requested_at: now, run_after: now, offered_at: now, priority: 0, attempts: 1 },
    })
    .onConflict(['site_id', 'trigger'])
    .ignore()
    .returning(COLUMNS),
);

/** How many runs of the account wait or are in hand. */
export const countQueuedOfAccount = defineQuery<{ count: number }, { account_id: string }>((sql, { account_id }) =>
  sql('queued_runs').count({ count: '*' }).where({ account_id }),
);

/** Locked for the rest of the transaction. */
export const lockQueuedRun = defineQuery<QueuedRunRow, { site_id: string; trigger: string }>(
  (sql, { site_id, trigger }) => sql('queued_runs').select(COLUMNS).where({ site_id, trigger }).forUpdate(),
);

/** A run that waits or is in hand. */
export const selectQueuedRun = defineQuery<QueuedRunRow, { site_id: string; trigger: string }>(
  (sql, { site_id, trigger }) => sql('queued_runs').select(COLUMNS).where({ site_id, trigger }),
);

export const selectQueuedRunsOfSite = defineQuery<QueuedRunRow, { site_id: string }>((sql, { site_id }) =>
  sql('queued_runs').select(COLUMNS).where({ site_id }),
);

/** Takes the run in hand: a row when it was due and free. */
export const claimQueuedRun = defineQuery<
  { account_id: string; attempts: number; requested_at: string },
  { site_id: string; trigger: string; now: string; lease: string; leased_until: string }
>((sql, { site_id, trigger, now, lease, leased_until }) =>
  sql('queued_runs')
    .where({ site_id, trigger, lease: null })
    .where('run_after', '<=', now)
    .update({ lease, leased_until, attempts: sql.raw('attempts + 1') })
    .returning(['account_id', 'attempts', 'requested_at']),
);

/** Locks the row for the rest of the transaction: a row while the lease still holds. */
export const selectLeasedRun = defineQuery<QueuedRunRow, { site_id: string; trigger: string; lease: string }>(
  (sql, { site_id, trigger, lease }) =>
    sql('queued_runs').select(COLUMNS).where({ site_id, trigger, lease }).forUpdate(),
);

export const deleteQueuedRun = defineQuery<never, { site_id: string; trigger: string }>((sql, { site_id, trigger }) =>
  sql('queued_runs').where({ site_id, trigger }).del(),
);

/** A row while the lease still held. */
export const deleteLeasedRun = defineQuery<{ site_id: string }, { site_id: string; trigger: string; lease: string }>(
  (sql, { site_id, trigger, lease }) =>
    deleteReturning(sql, sql('queued_runs').where({ site_id, trigger, lease }), 'site_id'),
);

/**
 * Puts a run that was in hand back, to wait until `run_after`, or for longer where it was asked for again; the lease is gone with
 * it. What was asked for again counts as asked for now.
 */
export const putBackQueuedRun = defineQuery<
  QueuedRunRow,
  { site_id: string; trigger: string; lease: string; run_after: string; attempts: number; now: string }
>((sql, { site_id, trigger, lease, run_after, attempts, now }) =>
  sql('queued_runs')
    .where({ site_id, trigger, lease })
    .update({
      ...{ lease: null, leased_until: null, attempts, again_after: null, offered_at: now },
      run_after: sql.raw('CASE WHEN again_after > ? THEN again_after ELSE ? END', [run_after, run_after]),
      requested_at: sql.raw('CASE WHEN again_after IS NULL THEN requested_at ELSE ? END', [now]),
    })
    .returning(COLUMNS),
);

/** Moves a run that waits. */
export const postponeQueuedRun = defineQuery<
  never,
  { site_id: string; trigger: string; run_after: string; now: string }
>((sql, { site_id, trigger, run_after, now }) =>
  sql('queued_runs').where({ site_id, trigger, lease: null }).update({ run_after, offered_at: now }),
);

/** Has a run done once more after the one that waits or is in hand. */
export const askAgain = defineQuery<never, { site_id: string; trigger: string; again_after: string }>(
  (sql, { site_id, trigger, again_after }) => sql('queued_runs').where({ site_id, trigger }).update({ again_after }),
);

/** How many runs a sweep takes at once. */
const SWEPT_AT_ONCE = 500;

/** Runs whose worker has died or sleeps: its lease has ended. Those that another process looks at are left to it. */
export const selectLostRuns = defineQuery<QueuedRunRow, { now: string }>((sql, { now }) =>
  lockFreeRows(
    sql,
    sql('queued_runs').select(COLUMNS).where('leased_until', '<=', now).orderBy('leased_until').limit(SWEPT_AT_ONCE),
    'queued_runs',
  ),
);

/**
 * Marks as offered the runs that are due and wait although they were offered before `offered_before`, the fairest first, and moves each one
 * place up: so that the last run of a large account comes to its turn, too, however many others keep coming.
 */
export const takeUnheardRuns = defineQuery<QueuedRunRow, { now: string; offered_before: string }>(
  (sql, { now, offered_before }) =>
    sql('queued_runs')
      .whereIn(
        ['site_id', 'trigger'],
        lockFreeRows(
          sql,
          sql('queued_runs')
            .select(['site_id', 'trigger'])
            .where({ lease: null })
            .where('run_after', '<=', now)
            .where('offered_at', '<', offered_before)
            .orderBy(['priority', 'run_after'])
            .limit(SWEPT_AT_ONCE),
          'queued_runs',
        ),
      )
      .update({ offered_at: now, priority: sql.raw('CASE WHEN priority > 0 THEN priority - 1 ELSE 0 END') })
      .returning(COLUMNS),
);

/** How much waits, and since when the oldest that is due has been waiting; by what starts the runs. */
export const selectQueueDepth = defineQuery<
  { trigger: Trigger; waiting: number; running: number; oldest_due: string | null },
  { now: string }
>((sql, { now }) =>
  sql('queued_runs')
    .select('trigger')
    .select(sql.raw('sum(CASE WHEN lease IS NULL THEN 1 ELSE 0 END) AS waiting'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL THEN 0 ELSE 1 END) AS running'))
    .select(sql.raw('min(CASE WHEN lease IS NULL AND run_after <= ? THEN run_after END) AS oldest_due', [now]))
    .groupBy('trigger'),
);
