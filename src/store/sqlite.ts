import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { DatabaseObserver } from '../platform/database-metrics.js';
import type { Database, Hook, Tx } from './database.js';
import { isConflict, isDiskFull, isUnavailable } from './errors.js';
import { createSql, type Durability, observe, type Query, retryConflicts, type Value } from './query.js';

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
 * Page cache of a connection. A list of 400 sites reads the last run of each, some 1,000 pages across the file: SQLite's default of 2 MB
 * evicts them between two views.
 */
const CACHE_KIB = 8 * 1024;

/** In WAL mode, FULL waits for the disk at each commit, NORMAL at each checkpoint. A FULL commit secures all commits before it. */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = { power: 'FULL', process: 'NORMAL' };

export function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length);
}

/** Configures a new connection: SQLite does not check foreign keys by default. */
export function configureSqlite(connection: Sqlite.Database): void {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('foreign_keys = ON');
  // A negative number counts KiB, a positive one pages.
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}

export function openSqlite(url: string, observer: DatabaseObserver | undefined): Database {
  return new SqliteDatabase(url, observer);
}

/** The process's only writing connection. Transactions follow one another, and other statements wait while one is open. */
class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  #connection: Connection | null = null;
  /** Resolves when the transactions so far have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Resolves when the open transaction ends. */
  #open: Promise<unknown> | null = null;

  constructor(
    readonly url: string,
    private readonly observer: DatabaseObserver | undefined,
  ) {}

  run<Row>(query: Query<Row>): Promise<readonly Row[]> {
    const step = async (): Promise<readonly Row[]> => {
      while (this.#open) await this.#open;
      return this.#use(FILE_CHECK_MS, async (connection) => connection.run(query));
    };
    return observe(query.statement.kind, retryConflicts(step, LOCK_WAIT_MS), this.observer);
  }

  async one<Row>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.run(query))[0];
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, durability: Durability = 'power'): Promise<T> {
    const transact = (): Promise<T> => this.#use(0, (connection) => this.#transact(connection, work, durability));
    // Retries within its turn: each try blocks the event loop for `BUSY_TIMEOUT_MS`, so only one transaction tries at a time.
    const result = this.#turn.then(() => retryConflicts(transact, LOCK_WAIT_MS));
    this.#turn = result.catch(() => undefined);
    return observe('transaction', result, this.observer);
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#disconnect();
  }

  async #transact<T>(connection: Connection, work: (tx: Tx) => Promise<T>, durability: Durability): Promise<T> {
    const hooks = new Set<Hook>();
    connection.begin(durability);
    const ended = Promise.withResolvers<void>();
    this.#open = ended.promise;
    try {
      const result = await whileOpen(connection, hooks, work);
      connection.commit();
      for (const hook of hooks) hook(this);
      return result;
    } catch (error) {
      connection.rollBack();
      throw error;
    } finally {
      this.#open = null;
      ended.resolve();
    }
  }

  async #use<T>(fileCheckMs: number, step: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#connection?.isStale(fileCheckMs)) this.#disconnect();
    try {
      this.#connection ??= new Connection(sqlitePath(this.url));
      return await step(this.#connection);
    } catch (error) {
      // On a full disk, a connection can still read, but a new one could not be opened.
      if (isUnavailable(error) && !isConflict(error) && !isDiskFull(error)) this.#disconnect();
      throw error;
    }
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }
}

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
    this.#file = fileIdentity(path);
  }

  /** True if the path now leads to a file other than the open one: writes to the open one would be lost. */
  isStale(checkedWithinMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < checkedWithinMs) return false;
    this.#checkedMs = nowMs;
    return fileIdentity(this.path) !== this.#file;
  }

  run<Row>({ statement, params }: Query<Row>): readonly Row[] {
    const prepared = this.#prepare(statement.sqlFor('sqlite'));
    const values = statement.bind('sqlite', params);
    if (!prepared.readonly && !this.#sqlite.inTransaction) this.#setDurability(statement.durability);
    if (prepared.reader) return prepared.all(...values) as Row[];
    prepared.run(...values);
    return [];
  }

  begin(durability: Durability): void {
    this.#setDurability(durability);
    this.#prepare('BEGIN IMMEDIATE').run();
  }

  commit(): void {
    this.#prepare('COMMIT').run();
  }

  rollBack(): void {
    if (this.#sqlite.inTransaction) this.#prepare('ROLLBACK').run();
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
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      prepared = this.#sqlite.prepare<Value[]>(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

/** Does the work of an open transaction. @throws Error when it awaits something other than its statements */
async function whileOpen<T>(connection: Connection, hooks: Set<Hook>, work: (tx: Tx) => Promise<T>): Promise<T> {
  let isOver = false;
  const sql = createSql(async (query) => {
    if (isOver) throw new Error('The transaction of this statement has ended.');
    return connection.run(query);
  });
  let immediate: NodeJS.Immediate | undefined;
  // The event loop only turns if the work waits for something else.
  const late = new Promise<never>((_, reject) => {
    immediate = setImmediate(() => reject(new Error('A transaction may await nothing but its own statements.')));
  });
  try {
    return await Promise.race([work({ ...sql, afterCommit: (hook) => void hooks.add(hook) }), late]);
  } finally {
    isOver = true;
    clearImmediate(immediate);
  }
}

function fileIdentity(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}
