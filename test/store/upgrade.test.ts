import { writeFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { createAccess } from '../../src/app/keys/access.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { ChainSweep } from '../../src/app/runs/chain-sweep.js';
import { verifyChains } from '../../src/app/runs/verify-chains.js';
import { workOff } from '../../src/queue/steps.js';
import { createRuns } from '../../src/app/runs/runs.js';
import { Slots } from '../../src/platform/slots.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { type Migration, MIGRATIONS } from '../../src/store/migrations/index.js';
import { openDatabase } from '../../src/store/open-database.js';
import { schemaStatus } from '../../src/store/schema-status.js';
import { addAccount, addSite, scanReport, TestClock } from '../support/accounts.js';
import { onEachDatabase, onPostgres } from '../support/databases.js';
import { untilBlocked } from '../support/lock-waits.js';
import { connectRaw } from '../support/raw-connection.js';
import { storeAsBefore } from '../support/raw-run.js';

/** Stands for the next migration until there is one: what it does is all that a migration may do to the guarded tables. */
const NEXT: Migration = {
  name: '0002-of-the-test',
  up: async (sql: Knex) => {
    for (const name of ['runs', 'sites', 'accounts'])
      await sql.schema.alterTable(name, (table) => void table.text('note'));
    await sql.schema.createTable('notes', (table) => table.text('site_id').references('sites.id').onDelete('CASCADE'));
  },
};

onEachDatabase(async (t, engine) => {
  t.test('a database comes to the next schema with all that it holds, and the program of before goes on', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const performRun = createRunPerformer({ db, clock, scan: async () => scanReport(), slots: new Slots(1) });
    const runs = createRuns({ db, clock, performRun });
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    const { key } = await createKeys({ db, clock, monthlyQuotaOverride: null }).create({ accountId, name: 'ci' });
    const start = () => runs.start({ accountId, siteId, trigger: 'API' });
    const [first, second] = [await start(), await start()];

    const newer = await migrateDatabase(db.url, [...MIGRATIONS, NEXT]);
    t.same(newer, [NEXT.name]);
    t.equal(await schemaStatus(db), 'current', 'the guards are there');
    for (const { number, body } of [first, second]) {
      t.ok(Buffer.from(body).equals((await runs.byNumber({ accountId, siteId, number })).body), `run ${number}`);
    }
    t.match(await start(), { number: 3 }, 'no gap, no number twice');
    t.match(await createAccess({ db, clock }).admit(`Bearer ${key}`), { accountId });
    const raw = await connectRaw(db.url);
    t.teardown(() => raw.close());
    await t.rejects(raw.exec(`UPDATE runs SET score = 1`), { message: /never change/ });
    t.same(await migrateDatabase(db.url), [], 'an older program leaves it as it is');
  });

  t.test('0.2.0 is brought to provable runs, and goes on alongside them', async (t) => {
    const url = await engine.newUrl(t);
    await migrateDatabase(
      url,
      MIGRATIONS.filter(({ name }) => name < '0004'),
    );
    const raw = await connectRaw(url);
    t.teardown(() => raw.close());
    const now = '2026-03-15T12:00:00.000Z';
    const [account_id, id] = ['acc_aaaaaaaaaaaaaaaaaaaa', 'site_aaaaaaaaaaaaaaaaaaaa'];
    const site = { id, account_id, origin: 'https://a.example', hostname: 'a.example', created_at: now };
    await raw.insert('accounts', { id: account_id, email: 'a@example.com', name: '', plan: 'FREE', created_at: now });
    await raw.insert('sites', site);
    await storeAsBefore(raw, id, 1);
    t.ok((await migrateDatabase(url)).includes('0004-provable-runs'));

    await storeAsBefore(raw, id, 2);
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    t.equal(await schemaStatus(db), 'current');
    const broken: number[] = [];
    await workOff(new ChainSweep(db, (_, number) => broken.push(number)).begin(), Infinity);
    for await (const report of verifyChains(db, {})) t.match(report, { runs: 2, verdict: 'proven' });
    t.same(broken, []);
    await raw.exec('UPDATE sites SET is_deleting = 1');
    await raw.exec('DELETE FROM runs');
    for (const chain of ['run_chain', 'supplement_chain']) {
      t.same(await raw.read(`SELECT * FROM ${chain}`), [], 'the links go with their runs');
    }
    await raw.exec('DELETE FROM sites');
    await t.rejects(raw.insert('sites', site), { message: /never change/ }, 'an id of before does not come back');
    await raw.exec('UPDATE accounts SET removed_at = created_at');
    await raw.exec('DELETE FROM accounts');
    const again = { id: account_id, email: 'b@example.com', name: '', plan: 'FREE', created_at: now };
    await t.rejects(raw.insert('accounts', again), { message: /never change/ });
  });

  t.test('a database of the time before 0.2.0 is refused in one line that says what to do', async (t) => {
    const url = await engine.newUrl(t);
    if (engine.name === 'sqlite') writeFileSync(url.slice('sqlite:'.length), '');
    const raw = await connectRaw(url);
    await raw.exec('CREATE TABLE knex_migrations (id INTEGER, name TEXT, batch INTEGER, migration_time TEXT)');
    await raw.exec("INSERT INTO knex_migrations (id, name, batch) VALUES (1, '0001-initial', 1)");
    t.teardown(() => raw.close());
    await t.rejects(migrateDatabase(url), {
      message: 'This database was made before version 0.2.0 and cannot be upgraded: set DATABASE_URL to a new one.',
    });
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    t.equal(await schemaStatus(db), 'behind');
  });
});

/** The locks of the transaction on tables of the service that others wait for when they write. */
const LOCKS = `SELECT relname AS table, min(mode) AS mode FROM
    (SELECT c.relname, CASE l.mode WHEN 'AccessExclusiveLock' THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE ROW EXCLUSIVE' END AS mode
      FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')) AS held
  GROUP BY relname`;

onPostgres(async (t, engine) => {
  t.test('each migration names all that it locks of what is there', async (t) => {
    const url = await engine.newUrl(t);
    const raw = await connectRaw(url);
    t.teardown(() => raw.close());
    for (const [index, { locks, ...migration }] of MIGRATIONS.entries()) {
      const there = new Set((await raw.read('SELECT tablename FROM pg_tables')).map(({ tablename }) => tablename));
      const held = new Map<string, string>();
      const up: Migration['up'] = async (sql, dialect) => {
        await migration.up(sql, dialect);
        const { rows } = await sql.raw<{ rows: { table: string; mode: string }[] }>(LOCKS);
        for (const { table, mode } of rows) if (there.has(table)) held.set(table, mode);
      };
      await migrateDatabase(url, [...MIGRATIONS.slice(0, index), { ...migration, up }]);
      held.delete('knex_migrations_lock');
      t.same(Object.fromEntries(held), locks ?? {}, migration.name);
    }
  });

  t.test('tables in use are locked in the order of the service, before the first step', async (t) => {
    const url = await engine.newUrl(t);
    await migrateDatabase(url, MIGRATIONS.slice(0, 1));
    const raw = await connectRaw(url);
    t.teardown(() => raw.close());
    // As a run that is being stored does.
    await raw.exec('BEGIN; LOCK TABLE accounts IN ROW EXCLUSIVE MODE');
    const migrated = migrateDatabase(url);
    await untilBlocked(url, migrated);
    await t.resolves(raw.exec('LOCK TABLE sites, runs IN ROW EXCLUSIVE MODE NOWAIT'), 'nobody is in its way');
    await raw.exec('COMMIT');
    t.equal((await migrated).length, MIGRATIONS.length - 1);
  });

  t.test('what has nothing to do waits for nobody', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const raw = await connectRaw(url);
    t.teardown(() => raw.close());
    await raw.exec('BEGIN; LOCK TABLE accounts, sites, runs');
    t.same(await migrateDatabase(url), []);
  });

  t.test('a lock that is not to be had soon is let go and tried again, for a minute', async (t) => {
    const url = await engine.newMigratedUrl(t);
    let [tries, free] = [0, 3];
    const next: Migration = {
      name: '9000-next',
      up: async (sql) => {
        tries += 1;
        const { rows } = await sql.raw<{ rows: object[] }>('SHOW lock_timeout');
        t.same(rows, [{ lock_timeout: '2s' }]);
        if (tries < free) await sql.raw(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '55P03'; END $$`);
      },
    };
    t.same(await migrateDatabase(url, [...MIGRATIONS, next]), [next.name]);
    t.equal(tries, 3);

    [tries, free] = [0, Infinity];
    t.capture(performance, 'now', () => tries * 30_000);
    await t.rejects(migrateDatabase(url, [...MIGRATIONS, { ...next, name: '9001-later' }]), {
      message:
        /^other transactions have had the tables in use for a minute, and nothing is changed\. Find the long ones/,
    });
    t.equal(tries, 4);
  });
});
