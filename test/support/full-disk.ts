import Sqlite from 'better-sqlite3';
import type { Database } from '../../src/store/database.js';
import { mapDatabaseError } from '../../src/store/errors.js';
import { watchStatements } from './changed-database.js';

const WRITES = /\b(insert|update|delete)\b/i;

/** The database, whose disk takes no more while it is full. */
export function onFullDisk(db: Database, isFull: () => boolean): Database {
  const full = (): Error => new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
  return watchStatements(db, ({ statement }, tx) => {
    if (!isFull() || !WRITES.test(statement.sqlFor(db.dialect))) return;
    // In a transaction, the database itself converts errors.
    throw tx === null ? mapDatabaseError(full()) : full();
  });
}
