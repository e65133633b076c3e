import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sqlitePath } from '../../src/store/sqlite.js';
import { connectRaw, insertion } from '../support/raw-connection.js';

/** Some of the migrations that version 0.8.0 recorded. */
const MIGRATIONS_OF_0_8 = ['0001-schema', '0002-idempotency', '0024-chosen-pages'];

/** What is needed of the schema of 0.8.0 to store a run. */
const TABLES_OF_0_8 = `
  CREATE TABLE runs (site_id text NOT NULL, number integer NOT NULL, body text NOT NULL, PRIMARY KEY (site_id, number));
  INSERT INTO runs (site_id, number, body) VALUES ('site_1', 1, '{}');`;

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
      const row = { name, batch: 1, migration_time: '2026-11-20T08:00:00.000Z' };
      await raw.exec(insertion('knex_migrations', row));
    }
  } finally {
    await raw.close();
  }
}
