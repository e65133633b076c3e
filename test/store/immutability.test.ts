import { accountData } from '../support/removal.js';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Test } from 'tap';
import { sweepEvents } from '../../src/app/audit/audit-chain.js';
import { recordEvent } from '../../src/app/audit/audit.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns } from '../../src/app/runs/runs.js';
import { workOff } from '../../src/queue/steps.js';
import { Slots } from '../../src/platform/slots.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open-database.js';
import { schemaStatus } from '../../src/store/schema-status.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount, addSite, scanReport, TestClock } from '../support/accounts.js';
import { separateRoles } from '../support/database-roles.js';
import { type Engine, onEachDatabase, onPostgres } from '../support/databases.js';
import { runStatements } from '../support/raw-connection.js';
import { insertRow, rowsOf } from '../support/tables.js';

/**
 * Runs 1 to 3 of a site that stands between the ids `{site}` and `{other}` of two sites of one account, `{account}`; `{gone account}`
 * and `{gone site}` were removed.
 */
async function prepare(db: Database): Promise<(sql: string) => string> {
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
  const clock = new TestClock();
  const runs = createRuns({
    db,
    clock,
    performRun: createRunPerformer({ db, clock, scan: async () => scanReport(), slots: new Slots(1) }),
  });
  const start = (siteId: string) => runs.start({ accountId: account.id, siteId, trigger: 'SCHEDULED' });
  for (const siteId of [site.id, site.id, site.id, other.id]) await start(siteId);
  const gone = await addAccount(db);
  const goneSite = await addSite(db, gone.id);
  await accountData({ db, clock }).remove(gone.id);
  await addEvents(db, clock, account.id);
  const ids = {
    site: site.id,
    other: other.id,
    account: account.id,
    ...(await eventIds(db, account.id)),
    'gone account': gone.id,
    'gone site': goneSite.id,
  };
  return (sql) => Object.entries(ids).reduce((filled, [name, id]) => filled.replaceAll(`{${name}}`, id), sql);
}

/** Two events more: one with a link and one without. In the table of before, three, two of which count wrong passwords. */
async function addEvents(db: Database, clock: TestClock, accountId: string): Promise<void> {
  const add = () => db.transaction(() => recordEvent({ accountId, event: 'signed_in', now: clock.now() }));
  await add();
  await workOff(
    sweepEvents(db, clock, () => undefined),
    Infinity,
  );
  await add();
  const earlier = { account_id: accountId, at: new Date().toISOString(), actor: 'unknown' };
  await insertRow(db, 'audit_events', { ...earlier, id: 'evt_signed_in', event: 'signed_in' });
  for (const id of ['evt_wrong_password', 'evt_guess']) {
    await insertRow(db, 'audit_events', { ...earlier, id, event: 'wrong_password' });
  }
}

/** `{event}` has a link, the last of its account; `{unlinked}` has none. */
async function eventIds(db: Database, accountId: string): Promise<Record<'event' | 'unlinked', string>> {
  const links = (await rowsOf(db, 'audit_chain')) as { account_id: string; number: number; event_id: string }[];
  const unlinked = (await rowsOf(db, 'audit_unlinked')) as { account_id: string; event_id: string }[];
  const last = links.filter(({ account_id }) => account_id === accountId).sort((a, b) => b.number - a.number)[0];
  const next = unlinked.find(({ account_id }) => account_id === accountId);
  return { event: last?.event_id ?? '', unlinked: next?.event_id ?? '' };
}

const COLUMNS = 'site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag';
const FORGED = `'{site}', 2, 'CR-000009', 1, 'API', 'then', 'then', '[]', 'forged', '"forged"'`;
const FORGED_NEXT = FORGED.replace(' 2,', ' 9,');
const SET_FORGED = `SET body = 'forged'`;

/** What a site that is marked was, made again from what a finished run looks like: each statement passes but the one that counts. */
const MARK = `UPDATE sites SET is_deleting = 1 WHERE id = '{site}'`;
const SITE_AGAIN = `sites (id, account_id, origin, hostname, created_at)
  VALUES ('{site}', '{account}', 'https://shop.example.com', 'shop.example.com', 'now')`;
const LINK = `run_chain (site_id, number, epoch, digest) VALUES ('{site}', 2, 1, 'forged')`;
const SUPPLEMENT = LINK.replace('run_chain', 'supplement_chain');

const EVENT = 'audit_log (id, account_id, at, event, actor)';
/** The link after that of `{event}`, in the chain of an account that was linked two events. */
const EVENT_LINK = (event: string, number: string, linked: string, epoch = 1) =>
  `audit_chain (account_id, number, epoch, event_id, linked_at, content, digest)
     SELECT '{account}', ${number}, ${epoch}, '${event}', ${linked}, 'forged', 'forged'`;
const NEXT = `(SELECT max(number) + 1 FROM audit_chain WHERE account_id = '{account}')`;
const LONG_AGO = `'2020-01-01T00:00:00.000Z'`;
const LAST_LINKED = `(SELECT max(linked_at) FROM audit_chain WHERE account_id = '{account}')`;
const MARK_ACCOUNT = `UPDATE accounts SET removed_at = created_at WHERE id = '{account}'`;
const UNMARK_ACCOUNT = `UPDATE accounts SET removed_at = NULL WHERE id = '{account}'`;
const INSERT_OLD = `INSERT INTO ${EVENT} VALUES ('evt_old', '{account}', ${LONG_AGO}, 'signed_in', 'holder')`;

/** The same for what was done to an account. */
const EVENT_ATTACKS = [
  `UPDATE audit_log SET address = '192.0.2.9'`,
  `UPDATE audit_log SET event = 'signed_out' WHERE id = '{event}'`,
  `UPDATE audit_log SET at = ${LONG_AGO} WHERE id = '{event}'; DELETE FROM audit_log WHERE id = '{event}'`,
  `UPDATE audit_log SET count = count + 1 WHERE id = '{unlinked}'`,
  `DELETE FROM audit_log`,
  `DELETE FROM audit_log WHERE id = '{event}'`,
  `DELETE FROM audit_log WHERE id = '{unlinked}'`,
  `INSERT INTO ${EVENT} VALUES ('{event}', '{account}', 'then', 'signed_out', 'holder')
     ON CONFLICT (id) DO UPDATE SET event = excluded.event`,
  `BEGIN; ${INSERT_OLD}; DELETE FROM audit_log WHERE id = 'evt_old'`,
  `BEGIN; ${MARK_ACCOUNT}; ${UNMARK_ACCOUNT}`,
  `UPDATE audit_chain SET digest = 'forged'`,
  `UPDATE audit_chain SET linked_at = ${LONG_AGO}`,
  `UPDATE audit_chain SET number = 99 WHERE event_id = '{event}'`,
  `DELETE FROM audit_chain`,
  `DELETE FROM audit_chain WHERE event_id = '{event}'`,
  // A link that makes its event look old, or that another one has, or that is out of its place, or of an epoch that is not there.
  `INSERT INTO ${EVENT_LINK('{unlinked}', NEXT, LONG_AGO)}`,
  `INSERT INTO ${EVENT_LINK('{unlinked}', NEXT, `'9999-01-01T00:00:00.000Z'`)}`,
  `INSERT INTO ${EVENT_LINK('{event}', NEXT, LAST_LINKED)} WHERE true ON CONFLICT (event_id) DO UPDATE SET linked_at = ${LONG_AGO}`,
  `INSERT INTO ${EVENT_LINK('{unlinked}', '1', LAST_LINKED)}`,
  `INSERT INTO ${EVENT_LINK('{unlinked}', '77', LAST_LINKED)}`,
  `INSERT INTO ${EVENT_LINK('evt_nobody', NEXT, LAST_LINKED)}`,
  `INSERT INTO ${EVENT_LINK('{unlinked}', NEXT, LAST_LINKED, 999)}`,
  `INSERT INTO ${EVENT_LINK('{unlinked}', NEXT, LAST_LINKED, 0)}`,
  `DELETE FROM audit_unlinked`,
  `UPDATE audit_unlinked SET account_id = 'acc_x'`,
  `INSERT INTO audit_unlinked (event_id, account_id) VALUES ('{event}', '{account}')`,
  // The table of before: what the versions that write to it do, and no more.
  `UPDATE audit_events SET address = '192.0.2.9' WHERE id = 'evt_signed_in'`,
  `UPDATE audit_events SET count = count + 1 WHERE id = 'evt_signed_in'`,
  `UPDATE audit_events SET count = 1`,
  `UPDATE audit_events SET count = count + 1, at = ${LONG_AGO} WHERE id = 'evt_wrong_password'`,
  `UPDATE audit_events SET count = count + 1, event = 'signed_in' WHERE id = 'evt_wrong_password'`,
  `DELETE FROM audit_events`,
  `DELETE FROM audit_events WHERE id = 'evt_wrong_password'`,
];

/** Rows and nothing else: what the program itself could be brought to send. */
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
  `UPDATE texts SET body = 'forged'`,
  `UPDATE texts SET digest = 'forged'`,
  `DELETE FROM texts`,
  `INSERT INTO texts (digest, body) SELECT digest, 'forged' FROM texts WHERE true ON CONFLICT (digest) DO UPDATE SET body = 'forged'`,
  `DELETE FROM sites`,
  `UPDATE sites SET run_counter = 0`,
  `UPDATE sites SET run_counter = run_counter + 2`,
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
  `UPDATE used_ids SET id = 'site_x'`,
  `DELETE FROM used_ids`,
  `DELETE FROM used_ids WHERE id = '{site}'`,
  `INSERT INTO used_ids (id) VALUES ('{site}') ON CONFLICT (id) DO UPDATE SET id = 'site_x'`,
  `INSERT INTO accounts (id, email, name, plan, created_at) VALUES ('{gone account}', 'e', 'n', 'FREE', 'now')`,
  `INSERT INTO sites (id, account_id, origin, hostname, created_at) VALUES ('{gone site}', '{account}', 'o', 'h', 'now')`,
  `INSERT INTO sites (id, account_id, origin, hostname, created_at)
     VALUES ('{gone site}', '{account}', 'o', 'h', 'now') ON CONFLICT DO NOTHING`,
  `UPDATE sites SET id = '{gone site}' WHERE id = '{site}'`,
  `UPDATE run_chain SET digest = 'forged'`,
  `UPDATE run_chain SET epoch = 2 WHERE site_id = '{site}' AND number = 2`,
  `UPDATE run_chain SET number = 9 WHERE site_id = '{site}' AND number = 3`,
  `DELETE FROM run_chain`,
  `DELETE FROM run_chain WHERE site_id = '{site}' AND number = 3`,
  `INSERT INTO ${LINK}`,
  `INSERT INTO ${LINK} ON CONFLICT (site_id, number) DO UPDATE SET digest = 'forged'`,
  `INSERT INTO ${LINK.replace(' 2,', ' 4,')}`,
  `UPDATE supplement_chain SET digest = 'forged'`,
  `UPDATE supplement_chain SET number = 9 WHERE site_id = '{site}' AND number = 3`,
  `DELETE FROM supplement_chain`,
  `DELETE FROM supplement_chain WHERE site_id = '{site}' AND number = 3`,
  `INSERT INTO ${SUPPLEMENT}`,
  `INSERT INTO ${SUPPLEMENT} ON CONFLICT (site_id, number) DO UPDATE SET digest = 'forged'`,
  `INSERT INTO ${SUPPLEMENT.replace(' 2,', ' 4,')}`,
  `UPDATE runs SET release = 'forged'`,
  `UPDATE epochs SET id = 'forged'`,
  `DELETE FROM epochs`,
  `INSERT INTO epochs (number, id) VALUES (3, 'skipped')`,
  `INSERT INTO epochs (number, id) VALUES (1, 'x') ON CONFLICT (number) DO UPDATE SET id = 'forged'`,
  // The guards must not take a table for ours that only has its name.
  `CREATE TEMPORARY TABLE used_ids (id text);
     INSERT INTO {schema}.sites (id, account_id, origin, hostname, created_at)
       VALUES ('{gone site}', '{account}', 'o', 'h', 'now')`,
  `CREATE TEMPORARY TABLE sites AS SELECT id, 1 AS is_deleting, 9 AS run_counter FROM {schema}.sites;
     DELETE FROM {schema}.runs`,
  `CREATE TEMPORARY TABLE sites AS SELECT id, 1 AS is_deleting, 9 AS run_counter FROM {schema}.sites;
     INSERT INTO {schema}.runs (${COLUMNS}) VALUES (${FORGED_NEXT})`,
  `CREATE TEMPORARY VIEW seen AS SELECT * FROM runs; UPDATE seen SET score = 1`,
];

const ENGINE_ATTACKS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `REPLACE INTO ${EVENT} VALUES ('{event}', '{account}', 'then', 'signed_out', 'holder')`,
    `INSERT OR REPLACE INTO ${EVENT} VALUES ('{unlinked}', '{account}', 'then', 'signed_out', 'holder')`,
    `REPLACE INTO audit_log (rowid, id, account_id, at, event, actor) VALUES (1, 'evt_x', '{account}', 'then', 'x', 'holder')`,
    `UPDATE OR REPLACE audit_log SET rowid = 1 WHERE rowid = 2`,
    `REPLACE INTO ${EVENT_LINK('{event}', NEXT, LAST_LINKED)}`,
    `REPLACE INTO ${EVENT_LINK('{unlinked}', '1', LAST_LINKED)}`,
    `REPLACE INTO audit_chain (rowid, account_id, number, epoch, event_id, linked_at, content, digest)
       SELECT 1, '{account}', ${NEXT}, 1, '{unlinked}', ${LAST_LINKED}, 'forged', 'forged'`,
    `REPLACE INTO audit_unlinked (rowid, event_id, account_id) VALUES (1, 'evt_x', '{account}')`,
    `REPLACE INTO audit_unlinked (event_id, account_id) VALUES ('{unlinked}', 'acc_x')`,
    `REPLACE INTO audit_events (id, account_id, at, event, actor) VALUES ('evt_signed_in', '{account}', 'x', 'x', 'x')`,
    `REPLACE INTO audit_events (rowid, id, account_id, at, event, actor) VALUES (1, 'evt_x', '{account}', 'x', 'x', 'x')`,
    `UPDATE OR REPLACE audit_events SET rowid = 1, count = count + 1 WHERE id = 'evt_wrong_password'`,
    `UPDATE audit_events SET rowid = 77, count = count + 1 WHERE id = 'evt_wrong_password'`,
    `REPLACE INTO audit_events (id, account_id, at, event, actor)
       SELECT id, account_id, at, 'signed_in', 'holder' FROM audit_events WHERE id = 'evt_guess'`,
    `REPLACE INTO audit_events (id, account_id, at, event, actor)
       SELECT id, account_id, ${LONG_AGO}, event, actor FROM audit_events WHERE id = 'evt_guess'`,
    `REPLACE INTO audit_events (id, account_id, at, event, actor)
       SELECT id, 'acc_x', at, event, actor FROM audit_events WHERE id = 'evt_guess'`,
    `REPLACE INTO audit_events (id, account_id, at, event, actor)
       SELECT id, account_id, at, event, 'holder' FROM audit_events WHERE id = 'evt_guess'`,
    `BEGIN; ${MARK_ACCOUNT}; DELETE FROM audit_log WHERE account_id = '{account}'; ${UNMARK_ACCOUNT}`,
    `BEGIN; ${MARK_ACCOUNT}; DELETE FROM audit_log WHERE account_id = '{account}'; DELETE FROM accounts WHERE id = '{account}';
       INSERT INTO accounts (id, email, name, plan, created_at) VALUES ('{account}', 'e', 'n', 'FREE', 'now')`,
    `INSERT OR REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO texts (digest, body) SELECT digest, 'forged' FROM texts`,
    `REPLACE INTO texts (rowid, digest, body) VALUES (1, 'x', 'forged')`,
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
    `REPLACE INTO used_ids (id) VALUES ('{site}')`,
    `REPLACE INTO used_ids (rowid, id) VALUES (1, 'x')`,
    `UPDATE OR REPLACE used_ids SET rowid = 1 WHERE rowid = 2`,
    `REPLACE INTO sites (id, account_id, origin, hostname, created_at) VALUES ('{gone site}', '{account}', 'o', 'h', 'now')`,
    `INSERT OR IGNORE INTO sites (id, account_id, origin, hostname, created_at)
       VALUES ('{gone site}', '{account}', 'o', 'h', 'now')`,
    `REPLACE INTO accounts (id, email, name, plan, created_at) VALUES ('{gone account}', 'e', 'n', 'FREE', 'now')`,
    `REPLACE INTO ${LINK}`,
    `REPLACE INTO ${SUPPLEMENT}`,
    `REPLACE INTO supplement_chain (rowid, site_id, number, epoch, digest) VALUES (1, '{site}', 9, 1, 'forged')`,
    `REPLACE INTO run_chain (rowid, site_id, number, epoch, digest) VALUES (1, '{site}', 9, 1, 'forged')`,
    `UPDATE OR REPLACE run_chain SET number = 2 WHERE site_id = '{site}' AND number = 3`,
    `REPLACE INTO epochs (number, id) VALUES (1, 'forged')`,
    `REPLACE INTO epochs (number, id) VALUES (2, 'first')`,
    `BEGIN; ${MARK}; DELETE FROM runs WHERE site_id = '{site}'; DELETE FROM sites WHERE id = '{site}';
       INSERT INTO ${SITE_AGAIN}`,
    `BEGIN; ${MARK}; DELETE FROM runs WHERE site_id = '{site}'; DELETE FROM sites WHERE id = '{site}';
       REPLACE INTO ${SITE_AGAIN}`,
    `PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'trigger'`,
    `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '' WHERE type = 'trigger'`,
    `PRAGMA ignore_check_constraints = ON; PRAGMA trusted_schema = OFF; UPDATE runs SET score = 1000`,
    `PRAGMA defer_foreign_keys = ON; DELETE FROM sites WHERE id = '{site}'`,
    `ATTACH '{file}' AS again; DELETE FROM again.runs`,
    `CREATE TEMPORARY TRIGGER help AFTER UPDATE ON main.sites BEGIN DELETE FROM runs; END;
       UPDATE sites SET verified_at = 'then'`,
  ],
  postgres: [
    ...['audit_log', 'audit_chain', 'audit_unlinked', 'audit_events'].map((table) => `TRUNCATE ${table} CASCADE`),
    `SELECT erase_events(ARRAY['{event}'])`,
    `SELECT erase_events(ARRAY(SELECT id FROM audit_log))`,
    `BEGIN; ${INSERT_OLD}; SELECT erase_events(ARRAY['evt_old'])`,
    `SET TIME ZONE 'UTC-14'; SELECT erase_events(ARRAY['{event}'])`,
    `BEGIN; ${MARK_ACCOUNT}; SELECT erase_events(ARRAY['{event}', '{unlinked}']); ${UNMARK_ACCOUNT}`,
    `TRUNCATE runs CASCADE`,
    `TRUNCATE used_ids`,
    `TRUNCATE run_chain`,
    `TRUNCATE supplement_chain`,
    `TRUNCATE epochs`,
    `${MARK}; SELECT erase_runs('{site}', 0, 9); DELETE FROM sites WHERE id = '{site}'; INSERT INTO ${SITE_AGAIN}`,
    `${MARK}; SELECT erase_runs('{site}', 0, 9); DELETE FROM sites WHERE id = '{site}';
       INSERT INTO ${SITE_AGAIN} ON CONFLICT DO NOTHING`,
    `SELECT erase_runs('{site}', 0, 9)`,
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

/** What the owner of the tables could do to the guards: for a role that owns nothing. */
const SCHEMA_ATTACKS = [
  `${MARK_ACCOUNT}; DELETE FROM audit_log WHERE account_id = '{account}'`,
  `${MARK_ACCOUNT}; DELETE FROM audit_chain WHERE account_id = '{account}'`,
  `CREATE OR REPLACE FUNCTION erase_events(text[]) RETURNS SETOF text LANGUAGE sql AS 'DELETE FROM audit_log RETURNING id'`,
  `CREATE TEMPORARY TABLE accounts AS SELECT id, 'now' AS removed_at FROM public.accounts; SELECT erase_events(ARRAY['{event}'])`,
  `ALTER TABLE audit_log DISABLE TRIGGER audit_log_no_update`,
  `ALTER TABLE runs DISABLE TRIGGER USER`,
  `ALTER TABLE runs DISABLE TRIGGER runs_no_update`,
  `ALTER TABLE runs ENABLE REPLICA TRIGGER runs_no_update`,
  `DROP TRIGGER runs_no_update ON runs`,
  `CREATE OR REPLACE FUNCTION runs_no_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
  `ALTER FUNCTION runs_no_delete() RESET search_path`,
  `DROP FUNCTION runs_no_update() CASCADE`,
  `ALTER TABLE runs DROP COLUMN body`,
  `ALTER TABLE runs ALTER COLUMN score TYPE integer USING 100`,
  `ALTER TABLE runs ALTER COLUMN body SET DEFAULT 'forged'`,
  `ALTER TABLE runs RENAME TO old_runs`,
  `ALTER TABLE runs RENAME COLUMN score TO old_score`,
  `ALTER TABLE runs OWNER TO CURRENT_USER`,
  `ALTER TABLE runs SET UNLOGGED`,
  `ALTER TABLE runs ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE jobs ADD FOREIGN KEY (site_id) REFERENCES sites ON UPDATE CASCADE`,
  `DROP TABLE runs`,
  `DROP SCHEMA public CASCADE`,
  `CREATE TABLE public.mine (x text)`,
  `CREATE SCHEMA mine`,
  `CREATE FUNCTION public.mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  `CREATE TRIGGER mine BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION runs_no_update()`,
  `CREATE RULE mine AS ON UPDATE TO sites DO ALSO DELETE FROM runs`,
  `CREATE POLICY mine ON runs USING (true)`,
  `CREATE TABLE child () INHERITS (runs)`,
  `CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)`,
  `CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION runs_no_update()`,
  `UPDATE pg_trigger SET tgenabled = 'D'`,
  `UPDATE pg_class SET relhastriggers = false WHERE relname = 'runs'`,
  `SET session_replication_role = replica`,
  `SET ROLE pg_write_all_data`,
  `GRANT ALL ON runs TO CURRENT_USER; UPDATE runs SET score = 1`,
  `COPY runs FROM PROGRAM 'echo'`,
  `COPY (SELECT 1) TO '/tmp/stolen'`,
  `SELECT lo_import('/etc/passwd')`,
  `ALTER SYSTEM SET session_replication_role = replica`,
  `INSERT INTO epochs (number, id) VALUES (2, 'mine')`,
  `${MARK}; DELETE FROM runs WHERE site_id = '{site}'`,
  `${MARK}; DELETE FROM run_chain WHERE site_id = '{site}'`,
  `${MARK}; DELETE FROM supplement_chain WHERE site_id = '{site}'`,
  `ALTER FUNCTION erase_runs OWNER TO CURRENT_USER`,
  `CREATE OR REPLACE FUNCTION erase_runs(text, integer, integer) RETURNS void LANGUAGE sql AS 'DELETE FROM runs'`,
  `CREATE TEMPORARY TABLE sites AS SELECT id, 1 AS is_deleting FROM public.sites; SELECT erase_runs('{site}', 0, 9)`,
  `LOCK TABLE runs IN ACCESS EXCLUSIVE MODE; DELETE FROM runs`,
  `UPDATE knex_migrations SET name = 'none'`,
  `DELETE FROM knex_migrations`,
];

interface RawConnection {
  attack(sql: string): Promise<unknown>;
  read(sql: string): Promise<unknown[]>;
  /** Makes the connection as it was. */
  reset(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** A connection without any of the service's settings: on SQLite foreign keys are then unchecked too. */
async function connectRaw(url: string): Promise<RawConnection> {
  if (url.startsWith('sqlite:')) {
    const open = () => {
      const connection = new Sqlite(sqlitePath(url));
      connection.pragma('foreign_keys = OFF');
      return connection;
    };
    let connection = open();
    return {
      attack: async (sql: string) => connection.exec(sql),
      read: async (sql: string) => connection.prepare(sql).all(),
      reset: async () => {
        connection.close();
        connection = open();
      },
      close: async () => connection.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    attack: (sql: string) => client.query(sql),
    read: async (sql: string) => (await client.query(sql)).rows as unknown[],
    reset: () => client.query('ROLLBACK').then(() => client.query('DISCARD ALL')),
    close: () => client.end(),
  };
}

const EVERYTHING = [
  `SELECT * FROM runs ORDER BY site_id, number`,
  `SELECT * FROM texts ORDER BY digest`,
  `SELECT * FROM sites ORDER BY id`,
  `SELECT * FROM accounts ORDER BY id`,
  `SELECT * FROM used_ids ORDER BY id`,
  `SELECT * FROM run_chain ORDER BY site_id, number`,
  `SELECT * FROM supplement_chain ORDER BY site_id, number`,
  `SELECT * FROM epochs ORDER BY number`,
  `SELECT * FROM audit_log ORDER BY id`,
  `SELECT * FROM audit_chain ORDER BY account_id, number`,
  `SELECT * FROM audit_unlinked ORDER BY event_id`,
  `SELECT * FROM audit_events ORDER BY id`,
];

interface Attacked {
  readonly db: Database;
  /** Whose role attacks. */
  readonly url: string;
  readonly attacks: readonly string[];
  readonly refusal: RegExp;
}

/** Every attack is refused, and every row and guard is as it was. */
async function assertHolds(t: Test, { db, url, attacks, refusal }: Attacked): Promise<void> {
  const fillIn = await prepare(db);
  const [raw, reader] = [await connectRaw(url), await connectRaw(db.url)];
  t.teardown(() => reader.close());
  t.teardown(() => raw.close());
  const readAll = async () => {
    const tables: unknown[][] = [];
    for (const sql of EVERYTHING) tables.push(await reader.read(sql));
    return tables;
  };
  const before = await readAll();
  t.equal(before[0]?.length, 4);
  const schema = db.dialect === 'sqlite' ? 'main' : 'public';
  for (const attack of attacks) {
    const sql = fillIn(attack).replaceAll('{schema}', schema).replaceAll('{file}', sqlitePath(db.url));
    await t.rejects(raw.attack(sql), { message: refusal }, attack);
    await raw.reset();
    t.same(await readAll(), before, '0 rows changed');
  }
  t.equal(await schemaStatus(db), 'current', 'and every guard is as it was');
}

const REFUSALS: Readonly<Record<Engine, RegExp>> = {
  sqlite: /never change|sqlite_master may not be modified|cannot modify seen because it is a view/,
  postgres: /never change/,
};

onEachDatabase(async (t, engine) => {
  t.test('no statement changes a finished run, takes a counter back or has it skip', async (t) => {
    const db = await engine.openDb(t);
    const attacks = [...ATTACKS, ...EVENT_ATTACKS, ...ENGINE_ATTACKS[engine.name]];
    await assertHolds(t, { db, url: db.url, attacks, refusal: REFUSALS[engine.name] });
  });

  t.test('only a site that is marked as being deleted lets its runs go, and the mark stays', async (t) => {
    const db = await engine.openDb(t);
    const fillIn = await prepare(db);
    const raw = await connectRaw(db.url);
    await raw.attack(fillIn(`UPDATE sites SET is_deleting = 1 WHERE id = '{site}'`));
    await t.rejects(raw.attack(fillIn(`UPDATE sites SET is_deleting = 0 WHERE id = '{site}'`)));
    await t.rejects(raw.attack(`UPDATE runs ${SET_FORGED}`), 'a change is refused even then');
    await t.rejects(raw.attack(fillIn(`DELETE FROM runs WHERE site_id = '{other}'`)));
    await t.rejects(raw.attack(fillIn(`DELETE FROM sites WHERE id = '{site}'`)), 'the runs go before the site');
    await raw.attack(fillIn(`DELETE FROM runs WHERE site_id = '{site}'`));
    t.equal((await raw.read('SELECT * FROM runs')).length, 1);
    await raw.attack(fillIn(`DELETE FROM sites WHERE id = '{site}'`));
    await raw.attack(`UPDATE accounts SET removed_at = 'now'`);
    await t.rejects(raw.attack(`UPDATE accounts SET removed_at = NULL`), 'nor does an account come back');
    await raw.close();
  });

  t.test('no number is taken before the one before it has its run', async (t) => {
    const db = await engine.openDb(t);
    const fillIn = await prepare(db);
    const raw = await connectRaw(db.url);
    const take = fillIn(`UPDATE sites SET run_counter = run_counter + 1 WHERE id = '{site}'`);
    await raw.attack(take);
    await t.rejects(raw.attack(take), { message: /never change/ });
    await raw.close();
  });
});

/** What the role had before 0.2.0 was upgraded, on tables that it has fewer rights on now. */
const EARLIER_RIGHTS = `GRANT DELETE ON runs TO {role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON used_ids, run_chain, epochs, audit_log, audit_chain, audit_unlinked TO {role}; GRANT EXECUTE ON FUNCTION erase_runs, erase_events TO PUBLIC`;

onPostgres(async (t, engine) => {
  for (const rights of ['', EARLIER_RIGHTS]) {
    const whose = rights === '' ? 'the role that serves' : 'the one of before, with more rights';
    t.test(`nor can ${whose}, whatever it tries with tables, triggers and functions`, async (t) => {
      const { serveUrl, ownerUrl } = await separateRoles(t, engine);
      await runStatements(ownerUrl, rights.replaceAll('{role}', new URL(serveUrl).username));
      const db = await openDatabase(ownerUrl);
      t.teardown(() => db.close());
      await assertHolds(t, {
        ...{
          db,
          url: serveUrl,
          attacks: [...ATTACKS, ...EVENT_ATTACKS, ...ENGINE_ATTACKS.postgres, ...SCHEMA_ATTACKS],
        },
        refusal: /never change|permission denied|must be owner|must be superuser|must have|violates foreign key/i,
      });
    });
  }

  t.test('the role that serves deletes the runs of a marked site by the function alone', async (t) => {
    const { serveUrl, ownerUrl } = await separateRoles(t, engine);
    await runStatements(ownerUrl, EARLIER_RIGHTS.replaceAll('{role}', new URL(serveUrl).username));
    const db = await openDatabase(ownerUrl);
    t.teardown(() => db.close());
    const fillIn = await prepare(db);
    const raw = await connectRaw(serveUrl);
    t.teardown(() => raw.close());
    await raw.attack(fillIn(MARK));
    for (const table of ['run_chain', 'runs']) {
      const sql = fillIn(`DELETE FROM ${table} WHERE site_id = '{site}'`);
      await t.rejects(raw.attack(sql), { message: /never change/ }, 'as version 0.2.0 tries it');
    }
    await raw.attack(fillIn(`SELECT erase_runs('{site}', 0, 2)`));
    t.same(await raw.read(fillIn(`SELECT number FROM run_chain WHERE site_id = '{site}'`)), [{ number: 3 }]);
    await t.rejects(raw.attack(fillIn(`SELECT erase_runs('{other}', 0, 9)`)), { message: /never change/ });
  });
});
