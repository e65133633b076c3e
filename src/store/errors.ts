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

/** SQLite's primary result codes that mean that the file cannot be used now, not that the statement is wrong. */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOTADB|CORRUPT|PROTOCOL|PERM|NOMEM)/;

/**
 * PostgreSQL's codes: connection (08), wrong password or role (28), no such database (3D), resources (53), lock timeout (55P03),
 * shutting down and starting up (57P), cancelled by our own timeout (57014), ended by that timeout because this process was
 * stalled between two statements (25P03), input or output (58), read-only stand-by (25006).
 */
const POSTGRES_UNAVAILABLE = /^(08...|28...|3D...|53...|55P03|57P..|57014|58...|25006|25P03)$/;

/**
 * The schema is older than the code: SQLite says so in the message, PostgreSQL by codes for an undefined table, column or
 * function.
 */
const POSTGRES_OLD_SCHEMA = /^(42P01|42703|42883|3F000)$/;
const SQLITE_OLD_SCHEMA = /^(no such (table|column)|table \w+ has no column)/;

const NODE_UNAVAILABLE = /^(ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT|EACCES)/;

/** pg reports failures of its own connections only by message. */
const PG_CLIENT_UNAVAILABLE = /terminat|timeout|not queryable|Client has encountered a connection error/i;

/** True if the failed statement or transaction changed nothing and may succeed if repeated at once. */
export function isConflict(error: unknown): boolean {
  const code = readCode(error);
  return code === '40001' || code === '40P01' || code.startsWith('SQLITE_BUSY') || isOldPlan(error);
}

/** True if PostgreSQL's plan of a prepared statement predates a migration; another connection makes a new plan. */
export function isOldPlan(error: unknown): boolean {
  return (
    readCode(error) === '0A000' &&
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  );
}

/** True if the engine or its file cannot be reached or used. */
export function isUnavailable(error: unknown): boolean {
  const code = readCode(error);
  return (
    error instanceof NotConnected ||
    SQLITE_UNAVAILABLE.test(code) ||
    POSTGRES_UNAVAILABLE.test(code) ||
    NODE_UNAVAILABLE.test(code) ||
    (error instanceof Error && code === '' && PG_CLIENT_UNAVAILABLE.test(error.message))
  );
}

/** True if a service error means that rows were locked for too long, so nothing changed. */
export function isBusy(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isConflict(cause) || /^(55P03|57014)$/.test(readCode(cause));
}

/** True if the disk is full: SQLite can still read. */
export function isDiskFull(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(readCode(error instanceof ServiceError ? error.cause : error));
}

/** True if the statement names something that the schema lacks, so `migrate` has not been run yet. */
export function isOldSchema(error: unknown): boolean {
  const code = readCode(error);
  if (code === 'SQLITE_ERROR') return error instanceof Error && SQLITE_OLD_SCHEMA.test(error.message);
  return POSTGRES_OLD_SCHEMA.test(code);
}

/**
 * Maps an engine's error to a service error, with the original as its cause: a unique violation, a missing parent, or
 * `overloaded` for a database that is away, locked, or behind the code. Any other error is an internal fault and is returned
 * unchanged.
 */
export function mapDatabaseError(error: unknown): unknown {
  const code = readCode(error);
  if (code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation('A row with this key already exists.', { cause: error });
  }
  if (code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new ParentMissing('The row refers to one that does not exist.', { cause: error });
  }
  if (isUnavailable(error) || isConflict(error) || isOldSchema(error)) return unavailable(error);
  return error;
}

/** A code that PostgreSQL answers; most of Node's codes are longer. */
const SQL_STATE = /^(?!E[A-Z]{4}$)[0-9A-Z]{5}$/;

/**
 * True if the rejected statement certainly changed nothing and may be retried later. When an engine answers with an error, it has
 * always undone the statement.
 */
export function changedNothing(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (cause instanceof NotConnected) return true;
  const code = readCode(cause);
  return code.startsWith('SQLITE_') || (SQL_STATE.test(code) && !isAnswerLost(cause));
}

/**
 * True if PostgreSQL may have executed the failed statement: its answer was lost with the connection. When PostgreSQL answers
 * with an error, it has undone the statement, unless it ended the connection (08, 57P).
 */
export function isAnswerLost(error: unknown): boolean {
  const code = readCode(error);
  return !SQL_STATE.test(code) || /^(08|57P)/.test(code);
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('overloaded', { cause });
}

function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
