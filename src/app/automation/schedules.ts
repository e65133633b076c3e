import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { table } from '../../store/table.js';
import type { Plan } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { BulkOutcome } from '../sites/bulk-change.js';
import type { OwnSite, SitesOfAccount } from '../sites/own-site.js';
import { lockSites } from '../sites/site.js';
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

export interface ScheduleRow {
  readonly site_id: string;
  readonly frequency: Frequency;
  readonly next_run_at: string;
}

const schedules = table<ScheduleRow>('schedules', ['site_id']);

const selectSchedulesOfAccount = defineQuery<ScheduleRow, { account_id: string }>((sql, { account_id }) =>
  sql('schedules as c')
    .join('sites as s', 's.id', 'c.site_id')
    .select(['c.site_id', 'c.frequency', 'c.next_run_at'])
    .where({ 's.account_id': account_id, 's.is_deleting': 0 }),
);

/** @param sites JSON: `[{site_id}, …]` */
const selectSchedules = defineQuery<ScheduleRow, { sites: string }>((sql, { sites }) =>
  sql('schedules as c')
    .join(jsonRows(sql, sites, ['site_id']), 'given.site_id', 'c.site_id')
    .select(['c.site_id', 'c.frequency', 'c.next_run_at']),
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

export class Schedules {
  constructor(private readonly deps: Pick<Context, 'db' | 'clock'>) {}

  async get({ id, plan }: OwnSite): Promise<Schedule> {
    const chosen = await readSchedule(this.deps.db, id);
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
    const { db, clock } = this.deps;
    return db.transaction((tx) => setSchedules(tx, sites, frequency, clock.now()));
  }

  /** Returns schedules by site id; sites without one are missing. The caller must check who owns the sites. */
  async ofSites(
    plan: Plan,
    siteIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Schedule, 'effective' | 'nextRunAt'>>> {
    const rows = await readSchedules(this.deps.db, siteIds);
    return new Map(
      rows.map(({ site_id, frequency, next_run_at: nextRunAt }) => [
        site_id,
        { effective: effectiveFrequency(frequency, plan), nextRunAt },
      ]),
    );
  }

  /** Returns the next scheduled times by site id; sites without one are missing. The caller must check who owns the sites. */
  async nextRuns(siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await readSchedules(this.deps.db, siteIds);
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
  const unchanged = sites.filter((site) => !changed.includes(site));
  return {
    done: changed.map(({ hostname }) => hostname),
    unchanged: unchanged.map(({ hostname }) => hostname),
    skipped: [],
  };
}

/**
 * Moves the account's schedules to an earlier time if its new plan allows that: a schedule that was chosen on a higher plan would otherwise
 * first wait for the time that the lower plan had set.
 */
export async function applyPlanToSchedules(tx: Tx, account_id: string, plan: Plan, now: Date): Promise<void> {
  const rows = await tx.run(selectSchedulesOfAccount({ account_id }));
  const earlier = rows.flatMap(({ site_id, frequency, next_run_at: before }) => {
    const next_run_at = nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now).toISOString();
    return next_run_at < before ? [{ site_id, next_run_at }] : [];
  });
  if (earlier.length > 0) await tx.run(moveSchedules({ rows: JSON.stringify(earlier) }));
}

/** Returns the schedule that the owner chose; null if it is off. */
export async function readSchedule(
  sql: Sql,
  site_id: string,
): Promise<{ readonly frequency: Frequency; readonly nextRunAt: string } | null> {
  const row = await sql.one(schedules.find({ site_id }, ['frequency', 'next_run_at']));
  return row ? { frequency: row.frequency, nextRunAt: row.next_run_at } : null;
}
