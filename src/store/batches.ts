import type { Knex } from 'knex';
import { type Pause, yieldToEventLoop } from '../platform/concurrency.js';
import type { Database } from './database.js';
import { defineQuery, deleteReturning, type Dialect, isPostgres, primaryKey, type TableName } from './query.js';

/**
 * Yields all rows, read a page at a time until a page is empty.
 * @param read returns the rows after `last`, or the first rows if it is undefined
 */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
    yield* page;
    await yieldToEventLoop();
  }
}

/** Few enough for a short statement: 100 runs are about a megabyte. */
const ROWS_AT_ONCE = 100;

/**
 * Defines a function that deletes any number of rows in batches.
 * @param condition SQL that compares with one value, `?`
 */
export function defineDeletion(table: TableName, condition: string | Readonly<Record<Dialect, string>>) {
  const key = primaryKey(table);
  const select = (sql: Knex, value: Knex.Raw, count: number) => {
    const where = typeof condition === 'string' ? condition : condition[isPostgres(sql) ? 'postgres' : 'sqlite'];
    return sql(table).select(key).whereRaw(where, [value]).limit(count);
  };
  const selectOne = defineQuery<object, { value: string }>((sql, { value }) => select(sql, value, 1));
  const deleteBatch = defineQuery<object, { value: string }>(
    (sql, { value }) => deleteReturning(sql, sql(table).whereIn([...key], select(sql, value, ROWS_AT_ONCE)), key[0]),
    { durability: 'process' },
  );
  return async (db: Database, value: string, pause: Pause = yieldToEventLoop): Promise<void> => {
    for (;;) {
      const deleted = await db.run(deleteBatch({ value }));
      // Another process may have just deleted these rows. `FOR UPDATE` would prevent that, but the serving role may not update runs.
      if (deleted.length === 0 && (await db.run(selectOne({ value }))).length === 0) return;
      await pause();
    }
  };
}
