import Sqlite from 'better-sqlite3';
import type { Database } from '../../src/store/database.js';
import { mapDatabaseError } from '../../src/store/errors.js';
import type { Query } from '../../src/store/query.js';
import type { Transaction } from '../../src/store/transaction.js';
import { changeDatabase } from './changed-database.js';

const WRITES = /\b(insert|update|delete)\b/i;

/** The database, whose disk takes no more while it is full. */
export function onFullDisk(db: Database, isFull: () => boolean): Database {
  const full = (): Error => new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
  const isRefused = ({ statement }: Query<unknown>): boolean => isFull() && WRITES.test(statement.sqlFor(db.dialect));
  function* refusing<T>(steps: Transaction<T>): Transaction<T> {
    let step = steps.next([]);
    while (!step.done) {
      if (typeof step.value !== 'function' && isRefused(step.value)) throw full();
      step = steps.next(yield step.value);
    }
    return step.value;
  }
  return changeDatabase(db, {
    run: async (query) => {
      if (isRefused(query)) throw mapDatabaseError(full());
      return db.run(query);
    },
    transaction: (work) => db.transaction(() => refusing(work())),
  });
}
