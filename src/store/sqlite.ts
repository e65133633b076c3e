import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Durability, Query, Value } from './query.js';
import { createSql, type Engine, isFailure, retryConflicts, type Sql } from './database.js';

/**
 * How long the driver may block the event loop for another process's lock. After that the wait continues without blocking, until
 * `LOCK_WAIT_MS`.
 */
const BUSY_TIMEOUT_MS = 20;
const LOCK_WAIT_MS = 5000;

/** Size to which the log is truncated after a long reader made it grow. It is checkpointed at 4 MB. */
export const WAL_BYTES_LIMIT = 16 * 1024 * 1024;

/**
 * Page cache of a connection. A list of 400 sites reads the last run of each, some 1,000 pages across the file. SQLite's default of 2 MB
 * would evict them between two views.
 */
const CACHE_KIB = 8 * 1024;

/** In WAL mode, FULL waits for the disk at each commit, NORMAL at each checkpoint. A FULL commit secures all commits before it. */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = { power: 'FULL', process: 'NORMAL' };

export function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length);
}

/** Opens the process's only writing connection at first use. Transactions run one after another; other statements wait for them. */
export function openSqlite(path: string): Engine {
  let connection: Connection | null = null;
  /** Resolves when all transactions so far have ended. */
  let lastTransaction: Promise<unknown> = Promise.resolve();
  /** Resolves when the open transaction ends. */
  let openTransaction: Promise<unknown> | null = null;

  const disconnect = (): void => {
    connection?.close();
    connection = null;
  };
  const use = async <T>(step: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      connection ??= new Connection(path);
      return await step(connection);
    } catch (error) {
      // On a full disk, a connection can still read, but a new one could not be opened.
      if (isFailure(error, 'unavailable') && !isFailure(error, 'conflict') && !isFailure(error, 'diskFull'))
        disconnect();
      throw error;
    }
  };
  return {
    run(query) {
      const step = async () => {
        while (openTransaction) await openTransaction;
        return use(async (connection) => connection.run(query));
      };
      return retryConflicts(step, LOCK_WAIT_MS);
    },
    transact(work, durability) {
      const attempt = () =>
        use(async (connection) => {
          const ended = Promise.withResolvers<void>();
          openTransaction = ended.promise;
          try {
            return await connection.transact(work, durability);
          } finally {
            openTransaction = null;
            ended.resolve();
          }
        });
      // Only one transaction tries at a time, since each try blocks the event loop for `BUSY_TIMEOUT_MS`.
      const result = lastTransaction.then(() => retryConflicts(attempt, LOCK_WAIT_MS));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    async close() {
      await lastTransaction;
      disconnect();
    },
  };
}

class Connection {
  readonly #sqlite: Sqlite.Database;
  readonly #statements: Record<string, Sqlite.Statement<Value[]>> = {};
  #durability: Durability | null = null;

  constructor(path: string) {
    // For a missing folder, the driver would report an argument of the wrong type.
    if (!existsSync(path)) throw new Sqlite.SqliteError('The database file is missing.', 'SQLITE_CANTOPEN');
    this.#sqlite = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      // SQLite does not check foreign keys by default.
      this.#sqlite.pragma('foreign_keys = ON');
      // A negative number counts KiB, a positive one pages.
      this.#sqlite.pragma(`cache_size = -${CACHE_KIB}`);
      this.#sqlite.pragma(`journal_size_limit = ${WAL_BYTES_LIMIT}`);
    } catch (error) {
      // The file is damaged. If it stayed open, `restore` could not replace it.
      this.#sqlite.close();
      throw error;
    }
  }

  run<Row>({ statement, params }: Query<Row>): readonly Row[] {
    const prepared = this.#prepare(statement.sqlFor('sqlite'));
    const values = statement.bind('sqlite', params);
    if (!prepared.readonly && !this.#sqlite.inTransaction) this.#setDurability(statement.durability);
    if (prepared.reader) return prepared.all(...values) as Row[];
    prepared.run(...values);
    return [];
  }

  /** @throws Error if the work awaits something other than its statements */
  async transact<T>(work: (sql: Sql) => Promise<T>, durability: Durability): Promise<T> {
    this.#setDurability(durability);
    this.#prepare('BEGIN IMMEDIATE').run();
    let isOver = false;
    const sql = createSql(async (query) => {
      if (isOver) throw new Error('The transaction of this statement has ended.');
      return this.run(query);
    });
    // Fires only if the work awaits something else.
    const late = Promise.withResolvers<never>();
    const immediate = setImmediate(() =>
      late.reject(new Error('A transaction may await nothing but its own statements.')),
    );
    try {
      const result = await Promise.race([work(sql), late.promise]);
      this.#prepare('COMMIT').run();
      return result;
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#prepare('ROLLBACK').run();
      throw error;
    } finally {
      isOver = true;
      clearImmediate(immediate);
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  #setDurability(durability: Durability): void {
    if (durability === this.#durability) return;
    this.#sqlite.pragma(`synchronous = ${SYNCHRONOUS[durability]}`);
    this.#durability = durability;
  }

  #prepare(sql: string): Sqlite.Statement<Value[]> {
    return (this.#statements[sql] ??= this.#sqlite.prepare<Value[]>(sql));
  }
}
