import type { Knex } from 'knex';
import { defineQuery, deleteReturning, type Query, type Value } from './query.js';

/** Rows are deleted a few at a time, so that no statement takes long. */
const ROWS_AT_ONCE = 500;

/**
 * Deletes some rows that have served their time, and answers a row for each. Housekeeping repeats it until there are none.
 * @param evidenceDays how long the evidence behind findings is kept, by the operator's choice
 */
export type Cleanup = (now: Date, evidenceDays: number) => Query<object>;

/**
 * @param key the table's primary key
 * @param isOld adds the condition
 * @param paramsAt what the condition compares with, at the time of the clean-up
 */
export function defineCleanup<P extends { readonly [K in keyof P]: Value }>(
  table: string,
  key: readonly [string, ...string[]],
  isOld: (rows: Knex.QueryBuilder, params: { readonly [K in keyof P]: Knex.Raw }) => Knex.QueryBuilder,
  paramsAt: (now: Date) => P,
): (now: Date) => Query<object> {
  const deleteSome = defineQuery<object, P>(
    (sql, params) =>
      deleteReturning(
        sql,
        sql(table).whereIn([...key], isOld(sql(table).select(key), params).limit(ROWS_AT_ONCE)),
        key[0],
      ),
    { durability: 'process' },
  );
  return (now) => deleteSome(paramsAt(now));
}
