import { timeAfter, utcDay } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/**
 * Takes one of the day's runs: a row when there was one left. One conditional statement, so that callers at the same time
 * cannot take more than `limit` between them.
 */
export const takeDailyRun = defineQuery<
  { used: number },
  { site_id: string; day: string; trigger: string; limit: number }
>((sql, { site_id, day, trigger, limit }) =>
  sql('run_budgets')
    .insert({ site_id, day, trigger, used: 1 })
    .onConflict(['site_id', 'day', 'trigger'])
    .merge({ used: sql.raw('run_budgets.used + 1') })
    .where('run_budgets.used', '<', limit)
    .returning('used'),
);

/** Gives one back to the day that it was taken from. */
export const returnDailyRun = defineQuery<never, { site_id: string; day: string; trigger: string }>(
  (sql, { site_id, day, trigger }) =>
    sql('run_budgets').where({ site_id, day, trigger }).where('used', '>', 0).decrement('used', 1),
);

/** How many of the day's runs are taken; no row: none. */
export const selectDailyRuns = defineQuery<{ used: number }, { site_id: string; day: string; trigger: string }>(
  (sql, { site_id, day, trigger }) => sql('run_budgets').select('used').where({ site_id, day, trigger }),
);

const DAY_MS = 86_400_000;

/** A run that was admitted yesterday may still be given back to its day. */
export const cleanUpBudgets = defineCleanup<{ before_day: string }>(
  'run_budgets',
  ['site_id', 'day', 'trigger'],
  (rows, { before_day }) => rows.where('day', '<', before_day),
  (now) => ({ before_day: utcDay(timeAfter(now, -DAY_MS)) }),
);
