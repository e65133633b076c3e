import type { Dialect } from './query.js';

/**
 * What the database's own clock says, so many seconds ago: SQL for an ISO text in UTC with milliseconds. A guard that compares with it
 * trusts no value of a row and no parameter. Within a transaction of PostgreSQL, and within a statement of SQLite, it stands still.
 */
export function databaseTime(dialect: Dialect, secondsAgo = 0): string {
  return dialect === 'sqlite'
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${secondsAgo} seconds')`
    : `to_char(now() AT TIME ZONE 'UTC' - interval '${secondsAgo} seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
