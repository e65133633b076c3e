import { type FailureReason, failureReason, mapDatabaseError } from './errors.js';
import { createSql, type Dialect, type Durability, type Engine, type Sql, type StatementKind } from './query.js';
import { openSqlite, sqlitePath } from './sqlite.js';

export type { Sql };

/**
 * A database of either engine. Every method rejects with `ServiceError('overloaded')` while the database is unavailable, and works again
 * once it is back.
 *
 * An acknowledged write always survives a kill of the process. It survives a power failure unless its statement was declared with
 * durability `process` (see {@link Durability}).
 */
export interface Database extends Sql {
  readonly dialect: Dialect;
  readonly url: string;
  /**
   * Runs `work` as one transaction. It may be restarted after it lost a conflict.
   * @param durability `power` by default
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, durability?: Durability): Promise<T>;
  close(): Promise<void>;
}

/** A transaction. Its work may await nothing but its own statements: on SQLite, everything else of the process waits for it. */
export interface Tx extends Sql {
  /** Calls the function after the commit. A function added twice is called once. It must not throw. */
  afterCommit(hook: Hook): void;
}

type Hook = (db: { readonly url: string }) => void;

/** Receives the duration of each database call, including the wait for a connection or lock, and why it failed. */
export type DatabaseObserver = (kind: StatementKind, durationMs: number, reason?: FailureReason | null) => void;

/**
 * Opens `sqlite:FILE` or `postgres://…`. Does not connect yet, so an unavailable database is not an error here. Does not create a
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

/** Wraps an engine: maps its errors, reports to the observer, and calls hooks after commits. */
function createDatabase(url: string, dialect: Dialect, engine: Engine, observer?: DatabaseObserver): Database {
  const observe = async <T>(kind: StatementKind, call: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      const result = await call();
      observer?.(kind, performance.now() - startedMs);
      return result;
    } catch (cause) {
      const error = mapDatabaseError(cause);
      observer?.(kind, performance.now() - startedMs, failureReason(error));
      throw error;
    }
  };
  return {
    ...createSql((query) => observe(query.statement.kindFor(dialect), () => engine.run(query))),
    url,
    dialect,
    async transaction(work, durability = 'power') {
      let hooks = new Set<Hook>();
      const attempt = (sql: Sql) => {
        // Drops the hooks of an attempt that lost a conflict.
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
