import type { Test } from 'tap';
import { recordEvent } from '../../src/app/audit/audit.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase, schemaStatus } from '../../src/store/open.js';
import { openServices } from '../support/services.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount, addSite } from '../support/accounts.js';
import { connectRaw, runStatements, separateRoles } from '../support/raw-connection.js';
import { type Engine, onEachDatabase, onPostgres } from '../support/databases.js';
import { rowsOf } from '../support/tables.js';

/** Stores runs 1 to 3 of `{site}`, a run of `{other}`, and an event `{event}`, all of `{account}`. */
async function prepare(db: Database): Promise<(sql: string) => string> {
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
  const { runs } = openServices(db);
  const start = (siteId: string) => runs.start({ accountId: account.id, siteId, trigger: 'SCHEDULED' });
  for (const siteId of [site.id, site.id, site.id, other.id]) await start(siteId);
  await db.transaction((tx) => recordEvent(tx, { accountId: account.id, event: 'signed_in', now: new Date() }));
  const events = (await rowsOf(db, 'audit_events')) as { id: string; event: string }[];
  const event = events.find((row) => row.event === 'signed_in')?.id ?? '';
  const ids = { site: site.id, other: other.id, account: account.id, event };
  return (sql) => Object.entries(ids).reduce((filled, [name, id]) => filled.replaceAll(`{${name}}`, id), sql);
}

const COLUMNS = 'site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag';
const FORGED = `'{site}', 2, 'CR-000009', 1, 'API', 'then', 'then', '[]', 'forged', '"forged"'`;
const FORGED_NEXT = FORGED.replace(' 2,', ' 9,');
const SET_FORGED = `SET body = 'forged'`;

const EVENT = 'audit_events (id, account_id, at, event, actor)';
const LONG_AGO = `'2020-01-01T00:00:00.000Z'`;
const MARK_ACCOUNT = `UPDATE accounts SET removed_at = created_at WHERE id = '{account}'`;
const UNMARK_ACCOUNT = `UPDATE accounts SET removed_at = NULL WHERE id = '{account}'`;

/** Attacks on recorded events. */
const EVENT_ATTACKS = [
  `UPDATE audit_events SET address = '192.0.2.9'`,
  `UPDATE audit_events SET event = 'signed_out' WHERE id = '{event}'`,
  `UPDATE audit_events SET at = ${LONG_AGO} WHERE id = '{event}'; DELETE FROM audit_events WHERE id = '{event}'`,
  `DELETE FROM audit_events`,
  `DELETE FROM audit_events WHERE id = '{event}'`,
  `INSERT INTO ${EVENT} VALUES ('{event}', '{account}', 'then', 'signed_out', 'holder')
     ON CONFLICT (id) DO UPDATE SET event = excluded.event`,
  `BEGIN; ${MARK_ACCOUNT}; ${UNMARK_ACCOUNT}`,
  `CREATE TEMPORARY TABLE accounts AS SELECT id, 'now' AS removed_at FROM {schema}.accounts; DELETE FROM {schema}.audit_events`,
];

const NEXT_NUMBER = `UPDATE sites SET run_counter = run_counter + 1 WHERE id = '{site}'`;

/** Statements that change only rows, as a bug in the program could. */
const ATTACKS = [
  `UPDATE runs ${SET_FORGED}`,
  `UPDATE runs ${SET_FORGED} WHERE site_id = '{site}' AND number = 2`,
  `UPDATE runs SET number = 4 WHERE site_id = '{site}' AND number = 3`,
  `UPDATE runs SET site_id = '{other}' WHERE site_id = '{site}' AND number = 2`,
  `UPDATE runs SET score = sites.run_counter FROM sites WHERE sites.id = runs.site_id`,
  `DELETE FROM runs`,
  `DELETE FROM runs WHERE site_id = '{site}' AND number = 3`,
  `INSERT INTO runs (${COLUMNS}) VALUES (${FORGED}) ON CONFLICT (site_id, number) DO UPDATE ${SET_FORGED}`,
  `INSERT INTO runs (${COLUMNS}) VALUES (${FORGED_NEXT})`,
  `UPDATE runs SET results = '[]'`,
  `DELETE FROM sites`,
  `UPDATE sites SET run_counter = 0`,
  `UPDATE sites SET run_counter = run_counter + 2`,
  // A number may be taken only when the previous one has its run.
  `BEGIN; ${NEXT_NUMBER}; ${NEXT_NUMBER}`,
  `UPDATE sites SET run_counter = -1`,
  `UPDATE sites SET id = 'site_x' WHERE id = '{site}'`,
  `UPDATE sites SET account_id = 'acc_x' WHERE id = '{site}'`,
  `UPDATE sites SET created_at = 'then'`,
  `UPDATE sites SET is_deleting = 2`,
  `INSERT INTO sites (id, account_id, origin, hostname, created_at, run_counter)
     VALUES ('site_x', '{account}', 'o', 'h', 'now', 7)`,
  `UPDATE accounts SET reference_counter = 0`,
  `UPDATE accounts SET reference_counter = reference_counter + 2`,
  `UPDATE accounts SET id = 'acc_x'`,
  `DELETE FROM accounts`,
  ...['release', 'pages', 'label', 'commit_id'].map((column) => `UPDATE runs SET ${column} = 'forged'`),
  // The guards must not read a temporary table with the same name.
  `CREATE TEMPORARY TABLE sites AS SELECT id, 1 AS is_deleting, 9 AS run_counter FROM {schema}.sites;
     DELETE FROM {schema}.runs`,
  `CREATE TEMPORARY TABLE sites AS SELECT id, 1 AS is_deleting, 9 AS run_counter FROM {schema}.sites;
     INSERT INTO {schema}.runs (${COLUMNS}) VALUES (${FORGED_NEXT})`,
  `CREATE TEMPORARY VIEW seen AS SELECT * FROM runs; UPDATE seen SET score = 1`,
];

const ENGINE_ATTACKS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `REPLACE INTO audit_events (rowid, id, account_id, at, event, actor) VALUES (1, 'evt_x', '{account}', 'then', 'x', 'holder')`,
    `UPDATE OR REPLACE audit_events SET rowid = 1 WHERE rowid = 2`,
    `BEGIN; ${MARK_ACCOUNT}; DELETE FROM audit_events WHERE account_id = '{account}'; ${UNMARK_ACCOUNT}`,
    `REPLACE INTO ${EVENT} VALUES ('{event}', '{account}', 'then', 'signed_out', 'holder')`,
    `INSERT OR REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO runs (rowid, ${COLUMNS}) VALUES (1, ${FORGED_NEXT})`,
    `REPLACE INTO runs (${COLUMNS}) SELECT ${COLUMNS.replace('body', "'forged'")} FROM runs`,
    `PRAGMA recursive_triggers = OFF; REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `UPDATE OR REPLACE runs SET number = 2 WHERE site_id = '{site}' AND number = 3`,
    `UPDATE OR IGNORE runs ${SET_FORGED}`,
    `UPDATE runs SET rowid = 77 WHERE rowid = 1`,
    `UPDATE OR REPLACE sites SET rowid = 1 WHERE rowid = 2`,
    `UPDATE OR REPLACE sites SET origin = 'https://shop.example.com' WHERE id = '{other}'`,
    `UPDATE sites SET run_counter = 'many'`,
    `UPDATE accounts SET rowid = 77`,
    `UPDATE accounts SET reference_counter = 'many'`,
    `REPLACE INTO sites (id, account_id, origin, hostname, created_at) VALUES ('{site}', '{account}', 'o', 'h', 'now')`,
    `REPLACE INTO sites (id, account_id, origin, hostname, created_at)
       VALUES ('site_x', '{account}', 'https://shop.example.com', 'shop.example.com', 'now')`,
    `REPLACE INTO sites (rowid, id, account_id, origin, hostname, created_at)
       VALUES (1, 'site_x', '{account}', 'https://x.example.com', 'x.example.com', 'now')`,
    `REPLACE INTO accounts (id, email, name, plan, created_at) VALUES ('{account}', 'e', 'n', 'FREE', 'now')`,
    `PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'trigger'`,
    `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '' WHERE type = 'trigger'`,
    `PRAGMA ignore_check_constraints = ON; PRAGMA trusted_schema = OFF; UPDATE runs SET score = 1000`,
    `PRAGMA defer_foreign_keys = ON; DELETE FROM sites WHERE id = '{site}'`,
    `ATTACH '{file}' AS again; DELETE FROM again.runs`,
    `CREATE TEMPORARY TRIGGER help AFTER UPDATE ON main.sites BEGIN DELETE FROM runs; END;
       UPDATE sites SET verified_at = 'then'`,
  ],
  postgres: [
    `TRUNCATE audit_events CASCADE`,
    `SET TIME ZONE 'UTC-14'; DELETE FROM audit_events`,
    `TRUNCATE runs CASCADE`,
    `TRUNCATE sites CASCADE`,
    `TRUNCATE accounts CASCADE`,
    `WITH gone AS (DELETE FROM runs RETURNING *) SELECT count(*) FROM gone`,
    `COPY (DELETE FROM runs RETURNING *) TO STDOUT`,
    `DO $$ BEGIN DELETE FROM runs; END $$`,
    `PREPARE attack AS UPDATE runs SET score = 1; EXECUTE attack`,
    `MERGE INTO runs USING sites ON sites.id = runs.site_id WHEN MATCHED THEN UPDATE SET score = 1`,
    `MERGE INTO runs USING sites ON sites.id = runs.site_id WHEN MATCHED THEN DELETE`,
    `INSERT INTO runs (${COLUMNS}) VALUES (${FORGED}) ON CONFLICT ON CONSTRAINT runs_pkey DO UPDATE ${SET_FORGED}`,
    `SET session_replication_role = replica; DELETE FROM runs`,
    `SET row_security = off; DELETE FROM runs`,
    `SET search_path = pg_temp, pg_catalog; CREATE TABLE pg_temp.sites AS SELECT id, 1 AS is_deleting FROM public.sites;
       DELETE FROM public.runs`,
  ],
};

/** Attacks on the schema that only the owner of the tables may perform. */
const SCHEMA_ATTACKS = [
  `ALTER TABLE audit_events DISABLE TRIGGER audit_events_no_update`,
  `ALTER TABLE runs DISABLE TRIGGER USER`,
  `ALTER TABLE runs DISABLE TRIGGER runs_no_update`,
  `DROP TRIGGER runs_no_update ON runs`,
  `CREATE OR REPLACE FUNCTION runs_no_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
  `DROP FUNCTION runs_no_update() CASCADE`,
  `ALTER TABLE runs DROP COLUMN body`,
  `ALTER TABLE runs RENAME TO old_runs`,
  `ALTER TABLE runs OWNER TO CURRENT_USER`,
  `ALTER TABLE runs ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE jobs ADD FOREIGN KEY (site_id) REFERENCES sites ON UPDATE CASCADE`,
  `DROP TABLE runs`,
  `DROP SCHEMA public CASCADE`,
  `CREATE TABLE public.mine (x text)`,
  `CREATE TRIGGER mine BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION runs_no_update()`,
  `CREATE RULE mine AS ON UPDATE TO sites DO ALSO DELETE FROM runs`,
  `CREATE POLICY mine ON runs USING (true)`,
  `CREATE TABLE child () INHERITS (runs)`,
  `UPDATE pg_trigger SET tgenabled = 'D'`,
  `SET session_replication_role = replica`,
  `SET ROLE pg_write_all_data`,
  `GRANT ALL ON runs TO CURRENT_USER; UPDATE runs SET score = 1`,
  `COPY runs FROM PROGRAM 'echo'`,
  `LOCK TABLE runs IN ACCESS EXCLUSIVE MODE; DELETE FROM runs`,
  `UPDATE knex_migrations SET name = 'none'`,
  `DELETE FROM knex_migrations`,
];

const EVERYTHING = [
  `SELECT * FROM runs ORDER BY site_id, number`,
  `SELECT * FROM sites ORDER BY id`,
  `SELECT * FROM accounts ORDER BY id`,
  `SELECT * FROM audit_events ORDER BY id`,
];

/** Asserts that every attack is refused and changes no row and no guard. @param url with the attacking role */
async function assertHolds(t: Test, db: Database, url: string, attacks: readonly string[], refusal: RegExp) {
  const fillIn = await prepare(db);
  const reader = await connectRaw(db.url);
  t.teardown(() => reader.close());
  const readAll = async () => {
    const tables: unknown[][] = [];
    for (const sql of EVERYTHING) tables.push(await reader.read(sql));
    return tables;
  };
  const before = await readAll();
  t.equal(before[0]?.length, 4);
  const isSqlite = db.dialect === 'sqlite';
  for (const attack of attacks) {
    const sql = fillIn(attack)
      .replaceAll('{schema}', isSqlite ? 'main' : 'public')
      .replaceAll('{file}', sqlitePath(db.url));
    // The refusal must come from the guards, not from foreign keys.
    const attacking = runStatements(url, isSqlite ? `PRAGMA foreign_keys = OFF; ${sql}` : sql);
    await t.rejects(attacking, { message: refusal }, attack);
    t.same(await readAll(), before, '0 rows changed');
  }
  t.equal(await schemaStatus(db), 'current', 'and every guard is as it was');
}

const REFUSALS: Readonly<Record<Engine, RegExp>> = {
  sqlite: /never change|sqlite_master may not be modified|cannot modify seen because it is a view/,
  postgres: /never change/,
};

onEachDatabase(async (t, engine) => {
  t.test('no statement changes a finished run, lowers a counter or makes it skip a number', async (t) => {
    const db = await engine.openDb(t);
    const attacks = [...ATTACKS, ...EVENT_ATTACKS, ...ENGINE_ATTACKS[engine.name]];
    await assertHolds(t, db, db.url, attacks, REFUSALS[engine.name]);
  });

  t.test('only the runs of a site marked for deletion can be deleted, and the mark is final', async (t) => {
    const db = await engine.openDb(t);
    const fillIn = await prepare(db);
    const exec = (sql: string) => runStatements(db.url, fillIn(sql));
    await exec(`UPDATE sites SET is_deleting = 1 WHERE id = '{site}'`);
    for (const [refused, why] of [
      [`UPDATE sites SET is_deleting = 0 WHERE id = '{site}'`, 'the mark stays'],
      [`UPDATE runs ${SET_FORGED}`, 'a change is refused even then'],
      [`DELETE FROM runs WHERE site_id = '{other}'`, 'so is the deletion of others'],
      [`DELETE FROM sites WHERE id = '{site}'`, 'the runs go before the site'],
    ] as const) {
      await t.rejects(exec(refused), why);
    }
    await exec(`DELETE FROM runs WHERE site_id = '{site}'`);
    t.equal((await rowsOf(db, 'runs')).length, 1);
    await exec(`DELETE FROM sites WHERE id = '{site}'`);
    await exec(`UPDATE accounts SET removed_at = 'now'`);
    await t.rejects(exec(`UPDATE accounts SET removed_at = NULL`), 'nor does an account come back');
  });
});

onPostgres(async (t, engine) => {
  t.test('the serving role cannot change them either, by tables, triggers or functions', async (t) => {
    const { serveUrl, ownerUrl } = await separateRoles(t, engine);
    const db = await openDatabase(ownerUrl);
    t.teardown(() => db.close());
    const attacks = [...ATTACKS, ...EVENT_ATTACKS, ...ENGINE_ATTACKS.postgres, ...SCHEMA_ATTACKS];
    const refusal = /never change|permission denied|must be owner|must be superuser|must have|violates foreign key/i;
    await assertHolds(t, db, serveUrl, attacks, refusal);
  });
});
