import type { Knex } from 'knex';
import { laterThan } from '../../platform/clock.js';
import { addJobs, type NewJob } from '../../queue/jobs.js';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import type { Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import type { Plan } from '../accounts/plan.js';
import type { Context } from '../context.js';
import { effectiveFrequency, FREQUENCIES, nextScheduledTime } from './schedule.js';
import type { ScheduleRow } from './schedules.js';

export interface PlannerContext extends Pick<Context, 'db' | 'clock'> {
  /** Replaced by tests. */
  readonly queuedMax?: number;
}

export const PLAN_EVERY_MS = 10_000;

/**
 * Planning pauses at this many queued runs. Workers finish far fewer before the next planning, and the indexes of the queue stay small: with
 * a million jobs, SQLite wrote 24 kB per job.
 */
const QUEUED_MAX = 20_000;

/** Schedules are planned at most a week ahead; the extra day allows for clocks that differ. */
const AHEAD_MS_MAX = FREQUENCIES.WEEKLY.periodMs + 24 * 3_600_000;

/** A due schedule, with the columns that decide whether and how often it runs. */
interface DueScheduleRow extends ScheduleRow {
  readonly account_id: string;
  readonly plan: Plan;
  readonly verified_at: string | null;
}

/** The number of schedules planned in one transaction. */
export const PLANNED_AT_ONCE = 500;

/** Selects the schedules that are due, longest overdue first. */
const selectDueSchedules = defineQuery<DueScheduleRow, { now: string }>((sql, { now }) =>
  joinSites(sql, sql('schedules').where('next_run_at', '<=', now)),
);

/** Selects the schedules whose next time is later than `after`. */
const selectSchedulesAfter = defineQuery<DueScheduleRow, { after: string }>((sql, { after }) =>
  joinSites(sql, sql('schedules').where('next_run_at', '>', after)),
);

/** Limits the schedules before the join: otherwise PostgreSQL may join a million first. */
function joinSites(sql: Knex, schedules: Knex.QueryBuilder): Knex.QueryBuilder {
  return sql(schedules.orderBy('next_run_at').limit(PLANNED_AT_ONCE).as('some'))
    .join('sites', 'sites.id', 'some.site_id')
    .join('accounts', 'accounts.id', 'sites.account_id')
    .select(['some.site_id', 'some.frequency', 'some.next_run_at'])
    .select(['sites.account_id', 'accounts.plan', 'sites.verified_at']);
}

/** @param schedules JSON: `[{site_id, next_run_at}, …]` */
const updateNextRuns = defineQuery<never, { schedules: string }>((sql, { schedules }) =>
  sql.raw('UPDATE schedules SET next_run_at = given.next_run_at FROM ? WHERE schedules.site_id = given.site_id', [
    jsonRows(sql, schedules, ['site_id', 'next_run_at']),
  ]),
);

/** Counts the queued runs, up to `at_most`, which bounds the cost. */
const countQueuedRuns = defineQuery<{ count: number }, { at_most: number }>((sql, { at_most }) =>
  sql.raw(
    `SELECT CAST(count(*) AS INTEGER) AS count
      FROM (SELECT 1 FROM jobs WHERE kind = 'SCHEDULED' LIMIT CAST(? AS INTEGER)) AS counted`,
    [at_most],
  ),
);

/** Queues one run of each site that is due, longest overdue first. Missed runs are not repeated. */
export async function planSchedules(
  { db, clock, queuedMax = QUEUED_MAX }: PlannerContext,
  pause: Pause = yieldToEventLoop,
): Promise<void> {
  await db.transaction((tx) => resetFarSchedules(tx, clock.now()));
  let queued = (await db.one(countQueuedRuns({ at_most: queuedMax })))?.count ?? 0;
  while (queued < queuedMax) {
    const count = await db.transaction((tx) => planSome(tx, clock.now()));
    if (count < PLANNED_AT_ONCE) return;
    queued += count;
    await pause();
  }
}

/** Queues runs and sets the next times of their schedules in one transaction. @returns the number of due schedules */
async function planSome(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.run(selectDueSchedules({ now: now.toISOString() }));
  const verified = rows.filter(({ verified_at }) => verified_at !== null);
  await addJobs(
    tx,
    verified.map((row) => runOf(row, now)),
    now,
  );
  await setNextTimes(tx, rows, now);
  return rows.length;
}

/** Plans schedules again that a fast clock planned too far ahead: otherwise they would not run until then. */
async function resetFarSchedules(tx: Tx, now: Date): Promise<void> {
  await setNextTimes(tx, await tx.run(selectSchedulesAfter({ after: laterThan(now, AHEAD_MS_MAX) })), now);
}

/** Counts from now, not from the due time, so that one run replaces all that were missed while no worker ran. */
async function setNextTimes(tx: Tx, rows: readonly DueScheduleRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const next = rows.map(({ site_id, frequency, plan }) => ({
    site_id,
    next_run_at: nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now).toISOString(),
  }));
  await tx.run(updateNextRuns({ schedules: JSON.stringify(next) }));
}

function runOf({ site_id, account_id }: DueScheduleRow, now: Date): NewJob {
  return { queue: 'runs', kind: 'SCHEDULED', key: site_id, account_id, site_id, run_after: now.toISOString() };
}
