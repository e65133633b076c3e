import { createHash } from 'node:crypto';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import { DAY_MS, isoTimeAfter } from '../../platform/clock.js';
import { InputError, ServiceError } from '../../platform/errors.js';
import { addJobs } from '../../queue/jobs.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows, type Row, table } from '../../store/query.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Plan } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { BulkOutcome } from '../sites/bulk-change.js';
import { lockOwnSites, type SiteOfAccount, type SitesOfAccount } from '../sites/site.js';

const HOUR_MS = 3_600_000;

/** Frequencies of scheduled runs, lowest first. */
export const FREQUENCIES = {
  WEEKLY: { label: 'every week', periodMs: 7 * DAY_MS },
  DAILY: { label: 'every day', periodMs: DAY_MS },
  HOURLY: { label: 'every hour', periodMs: HOUR_MS },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

const LOWEST_FIRST = Object.keys(FREQUENCIES) as Frequency[];

const HIGHEST_FREQUENCY: Readonly<Record<Plan, Frequency>> = { FREE: 'WEEKLY', MONITOR: 'DAILY', SCALE: 'HOURLY' };

export function isFrequency(value: string): value is Frequency {
  return Object.hasOwn(FREQUENCIES, value);
}

export function maxFrequency(plan: Plan): Frequency {
  return HIGHEST_FREQUENCY[plan];
}

/** Returns the frequencies that the plan allows, lowest first. */
export function frequenciesOf(plan: Plan): readonly Frequency[] {
  return LOWEST_FIRST.slice(0, LOWEST_FIRST.indexOf(HIGHEST_FREQUENCY[plan]) + 1);
}

export function requiredPlan(frequency: Frequency): Plan {
  const plans = Object.keys(HIGHEST_FREQUENCY) as Plan[];
  return plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? 'SCALE';
}

/**
 * Returns the first scheduled time after `after`, in whole seconds. Each site has a fixed offset within the period, derived from its id,
 * which spreads the load.
 */
export function nextScheduledTime(siteId: string, frequency: Frequency, after: Date): Date {
  const { periodMs } = FREQUENCIES[frequency];
  const fraction = createHash('sha256').update(siteId).digest().readUInt32BE() / 2 ** 32;
  const offsetMs = Math.floor((fraction * periodMs) / 1000) * 1000;
  const periodsElapsed = Math.floor((after.getTime() - offsetMs) / periodMs);
  return new Date(offsetMs + (periodsElapsed + 1) * periodMs);
}

/** Times are ISO 8601, UTC. */
export type Schedule = NonNullable<Awaited<ReturnType<typeof readSchedule>>>;

type ScheduleRow = Row<'schedules'> & { readonly frequency: Frequency };

const schedules = table<'schedules', ScheduleRow>('schedules');

/** @param sites JSON: `[{site_id}, …]` */
const selectSchedules = defineQuery<ScheduleRow, { sites: string }>((sql, { sites }) =>
  sql('schedules')
    .join(jsonRows(sql, sites, ['site_id']), 'input.site_id', 'schedules.site_id')
    .select('schedules.*'),
);

/** @param rows JSON: `[ScheduleRow, …]` */
const upsertSchedules = defineQuery<never, { rows: string }>((sql, { rows }) =>
  sql.raw(
    `INSERT INTO schedules (site_id, frequency, next_run_at)
      SELECT input.site_id, input.frequency, input.next_run_at FROM ? WHERE true
      ON CONFLICT (site_id) DO UPDATE SET frequency = excluded.frequency, next_run_at = excluded.next_run_at`,
    [jsonRows(sql, rows, ['site_id', 'frequency', 'next_run_at'])],
  ),
);

/** @param sites JSON: `[{site_id}, …]` */
const deleteSchedules = defineQuery<never, { sites: string }>((sql, { sites }) =>
  sql.raw('DELETE FROM schedules WHERE site_id IN (SELECT input.site_id FROM ?)', [jsonRows(sql, sites, ['site_id'])]),
);

/** @param rows JSON: `[{site_id, next_run_at}, …]` */
const updateNextTimes = defineQuery<never, { rows: string }>((sql, { rows }) =>
  sql.raw('UPDATE schedules SET next_run_at = input.next_run_at FROM ? WHERE schedules.site_id = input.site_id', [
    jsonRows(sql, rows, ['site_id', 'next_run_at']),
  ]),
);

const selectSchedulesOfAccount = defineQuery<ScheduleRow, { account_id: string }>((sql, { account_id }) =>
  sql('schedules').join('sites as s', 's.id', 'site_id').select('schedules.*').where({ account_id }),
);

export const DUE_BATCH_SIZE = 500;

/** A schedule with the fields of its site that a run needs. */
interface ScheduleOfSite extends ScheduleRow {
  readonly account_id: string;
  readonly verified_at: string | null;
}

/** Selects a batch of schedules by their next time, earliest first. The limit is in the inner query, so that PostgreSQL joins few rows. */
const selectByNextRun = defineQuery<ScheduleOfSite, { after: string; until: string }>((sql, { after, until }) => {
  const inRange = sql('schedules').where('next_run_at', '>', after).where('next_run_at', '<=', until);
  return sql(inRange.orderBy('next_run_at').limit(DUE_BATCH_SIZE).as('schedules'))
    .join('sites as s', 's.id', 'schedules.site_id')
    .select('schedules.*', 's.account_id', 's.verified_at');
});

export async function readSchedule(sql: Sql, site_id: string) {
  const row = await sql.one(schedules.find({ site_id }, ['frequency', 'next_run_at']));
  return row ? { frequency: row.frequency, nextRunAt: row.next_run_at } : null;
}

/** Returns the next scheduled times by site id. Omits sites without a schedule. The caller must check who owns the sites. */
export async function readNextRuns(sql: Sql, siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await readSchedules(sql, siteIds)).map(({ site_id, next_run_at }) => [site_id, next_run_at]));
}

/** @throws InputError for a frequency that the plan does not allow; ServiceError site_not_found, also for another account's site */
export async function setSchedule(
  context: Pick<Context, 'db' | 'clock'>,
  { accountId, siteId }: SiteOfAccount,
  frequency: Frequency | null,
): Promise<Schedule | null> {
  const { done, unchanged } = await setSchedules(context, { accountId, siteIds: [siteId] }, frequency);
  if (done.length + unchanged.length === 0) throw new ServiceError('site_not_found');
  return readSchedule(context.db, siteId);
}

/**
 * Sets the schedule of several sites of an account. An unverified site gets no runs until it is verified.
 * @throws InputError for a frequency that the plan does not allow
 */
export async function setSchedules(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  sites: SitesOfAccount,
  frequency: Frequency | null,
): Promise<BulkOutcome> {
  const { accountId, siteIds } = sites;
  const now = clock.now();
  return db.transaction(async (tx) => {
    // The lock prevents a concurrent downgrade of the plan.
    const { plan } = await lockAccount(tx, accountId);
    if (frequency !== null && !frequenciesOf(plan).includes(frequency)) {
      throw new InputError(`A run ${FREQUENCIES[frequency].label} needs plan ${requiredPlan(frequency)}.`, 'frequency');
    }
    const owned = await lockOwnSites(tx, sites);
    const before = new Map((await readSchedules(tx, siteIds)).map((row) => [row.site_id, row.frequency]));
    const changed = owned.filter(({ id }) => (before.get(id) ?? null) !== frequency);
    const ids = changed.map(({ id }) => id);
    await storeSchedules(tx, ids, frequency, now);
    const done = changed.map(({ hostname }) => hostname);
    const event = frequency === null ? 'schedule_removed' : 'schedule_set';
    const subjects = frequency === null ? done : done.map((hostname) => `${hostname}: ${frequency.toLowerCase()}`);
    await recordEvents(tx, { accountId, event, now }, subjects);
    return { done, unchanged: owned.flatMap(({ id, hostname }) => (ids.includes(id) ? [] : [hostname])), skipped: [] };
  });
}

function readSchedules(sql: Sql, siteIds: readonly string[]): Promise<readonly ScheduleRow[]> {
  return sql.run(selectSchedules({ sites: JSON.stringify(siteIds.map((site_id) => ({ site_id }))) }));
}

/** Sets all schedules in one statement, because thousands of statements would block the event loop or hold locks for seconds. */
async function storeSchedules(
  tx: Tx,
  siteIds: readonly string[],
  frequency: Frequency | null,
  now: Date,
): Promise<void> {
  if (siteIds.length === 0) return;
  const rows = JSON.stringify(
    siteIds.map((site_id) => ({ site_id, frequency, next_run_at: frequency && nextRunTime(site_id, frequency, now) })),
  );
  await tx.run(frequency === null ? deleteSchedules({ sites: rows }) : upsertSchedules({ rows }));
}

/** Lowers the account's schedules that are more frequent than its new plan allows. */
export async function applyPlanToSchedules(tx: Tx, account_id: string, plan: Plan, now: Date): Promise<void> {
  const rows = await tx.run(selectSchedulesOfAccount({ account_id }));
  const tooFrequent = rows.filter(({ frequency }) => !frequenciesOf(plan).includes(frequency));
  await storeSchedules(
    tx,
    tooFrequent.map(({ site_id }) => site_id),
    maxFrequency(plan),
    now,
  );
}

interface QueueingContext extends Pick<Context, 'db' | 'clock'> {
  readonly queuedMax?: number;
}

export const QUEUE_DUE_EVERY_MS = 10_000;

/**
 * Maximum number of queued runs, far more than workers finish before the next sweep. A longer queue has slow indexes: with a million jobs,
 * SQLite wrote 24 kB per job.
 */
const QUEUED_MAX = 20_000;

/** A next time is at most a week ahead. The extra day allows for clocks that differ. */
const AHEAD_MS_MAX = FREQUENCIES.WEEKLY.periodMs + FREQUENCIES.DAILY.periodMs;

/** Counts the queued scheduled runs, at most up to `at_most`, which limits the cost. */
const countQueuedRuns = defineQuery<{ count: number }, { at_most: number }>((sql, { at_most }) =>
  sql.raw(
    `SELECT CAST(count(*) AS INTEGER) AS count
      FROM (SELECT 1 FROM jobs WHERE kind = 'SCHEDULED' LIMIT CAST(? AS INTEGER)) AS counted`,
    [at_most],
  ),
);

/** Queues one run of each site that is due, longest overdue first. */
export async function queueDueRuns(
  { db, clock, queuedMax = QUEUED_MAX }: QueueingContext,
  pause: Pause = yieldToEventLoop,
): Promise<void> {
  await db.transaction((tx) => resetFarSchedules(tx, clock.now()));
  let queued = (await db.one(countQueuedRuns({ at_most: queuedMax })))?.count ?? 0;
  while (queued < queuedMax) {
    const count = await db.transaction((tx) => queueDueBatch(tx, clock.now()));
    if (count < DUE_BATCH_SIZE) return;
    queued += count;
    await pause();
  }
}

/** Resets next times that a fast clock has set too far ahead. */
async function resetFarSchedules(tx: Tx, now: Date): Promise<void> {
  const far = await tx.run(selectByNextRun({ after: isoTimeAfter(now, AHEAD_MS_MAX), until: '9999' }));
  await setNextTimes(tx, far, now);
}

/** Queues runs and sets the next times of their schedules in one transaction. @returns the number of due schedules */
async function queueDueBatch(tx: Tx, now: Date): Promise<number> {
  const run_after = now.toISOString();
  const rows = await tx.run(selectByNextRun({ after: '', until: run_after }));
  const runs = rows
    .filter(({ verified_at }) => verified_at !== null)
    .map(({ site_id, account_id }) => ({ key: site_id, account_id, site_id, run_after }))
    .map((run) => ({ queue: 'runs', kind: 'SCHEDULED', ...run }) as const);
  await addJobs(tx, runs, now);
  await setNextTimes(tx, rows, now);
  return rows.length;
}

/** Sets the next times. Counts from now, not from the due time, so that one run replaces all runs missed while no worker ran. */
async function setNextTimes(tx: Tx, rows: readonly ScheduleRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const next = rows.map(({ site_id, frequency }) => ({ site_id, next_run_at: nextRunTime(site_id, frequency, now) }));
  await tx.run(updateNextTimes({ rows: JSON.stringify(next) }));
}

function nextRunTime(siteId: string, frequency: Frequency, now: Date): string {
  return nextScheduledTime(siteId, frequency, now).toISOString();
}
