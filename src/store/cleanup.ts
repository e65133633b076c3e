import type { Knex } from 'knex';
import { type Pause, yieldToEventLoop } from '../platform/concurrency.js';
import type { Database } from './database.js';
import { defineQuery, deleteReturning, type Placeholders, type Query, type Value } from './query.js';

/** Rows are deleted a few at a time, so that no statement takes long. */
const ROWS_AT_ONCE = 500;

/**
 * Deletes some expired rows and returns a row for each. It is repeated until there are none.
 * @param evidenceDays how long evidence is stored
 */
export type Cleanup = (now: Date, evidenceDays: number) => Query<object>;

/**
 * Defines a statement that deletes expired rows, a few at a time.
 * @param key the table's primary key
 * @param isOld adds the condition
 * @param paramsAt the values that the condition compares with
 */
export function defineCleanup<P extends { readonly [K in keyof P]: Value }>(
  table: string,
  key: readonly [string, ...string[]],
  isOld: (rows: Knex.QueryBuilder, params: Placeholders<P>) => Knex.QueryBuilder,
  paramsAt: (now: Date) => P,
): (now: Date) => Query<object> {
  const deleteSome = defineQuery<object, P>(
    (sql, params) => {
      const some = isOld(sql(table).select(key), params).limit(ROWS_AT_ONCE);
      return deleteReturning(sql, sql(table).whereIn([...key], some), key[0]);
    },
    { durability: 'process' },
  );
  return (now) => deleteSome(paramsAt(now));
}

/** Repeats a statement that changes some rows and returns them, until none are left. */
export async function inBatches(
  db: Database,
  changeSome: Query<object>,
  pause: Pause = yieldToEventLoop,
): Promise<void> {
  while ((await db.run(changeSome)).length > 0) await pause();
}
