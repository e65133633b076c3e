import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Database } from './database.js';
import { isConflict, isDiskFull, isUnavailable, mapDatabaseError } from './errors.js';
import type { Durability, Query, Value } from './query.js';
import { retryConflicts } from './retry.js';
import { Hooks, type Transaction } from './transaction.js';

/**
 * How long the driver may block the event loop for another process's lock. After that the wait continues without blocking, until
 * `LOCK_WAIT_MS`.
 */
const BUSY_TIMEOUT_MS = 20;
const LOCK_WAIT_MS = 5000;

/** How often a single statement checks whether the path still leads to the opened file. */
const FILE_CHECK_MS = 250;

/** If a long reader made the log grow, it is truncated to this size; it is checkpointed at 4 MB. */
export const WAL_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * How much of the database a connection keeps in memory at most. A list of 400 sites looks at the last run of each, some 1,000 pages in all
 * places of the file: SQLite's own 2 MB lose them from one view to the next.
 */
const CACHE_KIB = 8 * 1024;

export function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length);
}

/** Configures a new connection: SQLite checks foreign keys only when told to. */
export function configureSqlite(connection: Sqlite.Database): void {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('foreign_keys = ON');
  // A negative number counts KiB, a positive one pages.
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}

export function openSqlite(url: string): Database {
  return new SqliteDatabase(url);
}

/** The process's only writing connection; each transaction is one synchronous BEGIN IMMEDIATE … COMMIT. */
class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  #connection: Connection | null = null;

  constructor(readonly url: string) {}

  run<Row>(query: Query<Row>): Promise<readonly Row[]> {
    return this.#whenUnlocked(() => this.#connect(FILE_CHECK_MS).run(query));
  }

  async transaction<T>(work: () => Transaction<T>, durability: Durability = 'power'): Promise<T> {
    const { result, hooks } = await this.#whenUnlocked(() => this.#connect(0).transact(work, durability));
    hooks.call(this);
    return result;
  }

  async close(): Promise<void> {
    this.#disconnect();
  }

  #connect(fileCheckMs: number): Connection {
    if (this.#connection?.isStale(fileCheckMs)) this.#disconnect();
    this.#connection ??= new Connection(sqlitePath(this.url));
    return this.#connection;
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }

  async #whenUnlocked<T>(step: () => T): Promise<T> {
    try {
      return await retryConflicts(step, LOCK_WAIT_MS);
    } catch (error) {
      // On a full disk, a connection can still read, but a new one could not be opened.
      if (isUnavailable(error) && !isConflict(error) && !isDiskFull(error)) this.#disconnect();
      throw mapDatabaseError(error);
    }
  }
}

const SYNCHRONOUS: Readonly<Record<Durability, string>> = { power: 'FULL', process: 'NORMAL' };

class Connection {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<Value[]>>();
  readonly #file: string | null;
  #durability: Durability | null = null;
  #checkedMs = performance.now();

  constructor(private readonly path: string) {
    // For a missing folder, the driver would report an argument of the wrong type.
    if (!existsSync(path)) throw new Sqlite.SqliteError('The database file is missing.', 'SQLITE_CANTOPEN');
    this.#sqlite = new Sqlite(path, { fileMustExist: true });
    configureSqlite(this.#sqlite);
    this.#file = identityOf(path);
  }

  /** Whether the path now leads to a file other than the open one: writes to the open one would be lost. */
  isStale(checkedWithinMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < checkedWithinMs) return false;
    this.#checkedMs = nowMs;
    return identityOf(this.path) !== this.#file;
  }

  run<Row>({ statement, params }: Query<Row>): readonly Row[] {
    const prepared = this.#prepare(statement.sqlFor('sqlite'));
    const values = statement.bind('sqlite', params);
    if (!prepared.readonly && !this.#sqlite.inTransaction) this.#last(statement.durability);
    if (prepared.reader) return prepared.all(...values) as Row[];
    prepared.run(...values);
    return [];
  }

  transact<T>(work: () => Transaction<T>, durability: Durability): { readonly result: T; readonly hooks: Hooks } {
    this.#last(durability);
    this.#prepare('BEGIN IMMEDIATE').run();
    try {
      const hooks = new Hooks();
      const steps = work();
      let step = steps.next([]);
      while (!step.done) {
        const query = hooks.queryOf(step.value);
        step = steps.next(query ? this.run(query) : []);
      }
      this.#prepare('COMMIT').run();
      return { result: step.value, hooks };
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#prepare('ROLLBACK').run();
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  /**
   * In WAL mode, FULL waits for the disk at each commit, NORMAL at each checkpoint. A FULL commit secures all commits before it.
   */
  #last(durability: Durability): void {
    if (durability === this.#durability) return;
    this.#sqlite.pragma(`synchronous = ${SYNCHRONOUS[durability]}`);
    this.#durability = durability;
  }

  #prepare(sql: string): Sqlite.Statement<Value[]> {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      prepared = this.#sqlite.prepare<Value[]>(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}
