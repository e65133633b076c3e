import type { DatabaseObserver } from '../platform/database-metrics.js';
import type { Database } from './database.js';
import { openSqlite } from './sqlite.js';

/**
 * Opens `sqlite:FILE` or `postgres://…`. Does not connect yet, so a database that is away is not an error here. Does not create a
 * missing SQLite file (`migrateDatabase` does).
 * @throws Error for another scheme
 */
export async function openDatabase(url: string, observer?: DatabaseObserver): Promise<Database> {
  if (url.startsWith('sqlite:')) return openSqlite(url, observer);
  // The driver is loaded only when it is used.
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./postgres.js')).openPostgres(url, observer);
  throw new Error('The database must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.');
}
