import type { FailureReason } from '../platform/database-metrics.js';
import { ServiceError } from '../platform/errors.js';

/** A row with this key already exists. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

/** The row's parent does not exist, or no longer does. */
export class ParentMissing extends Error {
  override readonly name = 'ParentMissing';
}

/** No connection to the engine could be opened, so nothing was sent. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

/** Patterns for an error's code and message with a space between them: SQLite's result codes, PostgreSQL's and Node's codes. */
const PATTERNS = {
  unique: /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)) /,
  parentMissing: /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY) /,
  /** The statement or transaction changed nothing and may succeed if repeated at once. */
  conflict: /^(40001|40P01|SQLITE_BUSY)/,
  /** Cancelled by a timeout: of a lock, or of a statement. */
  timeout: /^(55P03|57014) /,
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
  answered: /^(SQLITE_|(?!E[A-Z]{4} |08|57P)[0-9A-Z]{5} )/,
};

function matches(error: unknown, pattern: keyof typeof PATTERNS): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return PATTERNS[pattern].test(`${code} ${error.message}`);
}

export function isConflict(error: unknown): boolean {
  return matches(error, 'conflict') || isOldPlan(error);
}

/** True if PostgreSQL's plan of a prepared statement predates a migration; another connection makes a new plan. */
export function isOldPlan(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

/** True if the engine or its file cannot be reached or used. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof NotConnected || matches(error, 'unavailable');
}

/** True if rows were locked for too long, so nothing changed. */
export function isBusy(error: unknown): boolean {
  const cause = causeOf(error);
  return isConflict(cause) || matches(cause, 'timeout');
}

export function isDiskFull(error: unknown): boolean {
  return matches(causeOf(error), 'diskFull');
}

export function isOldSchema(error: unknown): boolean {
  return matches(error, 'oldSchema');
}

/** True if the rejected statement certainly changed nothing and may be retried later. */
export function changedNothing(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof NotConnected || matches(cause, 'answered');
}

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError ? error.cause : error;
}

/**
 * Maps an engine's error to a service error, with the original as its cause: a unique violation, a missing parent, or
 * `overloaded` for a database that is away, locked, or behind the code. Any other error is an internal fault and is returned
 * unchanged.
 */
export function mapDatabaseError(cause: unknown): unknown {
  if (matches(cause, 'unique')) return new UniqueViolation('A row with this key already exists.', { cause });
  if (matches(cause, 'parentMissing'))
    return new ParentMissing('The row refers to one that does not exist.', { cause });
  if (isUnavailable(cause) || isConflict(cause) || isOldSchema(cause)) return new ServiceError('overloaded', { cause });
  return cause;
}

/** Returns why the database failed; null for an error that the work of a transaction threw itself. */
export function failureReason(mapped: unknown): FailureReason | null {
  if (mapped instanceof UniqueViolation) return 'conflict';
  if (mapped instanceof ServiceError)
    return mapped.code === 'overloaded' && mapped.cause !== undefined ? 'unavailable' : null;
  return mapped instanceof ParentMissing || matches(mapped, 'answered') ? 'fault' : null;
}
