import type { Knex } from 'knex';
import type { Plan } from '../accounts/plan.js';
import type { Frequency } from './schedule.js';
import { defineQuery, lockFreeRows } from '../../store/query.js';

export interface ScheduleRow {
  readonly site_id: string;
  readonly frequency: Frequency;
  readonly next_run_at: string;
}

export const upsertSchedule = defineQuery<never, { site_id: string; frequency: string; next_run_at: string }>(
  (sql, { site_id, frequency, next_run_at }) =>
    sql('schedules')
      .insert({ site_id, frequency, next_run_at })
      .onConflict('site_id')
      .merge(['frequency', 'next_run_at']),
);

export const deleteSchedule = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('schedules').where({ site_id }).del(),
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

/** A schedule whose time has come, with what decides what happens now. */
export interface DueScheduleRow extends ScheduleRow {
  readonly account_id: string;
  readonly plan: Plan;
  readonly verified_at: string | null;
}

/** How many schedules are planned in one transaction. */
export const PLANNED_AT_ONCE = 100;

/** The longest due first, at most {@link PLANNED_AT_ONCE}. Those that another process is planning are left to it. */
export const selectDueSchedules = defineQuery<DueScheduleRow, { now: string }>((sql, { now }) =>
  lockSchedules(sql, (rows) => rows.where('schedules.next_run_at', '<=', now)),
);

/** The same for those whose next time is later than `after`. */
export const selectSchedulesAfter = defineQuery<DueScheduleRow, { after: string }>((sql, { after }) =>
  lockSchedules(sql, (rows) => rows.where('schedules.next_run_at', '>', after)),
);

function lockSchedules(sql: Knex, choose: (rows: Knex.QueryBuilder) => Knex.QueryBuilder): Knex.QueryBuilder {
  const rows = sql('schedules')
    .join('sites', 'sites.id', 'schedules.site_id')
    .join('accounts', 'accounts.id', 'sites.account_id')
    .select([
      ...['schedules.site_id', 'schedules.frequency', 'schedules.next_run_at'],
      ...['sites.account_id', 'accounts.plan', 'sites.verified_at'],
    ])
    .where({ 'sites.is_deleting': 0 })
    .orderBy('schedules.next_run_at')
    .limit(PLANNED_AT_ONCE);
  return lockFreeRows(sql, choose(rows), 'schedules');
}

export const updateNextRun = defineQuery<never, { site_id: string; next_run_at: string }>(
  (sql, { site_id, next_run_at }) => sql('schedules').where({ site_id }).update({ next_run_at }),
);
