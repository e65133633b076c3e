import type { Knex } from 'knex';
import { defineQuery, deleteReturning, type Query, type Value } from '../../store/query.js';

/** What nobody needs any more is deleted a few rows at a time, so that no statement takes long. */
const ROWS_AT_ONCE = 500;

/** Deletes some of the rows that have had their time: a row for each that was deleted. */
export type DeleteSome<P> = (params: P) => Query<object>;

/**
 * @param key the table's primary key
 * @param isOld adds the condition
 */
function deleteSome<P extends { readonly [K in keyof P]: Value }>(
  table: string,
  key: readonly [string, ...string[]],
  isOld: (rows: Knex.QueryBuilder, params: { readonly [K in keyof P]: Knex.Raw }) => Knex.QueryBuilder,
): DeleteSome<P> {
  return defineQuery<object, P>(
    (sql, params) =>
      deleteReturning(
        sql,
        sql(table).whereIn([...key], isOld(sql(table).select(key), params).limit(ROWS_AT_ONCE)),
        key[0],
      ),
    { durability: 'process' },
  );
}

export const deleteOldBudgets = deleteSome<{ before_day: string }>(
  'run_budgets',
  ['site_id', 'day', 'trigger'],
  (rows, { before_day }) => rows.where('day', '<', before_day),
);

export const deleteOldKeyUsage = deleteSome<{ before_month: string }>(
  'key_usage',
  ['key_id', 'month'],
  (rows, { before_month }) => rows.where('month', '<', before_month),
);

export const deleteSomeEndedSessions = deleteSome<{ now: string; idle_before: string }>(
  'sessions',
  ['digest'],
  (rows, { now, idle_before }) => rows.where('expires_at', '<=', now).orWhere('last_seen_at', '<=', idle_before),
);

export const deleteSpentLinks = deleteSome<{ now: string }>('sign_in_links', ['digest'], (rows, { now }) =>
  rows.whereNotNull('used_at').orWhere('expires_at', '<=', now),
);

export const deleteSomeEndedWindows = deleteSome<{ now: string }>(
  'rate_windows',
  ['scope', 'subject', 'window_start'],
  (rows, { now }) => rows.where('expires_at', '<=', now),
);

/** Those that are still to be sent stay, however old they are. */
export const deleteOldDeliveries = deleteSome<{ before: string }>('deliveries', ['id'], (rows, { before }) =>
  rows.where('created_at', '<', before).whereNull('next_attempt_at'),
);

export const deleteSomeOldFreeScans = deleteSome<{ finished_before: string; started_before: string }>(
  'free_scans',
  ['hostname'],
  (rows, { finished_before, started_before }) =>
    rows
      .where('finished_at', '<=', finished_before)
      .orWhere((abandoned) => abandoned.whereNull('finished_at').where('started_at', '<=', started_before)),
);
