import type { Database } from './database.js';
import { openSqlite } from './sqlite.js';

/**
 * Opens `sqlite:FILE` or `postgres://…`. Nothing is connected to yet, so a database that is away is no error here. A SQLite file
 * that is missing is not made (`migrateDatabase` makes it).
 * @throws Error for another scheme
 */
export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith('sqlite:')) return openSqlite(url);
  // Its driver is loaded only where there is a server to talk to.
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./postgres.js')).openPostgres(url);
  throw new Error('The database is sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.');
}
