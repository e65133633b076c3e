import type { Knex } from 'knex';
import type { Plan } from '../accounts/plan.js';
import type { Frequency } from './schedule.js';
import { defineQuery, jsonRows } from '../../store/query.js';

export interface ScheduleRow {
  readonly site_id: string;
  readonly frequency: Frequency;
  readonly next_run_at: string;
}

/** @param schedules JSON: `[{site_id, next_run_at}, …]` */
export const upsertSchedules = defineQuery<never, { frequency: string; schedules: string }>(
  (sql, { frequency, schedules }) =>
    // SQLite takes ON CONFLICT after a FROM for the condition of a join, unless there is a WHERE.
    sql.raw(
      `INSERT INTO schedules (site_id, frequency, next_run_at) SELECT given.site_id, CAST(? AS text), given.next_run_at FROM ?
        WHERE true ON CONFLICT (site_id) DO UPDATE SET frequency = excluded.frequency, next_run_at = excluded.next_run_at`,
      [frequency, jsonRows(sql, schedules, ['site_id', 'next_run_at'])],
    ),
);

/** @param sites JSON: `[{site_id}, …]` */
export const deleteSchedules = defineQuery<never, { sites: string }>((sql, { sites }) =>
  sql('schedules')
    .whereIn('site_id', sql.select('given.site_id').from(jsonRows(sql, sites, ['site_id'])))
    .del(),
);

/** With the plan, on which it depends how often the schedule really runs. */
export const selectSchedule = defineQuery<ScheduleRow, { site_id: string }>((sql, { site_id }) =>
  sql('schedules').select(['site_id', 'frequency', 'next_run_at']).where({ site_id }),
);

export const selectSchedulesOfAccount = defineQuery<ScheduleRow, { account_id: string }>((sql, { account_id }) =>
  sql('schedules as c')
    .join('sites as s', 's.id', 'c.site_id')
    .select(['c.site_id', 'c.frequency', 'c.next_run_at'])
    .where({ 's.account_id': account_id, 's.is_deleting': 0 }),
);

/** Of some sites. `sites`: JSON of their ids. */
export const selectSchedules = defineQuery<ScheduleRow, { sites: string }>((sql, { sites }) =>
  sql('schedules as c')
    .join(jsonRows(sql, sites, ['site_id']), 'given.site_id', 'c.site_id')
    .select(['c.site_id', 'c.frequency', 'c.next_run_at']),
);

/** A schedule whose time has come, with what decides what happens now. */
export interface DueScheduleRow extends ScheduleRow {
  readonly account_id: string;
  readonly plan: Plan;
  readonly verified_at: string | null;
}

/** How many schedules are planned in one transaction. */
export const PLANNED_AT_ONCE = 500;

/** The longest due first. */
export const selectDueSchedules = defineQuery<DueScheduleRow, { now: string }>((sql, { now }) =>
  withSites(sql, sql('schedules').where('next_run_at', '<=', now)),
);

/** Those whose next time is later than `after`. */
export const selectSchedulesAfter = defineQuery<DueScheduleRow, { after: string }>((sql, { after }) =>
  withSites(sql, sql('schedules').where('next_run_at', '>', after)),
);

/** Some are taken before anything is joined to them: else PostgreSQL may join a million first. */
function withSites(sql: Knex, schedules: Knex.QueryBuilder): Knex.QueryBuilder {
  return sql(schedules.orderBy('next_run_at').limit(PLANNED_AT_ONCE).as('some'))
    .join('sites', 'sites.id', 'some.site_id')
    .join('accounts', 'accounts.id', 'sites.account_id')
    .select(['some.site_id', 'some.frequency', 'some.next_run_at'])
    .select(['sites.account_id', 'accounts.plan', 'sites.verified_at']);
}

/** @param schedules JSON: `[{site_id, next_run_at}, …]` */
export const updateNextRuns = defineQuery<never, { schedules: string }>((sql, { schedules }) =>
  sql.raw('UPDATE schedules SET next_run_at = given.next_run_at FROM ? WHERE schedules.site_id = given.site_id', [
    jsonRows(sql, schedules, ['site_id', 'next_run_at']),
  ]),
);

export const updateNextRun = defineQuery<never, { site_id: string; next_run_at: string }>(
  (sql, { site_id, next_run_at }) => sql('schedules').where({ site_id }).update({ next_run_at }),
);
