import { writeFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { createAccess } from '../../src/app/keys/access.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns } from '../../src/app/runs/runs.js';
import { Slots } from '../../src/platform/slots.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { type Migration, MIGRATIONS } from '../../src/store/migrations/index.js';
import { openDatabase } from '../../src/store/open-database.js';
import { schemaStatus } from '../../src/store/schema-status.js';
import { addAccount, addSite, scanReport, TestClock } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { connectRaw } from '../support/raw-connection.js';

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
