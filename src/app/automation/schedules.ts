import type { Knex } from 'knex';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import { laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { addJobs } from '../../queue/jobs.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { table } from '../../store/table.js';
import type { Plan } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { BulkOutcome } from '../sites/bulk-change.js';
import { lockSites, type OwnSite, type SitesOfAccount } from '../sites/site.js';
import {
  effectiveFrequency,
  FREQUENCIES,
  type Frequency,
  frequenciesOf,
  nextScheduledTime,
  planWith,
} from './schedule.js';

/** When a site runs automatically. */
export interface Schedule {
  /** The chosen frequency; null if the schedule is off. */
  readonly frequency: Frequency | null;
  /** The actual frequency: lower than the chosen one if the plan was lowered since. */
  readonly effective: Frequency | null;
  /** ISO 8601, UTC; null if the schedule is off. */
  readonly nextRunAt: string | null;
  /** The frequencies of the plan, lowest first. */
  readonly choices: readonly Frequency[];
}

interface ScheduleRow {
  readonly site_id: string;
  readonly frequency: Frequency;
  readonly next_run_at: string;
}

const schedules = table<ScheduleRow>('schedules', ['site_id']);

/** @param sites JSON: `[{site_id}, …]` */
const selectSchedules = defineQuery<ScheduleRow, { sites: string }>((sql, { sites }) =>
  sql('schedules as c')
    .join(jsonRows(sql, sites, ['site_id']), 'given.site_id', 'c.site_id')
    .select('c.*'),
);

/** @param rows JSON: `[ScheduleRow, …]` */
const upsertSchedules = defineQuery<never, { rows: string }>((sql, { rows }) =>
  sql.raw(
    `INSERT INTO schedules (site_id, frequency, next_run_at)
      SELECT given.site_id, given.frequency, given.next_run_at FROM ? WHERE true
      ON CONFLICT (site_id) DO UPDATE SET frequency = excluded.frequency, next_run_at = excluded.next_run_at`,
    [jsonRows(sql, rows, ['site_id', 'frequency', 'next_run_at'])],
  ),
);

/** @param rows JSON: `[{site_id}, …]` */
const deleteSchedules = defineQuery<never, { rows: string }>((sql, { rows }) =>
  sql.raw('DELETE FROM schedules WHERE site_id IN (SELECT given.site_id FROM ?)', [jsonRows(sql, rows, ['site_id'])]),
);

/** @param rows JSON: `[{site_id, next_run_at}, …]` */
const moveSchedules = defineQuery<never, { rows: string }>((sql, { rows }) =>
  sql.raw('UPDATE schedules SET next_run_at = given.next_run_at FROM ? WHERE schedules.site_id = given.site_id', [
    jsonRows(sql, rows, ['site_id', 'next_run_at']),
  ]),
);

/** A schedule, with the columns that decide whether and how often it runs. */
interface PlannedRow extends ScheduleRow {
  readonly account_id: string;
  readonly plan: Plan;
  readonly verified_at: string | null;
}

const PLANNED_COLUMNS = ['c.site_id', 'c.frequency', 'c.next_run_at', 's.account_id', 's.verified_at', 'a.plan'];

function joinSites(sql: Knex, some: Knex.QueryBuilder): Knex.QueryBuilder {
  return sql(some.as('c'))
    .join('sites as s', 's.id', 'c.site_id')
    .join('accounts as a', 'a.id', 's.account_id')
    .select(PLANNED_COLUMNS);
}

const selectSchedulesOfAccount = defineQuery<PlannedRow, { account_id: string }>((sql, { account_id }) =>
  joinSites(sql, sql('schedules')).where({ 's.account_id': account_id, 's.is_deleting': 0 }),
);

/** The number of schedules planned in one transaction. */
export const PLANNED_AT_ONCE = 500;

/** Selects some schedules whose next time is in a range, longest overdue first. Limits them before the join: PostgreSQL may join all first. */
const selectPlanned = defineQuery<PlannedRow, { after: string; until: string }>((sql, { after, until }) => {
  const inRange = sql('schedules').where('next_run_at', '>', after).where('next_run_at', '<=', until);
  return joinSites(sql, inRange.orderBy('next_run_at').limit(PLANNED_AT_ONCE));
});

export class Schedules {
  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {}

  async get({ id, plan }: OwnSite): Promise<Schedule> {
    const chosen = await readSchedule(this.context.db, id);
    const choices = frequenciesOf(plan);
    if (!chosen) return { frequency: null, effective: null, nextRunAt: null, choices };
    return { ...chosen, effective: effectiveFrequency(chosen.frequency, plan), choices };
  }

  /** @throws InputError for a frequency that the plan does not have; ServiceError site_not_found for a site that was removed */
  async set(site: OwnSite, frequency: Frequency | null): Promise<Schedule> {
    const { done, unchanged } = await this.setMany({ ...site, siteIds: [site.id] }, frequency);
    if (done.length + unchanged.length === 0) throw new ServiceError('site_not_found');
    return this.get(site);
  }

  /**
   * Sets the schedule of several sites of an account. A site that is not verified does not run until it is.
   * @throws InputError for a frequency that the plan does not have
   */
  async setMany(sites: SitesOfAccount, frequency: Frequency | null): Promise<BulkOutcome> {
    if (frequency !== null && !frequenciesOf(sites.plan).includes(frequency)) {
      throw new InputError(`A run ${FREQUENCIES[frequency].label} needs plan ${planWith(frequency)}.`, 'frequency');
    }
    const { db, clock } = this.context;
    return db.transaction((tx) => setSchedules(tx, sites, frequency, clock.now()));
  }

  /** Returns the next scheduled times by site id; sites without one are missing. The caller must check who owns the sites. */
  async nextRuns(siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await readSchedules(this.context.db, siteIds);
    return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
  }
}

function readSchedules(sql: Sql, siteIds: readonly string[]): Promise<readonly ScheduleRow[]> {
  return sql.run(selectSchedules({ sites: JSON.stringify(siteIds.map((site_id) => ({ site_id }))) }));
}

/** Sets the schedules, and records an event for each site whose frequency changes. */
async function setSchedules(
  tx: Tx,
  { accountId, siteIds }: SitesOfAccount,
  frequency: Frequency | null,
  now: Date,
): Promise<BulkOutcome> {
  const sites = await lockSites(tx, accountId, siteIds);
  const before = new Map((await readSchedules(tx, siteIds)).map((row) => [row.site_id, row.frequency]));
  const changed = sites.filter(({ id }) => (before.get(id) ?? null) !== frequency);
  const rows = JSON.stringify(
    changed.map(({ id: site_id }) => ({
      site_id,
      frequency,
      next_run_at: frequency && nextScheduledTime(site_id, frequency, now).toISOString(),
    })),
  );
  if (changed.length > 0) await tx.run(frequency === null ? deleteSchedules({ rows }) : upsertSchedules({ rows }));
  const event = frequency === null ? 'schedule_removed' : 'schedule_set';
  const subjects = changed.map(({ hostname }) => (frequency ? `${frequency.toLowerCase()}, of ${hostname}` : hostname));
  await recordEvents(tx, { accountId, event, now }, subjects);
  const namesOf = (some: typeof sites): string[] => some.map(({ hostname }) => hostname);
  return { done: namesOf(changed), unchanged: namesOf(sites.filter((site) => !changed.includes(site))), skipped: [] };
}

/**
 * Moves the account's schedules to an earlier time if its new plan allows that: a schedule that was chosen on a higher plan would otherwise
 * first wait for the time that the lower plan had set.
 */
export async function applyPlanToSchedules(tx: Tx, account_id: string, plan: Plan, now: Date): Promise<void> {
  const rows = await tx.run(selectSchedulesOfAccount({ account_id }));
  await setNextTimes(
    tx,
    rows.filter((row) => nextTimeOf({ ...row, plan }, now) < row.next_run_at),
    now,
  );
}

/** Returns the schedule that the owner chose; null if it is off. */
export async function readSchedule(
  sql: Sql,
  site_id: string,
): Promise<{ readonly frequency: Frequency; readonly nextRunAt: string } | null> {
  const row = await sql.one(schedules.find({ site_id }, ['frequency', 'next_run_at']));
  return row ? { frequency: row.frequency, nextRunAt: row.next_run_at } : null;
}

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
const AHEAD_MS_MAX = FREQUENCIES.WEEKLY.periodMs + FREQUENCIES.DAILY.periodMs;

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

/** Plans schedules again that a fast clock planned too far ahead: otherwise they would not run until then. */
async function resetFarSchedules(tx: Tx, now: Date): Promise<void> {
  const far = await tx.run(selectPlanned({ after: laterThan(now, AHEAD_MS_MAX), until: '9999' }));
  await setNextTimes(tx, far, now);
}

/** Queues runs and sets the next times of their schedules in one transaction. @returns the number of due schedules */
async function planSome(tx: Tx, now: Date): Promise<number> {
  const run_after = now.toISOString();
  const rows = await tx.run(selectPlanned({ after: '', until: run_after }));
  const runs = rows
    .filter(({ verified_at }) => verified_at !== null)
    .map(({ site_id, account_id }) => ({ key: site_id, account_id, site_id, run_after }))
    .map((run) => ({ queue: 'runs', kind: 'SCHEDULED', ...run }) as const);
  await addJobs(tx, runs, now);
  await setNextTimes(tx, rows, now);
  return rows.length;
}

/** Counts from now, not from the due time, so that one run replaces all that were missed while no worker ran. */
async function setNextTimes(tx: Tx, rows: readonly PlannedRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const next = rows.map((row) => ({ site_id: row.site_id, next_run_at: nextTimeOf(row, now) }));
  await tx.run(moveSchedules({ rows: JSON.stringify(next) }));
}

function nextTimeOf({ site_id, frequency, plan }: PlannedRow, now: Date): string {
  return nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now).toISOString();
}
