import Sqlite from 'better-sqlite3';
import { ServiceError } from '../../src/platform/errors.js';
import { SILENT_DATABASE } from '../../src/platform/http/app.js';
import { type Database, mapDatabaseError, NotConnected } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { createReadiness } from '../../src/wiring/serve.js';
import { TestClock } from '../support/accounts.js';
import { changeDatabase, watchStatements } from '../support/changed-database.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { rowsOf } from '../support/tables.js';

const WRITES = /\b(insert|update|delete)\b/i;

/** The database, whose disk takes no more while it is full. */
function onFullDisk(db: Database, isFull: () => boolean): Database {
  const full = (): Error => new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
  return watchStatements(db, ({ statement }, tx) => {
    if (!isFull() || !WRITES.test(statement.sqlFor(db.dialect))) return;
    // In a transaction, the database itself converts errors.
    throw tx === null ? mapDatabaseError(full()) : full();
  });
}

onEachDatabase(async (t, engine) => {
  t.test('a trial write, at most every five seconds, shows that the database can be written', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const checkReadiness = createReadiness(db, clock);
    const used = async () => ((await rowsOf(db, 'rate_windows')) as { used: number }[]).map((row) => row.used);
    t.same(await Promise.all(Array.from({ length: 20 }, () => checkReadiness())), Array(20).fill(null));
    t.same(await used(), [1]);
    clock.time = new Date(clock.time.getTime() + 5000);
    t.equal(await checkReadiness(), null);
    t.same(await used(), [2], 'in the same row');
  });

  t.test('the reason for not being ready is named', async (t) => {
    const db = await engine.openDb(t);
    const reason = (changed = db, isWorking = true) => createReadiness(changed, new TestClock(), () => isWorking)();
    const refuse = (cause: Error) => () => Promise.reject(new ServiceError('overloaded', { cause }));
    t.match(await reason(db, false), /\bqueued work\b/);
    t.equal(await reason(), null);
    t.match(await reason(changeDatabase(db, { transaction: refuse(new Error('read-only')) })), /\bwrites\b/);
    t.equal(await reason({ ...db, run: refuse(new NotConnected()) }), SILENT_DATABASE);
    await db.run(defineQuery<never>((sql) => sql('knex_migrations').delete())({}));
    t.match(await reason(), /\bschema\b/);
  });
});

onSqlite(async (t, engine) => {
  t.test('a full disk is named, until it has room again', async (t) => {
    let isFull = true;
    const clock = new TestClock();
    const checkReadiness = createReadiness(
      onFullDisk(await engine.openDb(t), () => isFull),
      clock,
    );
    t.match(await checkReadiness(), /\bdisk\b/);
    isFull = false;
    t.match(await checkReadiness(), /\bdisk\b/, 'for five seconds');
    clock.time = new Date(clock.time.getTime() + 5000);
    t.equal(await checkReadiness(), null);
  });
});
