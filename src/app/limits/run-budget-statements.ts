import { timeAfter, utcDay } from '../../platform/clock.js';
import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import { defineQuery, jsonRows } from '../../store/query.js';

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

/** The same by what started them. */
export const selectRunsOfDay = defineQuery<{ trigger: string; used: number }, { site_id: string; day: string }>(
  (sql, { site_id, day }) => sql('run_budgets').select('trigger', 'used').where({ site_id, day }),
);

/** Keeps what a site that goes has taken of its days, a running run included. Where two of one host go, by http and https, the two add up. */
export const keepBudgets = defineQuery<never, { site_id: string; account_id: string; host: string }>(
  (sql, { site_id, account_id, host }) =>
    sql.raw(
      `INSERT INTO removed_budgets (account_id, host, day, trigger, used)
        SELECT CAST(? AS text), CAST(? AS text), day, trigger, used FROM run_budgets WHERE site_id = ?
        ON CONFLICT (account_id, host, day, trigger) DO UPDATE SET used = removed_budgets.used + excluded.used`,
      [account_id, host, site_id],
    ),
);

/** Gives new sites what was kept, which is then to be dropped. @param sites JSON: `[{site_id, host}, …]` */
export const restoreBudgets = defineQuery<never, { account_id: string; sites: string }>((sql, { account_id, sites }) =>
  sql.raw(
    `INSERT INTO run_budgets (site_id, day, trigger, used)
      SELECT given.site_id, kept.day, kept.trigger, kept.used
      FROM removed_budgets AS kept JOIN ? ON given.host = kept.host WHERE kept.account_id = ?`,
    [jsonRows(sql, sites, ['site_id', 'host']), account_id],
  ),
);

export const dropKeptBudgets = defineQuery<never, { account_id: string; sites: string }>((sql, { account_id, sites }) =>
  sql('removed_budgets')
    .where({ account_id })
    .whereIn('host', sql.select('given.host').from(jsonRows(sql, sites, ['site_id', 'host'])))
    .delete(),
);

const DAY_MS = 86_400_000;

/** A run that was admitted yesterday may still be given back to its day. */
function cleanUpDays(table: string, ...key: [string, ...string[]]): Cleanup {
  return defineCleanup<{ before_day: string }>(
    table,
    [...key, 'day', 'trigger'],
    (rows, { before_day }) => rows.where('day', '<', before_day),
    (now) => ({ before_day: utcDay(timeAfter(now, -DAY_MS)) }),
  );
}

export const cleanUpBudgets = cleanUpDays('run_budgets', 'site_id');
export const cleanUpKeptBudgets = cleanUpDays('removed_budgets', 'account_id', 'host');
