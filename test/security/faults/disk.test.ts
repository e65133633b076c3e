import { existsSync, renameSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Test } from 'tap';
import { consume, limitOf } from '../../../src/app/limits/limits.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { openDatabase, schemaStatus } from '../../../src/store/open.js';
import { WAL_BYTES_LIMIT, sqlitePath } from '../../../src/store/sqlite.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onSqlite } from '../../support/databases.js';
import { openCustomerApi } from '../../api/customer-api.js';
import { updateRows } from '../../support/tables.js';
import { outcomeOfAnswer } from './sweep.js';

const RUNS_MAX = 200;

const pragma = (text: string) => defineQuery<never>((sql) => sql.raw(`PRAGMA ${text}`))({});

/** Starts the API. While `isHeld`, the pragma is set before each call. */
async function startApi(t: Test, db: Database, isHeld: () => boolean, text: string) {
  const before = async (): Promise<unknown> => (isHeld() ? db.run(pragma(text)) : null);
  const changed = changeDatabase(db, {
    run: (query) => before().then(() => db.run(query)),
    transaction: (work) => before().then(() => db.transaction(work)),
  });
  const { start, read, send } = await openCustomerApi(t, changed, { quota: 100_000 });
  return {
    read,
    async start() {
      // So that the daily limit does not end the test.
      await updateRows(db, 'rate_windows', {}, { used: 0 }).catch(() => undefined);
      return start();
    },
    isAlive: async () => t.equal((await send('/healthz')).status, 200),
  };
}

onSqlite(async (t, engine) => {
  // statements.wide.test.ts also lets each statement fail as on a full disk.
  for (const [what, text, undo, reads] of [
    ['a full disk', 'max_page_count = 1', 'max_page_count = 1000000', 'done'],
    ['a read-only file', 'query_only = ON', 'query_only = OFF', 'refused'],
  ] as const) {
    t.test(`${what}: writes are refused until they work again, and no acknowledged run is lost`, async (t) => {
      let isHeld = false;
      const db = await engine.openDb(t);
      const { start, read, isAlive } = await startApi(t, db, () => isHeld, text);
      const bodies = [(await start()).text];
      isHeld = true;
      let refused = 0;
      for (let count = 0; count < RUNS_MAX && refused < 3; count += 1) {
        const answer = await start();
        if (outcomeOfAnswer(answer, 201) === 'done') bodies.push(answer.text);
        else refused += 1;
      }
      t.equal(refused, 3, `full after ${bodies.length} runs`);
      // A read is charged first, which a read-only file does not allow.
      t.equal(outcomeOfAnswer(await read(), 200), reads);
      await isAlive();
      isHeld = false;
      await db.run(pragma(undo));
      bodies.push((await start()).text);
      for (const [index, body] of bodies.entries()) t.equal((await read(String(index + 1))).text, body);
      t.equal((await read(String(bodies.length + 1))).status, 404);
      t.strictSame(await db.run(pragma('integrity_check')), [{ integrity_check: 'ok' }]);
    });
  }

  t.test('a database that is missing at first, and comes back', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const path = sqlitePath(url);
    renameSync(path, `${path}-away`);
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    await t.rejects(db.run(pragma('user_version')), { code: 'overloaded' });
    t.equal(await schemaStatus(db), 'behind');
    t.notOk(existsSync(path), 'no empty file takes its place');
    renameSync(`${path}-away`, path);
    t.equal(await schemaStatus(db), 'current');
  });

  t.test('the log that grew during a long read is truncated', async (t) => {
    const db = await engine.openDb(t);
    const wal = `${sqlitePath(db.url)}-wal`;
    const reader = new Sqlite(sqlitePath(db.url));
    reader.exec('BEGIN; SELECT count(*) FROM sites');
    const writer = new Sqlite(sqlitePath(db.url), { timeout: 5000 });
    writer.exec('CREATE TABLE heap (x)');
    const insert = writer.prepare('INSERT INTO heap VALUES (zeroblob(?))');
    while (statSync(wal).size <= 2 * WAL_BYTES_LIMIT) insert.run(WAL_BYTES_LIMIT / 4);
    reader.close();
    // A checkpoint without readers, then a write that restarts the log.
    for (let count = 0; count < 3; count += 1) await consume(db, [limitOf('readyz', 'x')], new Date());
    t.ok(statSync(wal).size <= WAL_BYTES_LIMIT, `${statSync(wal).size} bytes`);
    writer.close();
  });
});
