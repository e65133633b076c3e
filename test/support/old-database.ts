import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sqlitePath } from '../../src/store/sqlite.js';
import { connectRaw } from './raw-connection.js';

/** The migrations that version 0.8.0 recorded. */
const MIGRATIONS_OF_0_8 = [
  ...['0001-schema', '0002-idempotency', '0003-accounts', '0004-run-chain', '0005-scanning', '0006-run-notes'],
  ...['0007-run-gains', '0008-rechecks', '0009-run-evidence', '0010-unread-proofs', '0011-supplement-chain'],
  ...['0012-evidence-size', '0013-known-devices', '0014-audit-log', '0015-access', '0016-absent-proofs'],
  ...['0017-shared-reports', '0018-runs-by-day', '0019-excluded-hosts', '0020-run-labels', '0021-people'],
  ...['0022-places', '0023-many-sites', '0024-chosen-pages'],
];

/** What is needed of the schema of 0.8.0 to store a run. */
const TABLES_OF_0_8 = `
  CREATE TABLE accounts (id text PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL, password_hash text, plan text NOT NULL,
    email_alerts_since text, reference_counter integer NOT NULL DEFAULT 0, created_at text NOT NULL, removed_at text);
  CREATE TABLE sites (id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), origin text NOT NULL,
    hostname text NOT NULL, run_counter integer NOT NULL DEFAULT 0, verified_at text, verified_by text,
    is_deleting integer NOT NULL DEFAULT 0, created_at text NOT NULL, UNIQUE (account_id, origin));
  CREATE TABLE runs (site_id text NOT NULL REFERENCES sites (id), number integer NOT NULL, reference text NOT NULL, score integer,
    trigger text NOT NULL, started_at text NOT NULL, finished_at text NOT NULL, results text NOT NULL, body text NOT NULL,
    etag text NOT NULL, release text, PRIMARY KEY (site_id, number));
  INSERT INTO accounts (id, email, name, plan, reference_counter, created_at)
    VALUES ('acc_1', 'ada@example.com', 'Ada', 'MONITOR', 1, '2026-11-20T08:00:00.000Z');
  INSERT INTO sites (id, account_id, origin, hostname, run_counter, created_at)
    VALUES ('site_1', 'acc_1', 'https://example.com', 'example.com', 1, '2026-11-20T08:00:00.000Z');
  INSERT INTO runs (site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag, release)
    VALUES ('site_1', 1, 'CR-000001', 80, 'API', '2026-11-20T09:00:00.000Z', '2026-11-20T09:00:02.000Z', '[]', '{}', '"1"', '0.8.0');`;

/** Fills the empty database as version 0.8.0 would leave it. */
export async function createOldDatabase(url: string): Promise<void> {
  await createDatabaseOf(url, MIGRATIONS_OF_0_8, TABLES_OF_0_8);
}

/** Fills the empty database with the tables of knex, which record these migrations, and with what the statements create. */
export async function createDatabaseOf(url: string, migrations: readonly string[], statements = ''): Promise<void> {
  const isSqlite = url.startsWith('sqlite:');
  if (isSqlite) {
    writeFileSync(sqlitePath(url), '');
    const connection = new Sqlite(sqlitePath(url));
    connection.pragma('journal_mode = WAL');
    connection.close();
  }
  const id = isSqlite ? 'integer PRIMARY KEY AUTOINCREMENT' : 'serial PRIMARY KEY';
  const raw = await connectRaw(url);
  try {
    await raw.exec(`CREATE TABLE knex_migrations (id ${id}, name varchar(255), batch integer, migration_time text);
      CREATE TABLE knex_migrations_lock ("index" ${id}, is_locked integer);
      INSERT INTO knex_migrations_lock (is_locked) VALUES (0); ${statements}`);
    for (const name of migrations) {
      await raw.insert('knex_migrations', { name, batch: 1, migration_time: '2026-11-20T08:00:00.000Z' });
    }
  } finally {
    await raw.close();
  }
}
