import type { Database } from './database.js';
import { createDatabase, type DatabaseObserver } from './query.js';
import { openSqlite, sqlitePath } from './sqlite.js';

/**
 * Opens `sqlite:FILE` or `postgres://…`. Does not connect yet, so a database that is away is not an error here. Does not create a
 * missing SQLite file (`migrateDatabase` does).
 * @throws Error for another scheme
 */
export async function openDatabase(url: string, observer?: DatabaseObserver): Promise<Database> {
  if (url.startsWith('sqlite:')) return createDatabase(url, 'sqlite', openSqlite(sqlitePath(url)), observer);
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new Error('The database must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.');
  }
  // The driver is loaded only when it is used.
  const { openPostgres } = await import('./postgres.js');
  return createDatabase(url, 'postgres', openPostgres(url), observer);
}
