import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { createRuns } from '../../src/service/runs.js';
import { createSlots } from '../../src/service/slots.js';
import type { Database } from '../../src/store/database.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount, addSite, scanReport, TestClock } from '../support/accounts.js';
import { type Engine, onEachDatabase } from '../support/databases.js';
import { createRunPerformer } from '../../src/service/run-performer.js';

/** Runs 1 to 3 of a site that stands between the ids `{site}` and `{other}` of two sites of one account, `{account}`. */
async function prepare(db: Database) {
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
  const clock = new TestClock();
  const runs = createRuns({
    db,
    clock,
    performRun: createRunPerformer({ db, clock, scan: async () => scanReport(), slots: createSlots(1) }),
  });
  const start = (siteId: string) => runs.start({ accountId: account.id, siteId, trigger: 'SCHEDULED' });
  for (const siteId of [site.id, site.id, site.id, other.id]) await start(siteId);
  const fillIn = (sql: string) =>
    sql.replaceAll('{site}', site.id).replaceAll('{other}', other.id).replaceAll('{account}', account.id);
  return { fillIn };
}

const COLUMNS = 'site_id, number, reference, score, trigger, started_at, finished_at, body, etag';
const FORGED = `'{site}', 2, 'CR-000009', 1, 'API', 'then', 'then', 'forged', '"forged"'`;
const FORGED_NEXT = FORGED.replace(' 2,', ' 9,');
const SET_FORGED = `SET body = 'forged'`;

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
  `DELETE FROM sites`,
  `UPDATE sites SET run_counter = 0`,
  `UPDATE sites SET id = 'site_x' WHERE id = '{site}'`,
  `UPDATE sites SET account_id = 'acc_x' WHERE id = '{site}'`,
  `UPDATE accounts SET reference_counter = 0`,
];

const ENGINE_ATTACKS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `INSERT OR REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO runs (${COLUMNS}) VALUES (${FORGED})`,
    `REPLACE INTO runs (rowid, ${COLUMNS}) VALUES (1, ${FORGED_NEXT})`,
    `REPLACE INTO runs (${COLUMNS}) SELECT ${COLUMNS.replace('body', "'forged'")} FROM runs`,
    `UPDATE OR REPLACE runs SET number = 2 WHERE site_id = '{site}' AND number = 3`,
    `REPLACE INTO sites (id, account_id, origin, hostname, created_at) VALUES ('{site}', '{account}', 'o', 'h', 'now')`,
    `REPLACE INTO sites (id, account_id, origin, hostname, created_at)
       VALUES ('site_x', '{account}', 'https://shop.example.com', 'shop.example.com', 'now')`,
    `REPLACE INTO sites (rowid, id, account_id, origin, hostname, created_at)
       VALUES (1, 'site_x', '{account}', 'https://x.example.com', 'x.example.com', 'now')`,
    `REPLACE INTO accounts (id, email, name, plan, created_at) VALUES ('{account}', 'e', 'n', 'FREE', 'now')`,
  ],
  postgres: [
    `TRUNCATE runs`,
    `TRUNCATE sites CASCADE`,
    `TRUNCATE accounts CASCADE`,
    `WITH gone AS (DELETE FROM runs RETURNING *) SELECT count(*) FROM gone`,
    `MERGE INTO runs USING sites ON sites.id = runs.site_id WHEN MATCHED THEN UPDATE SET score = 1`,
    `MERGE INTO runs USING sites ON sites.id = runs.site_id WHEN MATCHED THEN DELETE`,
    `SET session_replication_role = replica; DELETE FROM runs; SET session_replication_role = DEFAULT`,
  ],
};

interface RawConnection {
  attack(sql: string): Promise<unknown>;
  read(sql: string): Promise<unknown[]>;
  close(): Promise<unknown>;
}

/** A connection without any of the service's settings: on SQLite foreign keys are then unchecked too. */
async function connectRaw({ dialect, url }: Database): Promise<RawConnection> {
  if (dialect === 'sqlite') {
    const connection = new Sqlite(sqlitePath(url));
    connection.pragma('foreign_keys = OFF');
    return {
      attack: async (sql: string) => connection.exec(sql),
      read: async (sql: string) => connection.prepare(sql).all(),
      close: async () => connection.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    attack: (sql: string) => client.query(sql),
    read: async (sql: string) => (await client.query(sql)).rows as unknown[],
    close: () => client.end(),
  };
}

const EVERYTHING = [
  `SELECT * FROM runs ORDER BY site_id, number`,
  `SELECT * FROM sites ORDER BY id`,
  `SELECT * FROM accounts ORDER BY id`,
];

onEachDatabase(async (t, engine) => {
  t.test('no statement changes a finished run or takes a counter back', async (t) => {
    const db = await engine.openDb(t);
    const { fillIn } = await prepare(db);
    const raw = await connectRaw(db);
    const readAll = async () => {
      const tables: unknown[][] = [];
      for (const sql of EVERYTHING) tables.push(await raw.read(sql));
      return tables;
    };
    const before = await readAll();
    t.equal(before[0]?.length, 4);
    for (const attack of [...ATTACKS, ...ENGINE_ATTACKS[engine.name]]) {
      await t.rejects(raw.attack(fillIn(attack)), { message: /never change/ }, attack);
      if (engine.name === 'postgres') await raw.attack('SET session_replication_role = DEFAULT');
      t.same(await readAll(), before, '0 rows changed');
    }
    await raw.close();
  });

  t.test('only a site that is marked as being deleted lets its runs go, and the mark stays', async (t) => {
    const db = await engine.openDb(t);
    const { fillIn } = await prepare(db);
    const raw = await connectRaw(db);
    await raw.attack(fillIn(`UPDATE sites SET is_deleting = 1 WHERE id = '{site}'`));
    await t.rejects(raw.attack(fillIn(`UPDATE sites SET is_deleting = 0 WHERE id = '{site}'`)));
    await t.rejects(raw.attack(`UPDATE runs ${SET_FORGED}`), 'a change is refused even then');
    await t.rejects(raw.attack(fillIn(`DELETE FROM runs WHERE site_id = '{other}'`)));
    await raw.attack(fillIn(`DELETE FROM runs WHERE site_id = '{site}'`));
    t.equal((await raw.read('SELECT * FROM runs')).length, 1);
    await raw.close();
  });
});
