import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import t from 'tap';
import { ParentMissing, UniqueViolation } from '../../src/store/errors.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { defineQuery } from '../../src/store/query.js';
import { schemaName } from '../../src/store/schema/index.js';
import { schemaStatus } from '../../src/store/schema-check.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';

const insert = defineQuery<never, { digest: string; account: string }>((sql, { digest, account }) =>
  sql('sign_in_links').insert({ digest, account_id: account, expires_at: 'never' }),
);
const digests = defineQuery<{ digest: string }>((sql) => sql('sign_in_links').select('digest').orderBy('digest'));
const countLinks = defineQuery<{ count: number }>((sql) => sql('sign_in_links').count('* as count'));

/** Runs a statement of the test's own, such as one that breaks the schema. */
async function runRaw(url: string, statement: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    new Sqlite(sqlitePath(url)).exec(statement).close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

onEachDatabase(async (t, engine) => {
  t.test('migrating', async (t) => {
    t.test('three at once do the work once', async (t) => {
      const url = await engine.newUrl(t);
      const done = await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
      t.same(done.flat(), [schemaName(engine.name)]);
    });

    t.test('the status tells what is missing, and a stale lock of knex holds nobody up', async (t) => {
      const url = await engine.newUrl(t);
      const db = await openDatabase(url);
      t.teardown(() => db.close());
      t.equal(await schemaStatus(db), 'behind', 'before the first migration');
      await t.rejects(db.run(digests({})), { code: 'overloaded' }, 'an old schema is not a fault of the request');
      await migrateDatabase(url);
      t.equal(await schemaStatus(db), 'current');
      await runRaw(url, 'UPDATE knex_migrations_lock SET is_locked = 1');
      t.same(await migrateDatabase(url), []);
      await runRaw(url, 'DELETE FROM knex_migrations');
      t.equal(await schemaStatus(db), 'behind');
    });

    t.test('a missing guard is told at start and by migrate', async (t) => {
      const url = await engine.newUrl(t);
      await migrateDatabase(url);
      await runRaw(
        url,
        engine.name === 'sqlite' ? 'DROP TRIGGER runs_no_update' : 'DROP TRIGGER runs_no_update ON runs',
      );
      const db = await openDatabase(url);
      t.teardown(() => db.close());
      t.equal(await schemaStatus(db), 'unguarded');
      await t.rejects(migrateDatabase(url), { message: /runs\.runs_no_update/ });
    });

    t.test('a migration that fails leaves the database as it was', async (t) => {
      const url = await engine.newUrl(t);
      if (engine.name === 'sqlite') writeFileSync(sqlitePath(url), '');
      await runRaw(url, 'CREATE TABLE webhooks (x text)');
      await t.rejects(migrateDatabase(url), { message: /webhooks.* already exists/ });
      const db = await openDatabase(url);
      t.teardown(() => db.close());
      t.equal(await schemaStatus(db), 'behind');
      await t.rejects(db.run(digests({})), { code: 'overloaded' }, 'the tables that came before are not there');
      await runRaw(url, 'DROP TABLE webhooks');
      t.same(await migrateDatabase(url), [schemaName(engine.name)]);
    });
  });

  t.test('a transaction does all or nothing', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    const before = await db.run(digests({}));
    const seen = await db.transaction(async (tx) => {
      await tx.run(insert({ digest: '0', account }));
      return (await tx.run(digests({}))).length;
    });
    t.equal(seen, before.length + 1, 'it sees what it wrote');
    await t.rejects(
      db.transaction(async (tx) => {
        await tx.run(insert({ digest: '1', account }));
        throw new Error('broken off');
      }),
      { message: 'broken off' },
    );
    await t.rejects(
      db.transaction(async (tx) => {
        await tx.run(insert({ digest: '2', account }));
        await tx.run(insert({ digest: '0', account }));
      }),
      UniqueViolation,
    );
    await t.rejects(db.run(insert({ digest: '3', account: 'acc_gone' })), ParentMissing);
    t.equal((await db.run(digests({}))).length, before.length + 1);
  });

  t.test('counts are numbers, bytes are bytes, and a statement can be run with other values', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    await Promise.all(['a', 'b', 'c'].map((digest) => db.run(insert({ digest, account }))));
    t.equal((await db.run(countLinks({})))[0]?.count, 4);
    const echo = defineQuery<{ bytes: Uint8Array }, { bytes: Uint8Array }>((sql, { bytes }) =>
      sql.raw(engine.name === 'sqlite' ? 'SELECT ? AS bytes' : 'SELECT CAST(? AS bytea) AS bytes', [bytes]),
    );
    const bytes = Buffer.from([0, 255, 128, 10]);
    t.ok(bytes.equals((await db.run(echo({ bytes })))[0]?.bytes ?? Buffer.alloc(0)));
  });

  t.test('increments at the same time are all counted', async (t) => {
    const db = await engine.openDb(t);
    const { id } = await addAccount(db);
    const read = defineQuery<{ reference_counter: number }>((sql) => sql('accounts').select('reference_counter'));
    const write = defineQuery<never, { id: string; value: number }>((sql, { id, value }) =>
      sql('accounts').where({ id }).update({ reference_counter: value }),
    );
    const lock = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
      sql('accounts').where({ id }).forUpdate(),
    );
    await Promise.all(
      Array.from({ length: 25 }, () =>
        db.transaction(async (tx) => {
          await tx.one(lock({ id }));
          const row = await tx.one(read({}));
          await tx.run(write({ id, value: (row?.reference_counter ?? 0) + 1 }));
        }),
      ),
    );
    t.equal((await db.run(read({})))[0]?.reference_counter, 25);
  });
});

t.test('a SQLite file that goes away and comes back needs no restart [sqlite]', async (t) => {
  const folder = `${t.testdir({ data: {} })}/data`;
  const path = `${folder}/service.db`;
  const url = `sqlite:${path}`;
  await migrateDatabase(url);
  t.equal(statSync(path).mode & 0o077, 0, 'only its owner reads it');
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  const { id: account } = await addAccount(db);
  renameSync(folder, `${folder}-away`);
  const lost = db.transaction((tx) => tx.run(insert({ digest: 'lost', account })));
  await t.rejects(lost, { code: 'overloaded', retryAfterS: 5 }, 'nothing is written to a file that is gone');
  t.equal(await schemaStatus(db), 'behind');
  t.notOk(existsSync(path), 'and no empty one takes its place');
  renameSync(`${folder}-away`, folder);
  t.equal(await schemaStatus(db), 'current');
  t.equal((await db.run(digests({}))).length, 1);
});

t.test("another process's lock is waited for without holding up this one [sqlite]", async (t) => {
  const url = `sqlite:${t.testdir({})}/service.db`;
  await migrateDatabase(url);
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  const { id: account } = await addAccount(db);
  const other = new Sqlite(sqlitePath(url));
  other.exec('BEGIN IMMEDIATE');
  const written = db.run(insert({ digest: 'later', account }));
  t.equal((await db.run(digests({}))).length, 1, 'reads go on');
  other.exec('COMMIT');
  other.close();
  await written;
  t.equal((await db.run(digests({}))).length, 2);
});

t.test('an address of another kind is refused', async (t) => {
  await t.rejects(openDatabase('mysql://localhost/x'), { message: /sqlite:FILE or postgres/ });
});
