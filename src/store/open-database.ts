import type { DatabaseObserver, StatementKind } from '../platform/database-metrics.js';
import type { Database, Engine, Hook, Sql } from './database.js';
import { failureReason, mapDatabaseError } from './errors.js';
import { createSql, type Dialect } from './query.js';
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

function createDatabase(url: string, dialect: Dialect, engine: Engine, observer?: DatabaseObserver): Database {
  const observe = async <T>(kind: StatementKind, ask: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      const result = await ask();
      observer?.answered(kind, performance.now() - startedMs);
      return result;
    } catch (cause) {
      const error = mapDatabaseError(cause);
      const reason = failureReason(error);
      if (reason) observer?.failed(kind, performance.now() - startedMs, reason);
      else observer?.answered(kind, performance.now() - startedMs);
      throw error;
    }
  };
  return {
    ...createSql((query) => observe(query.statement.kind, () => engine.run(query))),
    ...{ url, dialect },
    async transaction(work, durability = 'power') {
      let hooks = new Set<Hook>();
      const attempt = (sql: Sql) => {
        // An attempt that lost a conflict has added some.
        hooks = new Set();
        return work({ ...sql, afterCommit: (hook) => void hooks.add(hook) });
      };
      const result = await observe('transaction', () => engine.transact(attempt, durability));
      for (const hook of hooks) hook({ url });
      return result;
    },
    close: () => engine.close(),
  };
}
