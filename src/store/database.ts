import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../platform/errors.js';
import type { Dialect, Durability, Query, StatementKind } from './query.js';

/** Runs statements: a database, or one transaction of it. */
export interface Sql {
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /** Runs a statement and returns its first row. */
  one<Row>(query: Query<Row>): Promise<Row | undefined>;
}

/** Runs statements on one engine. Rejects with the driver's errors. */
export interface Engine {
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  transact<T>(work: (sql: Sql) => Promise<T>, durability: Durability): Promise<T>;
  close(): Promise<void>;
}

export function createSql(run: Sql['run']): Sql {
  return { run, one: async (query) => (await run(query))[0] };
}

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

/** A transaction. Its work may await only its own statements: on SQLite, all other statements of the process wait for it. */
export interface Tx extends Sql {
  /** Calls the function after the commit. A function added twice is called once. It must not throw. */
  afterCommit(hook: Hook): void;
}

type Hook = (db: { readonly url: string }) => void;

/** Receives the duration of each database call, including the wait for a connection or lock, and why it failed. */
export type DatabaseObserver = (kind: StatementKind, durationMs: number, reason?: FailureReason | null) => void;

/** Wraps an engine: maps its errors, reports to the observer, and calls hooks after commits. */
export function createDatabase(url: string, dialect: Dialect, engine: Engine, observer?: DatabaseObserver): Database {
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

const PAUSE_MS = 30;

/**
 * Retries `step` after conflicts with another process's lock or transaction, which change nothing, for at most `waitMs` from the first
 * conflict. Unlike SQLite's own waiting, the pauses do not block the event loop.
 * @throws what the last try threw
 */
export async function retryConflicts<T>(
  step: () => Promise<T>,
  waitMs: number,
  isRetryable = (error: unknown): boolean => isFailure(error, 'conflict'),
): Promise<T> {
  let giveUpMs: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      giveUpMs ??= performance.now() + waitMs;
      if (!isRetryable(error) || performance.now() > giveUpMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** When retries stop. Each try may itself wait 10 seconds, by {@link retryConflicts} and the server's statement timeout. */
const BUSY_WAIT_MS = 10_000;

/**
 * Retries a write while its rows are locked. For results that took long to get.
 * @throws what the last try threw
 */
export function retryBusy<T>(step: () => Promise<T>): Promise<T> {
  return retryConflicts(step, BUSY_WAIT_MS, (error) => isFailure(error, 'busy'));
}

/** `unavailable`: unreachable, locked, or without the current schema. */
type FailureReason = 'unavailable' | 'fault';

/** Thrown if no connection to the engine could be opened, or it broke before COMMIT, so nothing changed. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

/** Patterns for an error's code and message with a space between them: SQLite's result codes, PostgreSQL's and Node's codes. */
const PATTERNS = {
  /** The row's parent does not exist. */
  parentMissing: /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY) /,
  /** The statement or transaction changed nothing and may succeed if repeated at once. */
  conflict: /^(40001|40P01|SQLITE_BUSY)/,
  /** The rows were locked or the statement ran for too long, so nothing changed. */
  busy: /^(40001|40P01|SQLITE_BUSY|55P03|57014)/,
  /** SQLite can still read. */
  diskFull: /^SQLITE_(FULL|IOERR_SHMSIZE) /,
  /**
   * The engine or its file cannot be reached or used. PostgreSQL: connection (08), wrong password or role (28), no such database (3D),
   * resources (53), shutting down or starting up (57P), ended because this process stalled between two statements (25P03), I/O error (58),
   * read-only standby (25006). pg reports failures of its own connections only by message.
   */
  unavailable: new RegExp(
    '^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOTADB|CORRUPT|PROTOCOL|PERM|NOMEM)' +
      '|(08...|28...|3D...|53...|55P03|57P..|57014|58...|25006|25P03) ' +
      '|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT|EACCES' +
      '| .*(terminat|timeout|not queryable|Client has encountered a connection error))',
    'i',
  ),
  /** The statement names something that the schema lacks: `migrate` has not been run yet. */
  oldSchema: /^(42P01|42703|42883|3F000|SQLITE_ERROR (no such (table|column)|table \w+ has no column))/,
  /** The engine rejected the statement, so nothing changed. Most of Node's codes are longer than PostgreSQL's. */
  rejected: /^(SQLITE_|(?!E[A-Z]{4} |08|57P)[0-9A-Z]{5} )/,
};

/** True if the engine's error, or the cause of a service error, is of this kind. */
export function isFailure(error: unknown, kind: keyof typeof PATTERNS): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  if (cause instanceof NotConnected) return kind === 'unavailable';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return PATTERNS[kind].test(`${code} ${cause.message}`);
}

/** True if the rejected statement certainly changed nothing and may be retried later. */
export function changedNothing(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof NotConnected || isFailure(cause, 'rejected');
}

/** Maps errors of a database that is unreachable, locked or without the current schema to `overloaded`. Returns others unchanged. */
export function mapDatabaseError(cause: unknown): unknown {
  if (cause instanceof ServiceError) return cause;
  const isOverloaded = (['unavailable', 'conflict', 'oldSchema'] as const).some((kind) => isFailure(cause, kind));
  return isOverloaded ? new ServiceError('overloaded', { cause }) : cause;
}

/** Returns why the database failed; null for an error that the transaction's work itself threw. */
function failureReason(mapped: unknown): FailureReason | null {
  if (!(mapped instanceof ServiceError)) return isFailure(mapped, 'rejected') ? 'fault' : null;
  return mapped.code === 'overloaded' && mapped.cause !== undefined ? 'unavailable' : null;
}
