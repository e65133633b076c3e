import { ServiceError } from '../platform/errors.js';

/** `unavailable`: unreachable, locked, or without the current schema. */
export type FailureReason = 'unavailable' | 'fault';

/** No connection to the engine could be opened, or it broke before COMMIT, so nothing changed. */
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
   * resources (53), shutting down and starting up (57P), ended because this process was stalled between two statements (25P03), input or
   * output (58), read-only stand-by (25006). pg reports failures of its own connections only by message.
   */
  unavailable: new RegExp(
    '^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOTADB|CORRUPT|PROTOCOL|PERM|NOMEM)' +
      '|(08...|28...|3D...|53...|55P03|57P..|57014|58...|25006|25P03) ' +
      '|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT|EACCES' +
      '| .*(terminat|timeout|not queryable|Client has encountered a connection error))',
    'i',
  ),
  /** The statement names something that the schema lacks, so `migrate` has not been run yet. */
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

/** Maps the error of a database that is unreachable, locked or without the current schema to `overloaded`. Returns others unchanged. */
export function mapDatabaseError(cause: unknown): unknown {
  if (cause instanceof ServiceError) return cause;
  const isOverloaded = (['unavailable', 'conflict', 'oldSchema'] as const).some((kind) => isFailure(cause, kind));
  return isOverloaded ? new ServiceError('overloaded', { cause }) : cause;
}

/** Returns why the database failed; null for an error that the work of a transaction threw itself. */
export function failureReason(mapped: unknown): FailureReason | null {
  if (!(mapped instanceof ServiceError)) return isFailure(mapped, 'rejected') ? 'fault' : null;
  return mapped.code === 'overloaded' && mapped.cause !== undefined ? 'unavailable' : null;
}
