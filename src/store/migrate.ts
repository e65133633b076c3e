import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import { type Database, mapDatabaseError, retryConflicts } from './database.js';
import type { Dialect } from './query.js';
import { createSchema, SCHEMA_NAMES } from './schema.js';
import { assertGuarded, openDatabase, refuseOtherSchema } from './open.js';
import { sqlitePath } from './sqlite.js';

/** How long a second `migrate` waits for the first. */
const LOCK_WAIT_MS = 60_000;

/**
 * SQL that acquires the lock against concurrent migrations. On PostgreSQL, the number is arbitrary. On SQLite, knex begins deferred
 * transactions, so a first write acquires the lock before anything is read.
 */
const LOCK: Readonly<Record<Dialect, string>> = {
  sqlite: 'PRAGMA user_version = 1',
  postgres: `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}; SELECT pg_advisory_xact_lock(7263545)`,
};

/**
 * Creates the schema in an empty database. Returns its name, or an empty list if it exists. Safe to run concurrently: everything is in
 * one locked transaction, so a second process waits and then finds nothing to do, and a killed one leaves no trace.
 * @throws InputError for a database of another version, which stays as it is; ServiceError overloaded when the database cannot be
 * reached, or another process holds the lock for too long
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const db = await openDatabase(url);
  try {
    await refuseOtherSchema(db);
    const names = await retryConflicts(() => runMigrations(db), LOCK_WAIT_MS);
    await assertGuarded(db);
    return names;
  } catch (error) {
    throw mapDatabaseError(error);
  } finally {
    await db.close();
  }
}

async function runMigrations({ dialect, url }: Database): Promise<string[]> {
  if (dialect === 'sqlite') createSqliteFile(sqlitePath(url));
  const config: Knex.MigratorConfig = {
    migrationSource: {
      getMigrations: async () => [SCHEMA_NAMES[dialect]],
      getMigrationName: (name: string) => name,
      getMigration: async () => ({
        up: (transaction: Knex) => createSchema(transaction, dialect),
        down: () => Promise.reject(new Error('Migrations only go forward.')),
      }),
    },
    // The surrounding transaction covers everything, including knex's own lock, so a killed process leaves none.
    disableTransactions: true,
  };
  const sql = connect(dialect, url);
  try {
    // Waiting inside the driver would block the event loop.
    if (dialect === 'sqlite') await sql.raw('PRAGMA busy_timeout = 20');
    return await sql.transaction(async (transaction) => {
      await transaction.raw(LOCK[dialect]);
      const [, names] = (await transaction.migrate.latest(config)) as [number, string[]];
      return names;
    });
  } finally {
    await sql.destroy();
  }
}

function connect(dialect: Dialect, url: string): Knex {
  const ignore = (): void => undefined;
  return knex({
    client: dialect === 'sqlite' ? 'better-sqlite3' : 'pg',
    // knex would print the errors that it also throws.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    useNullAsDefault: true,
    pool: { min: 0, max: 1 },
    connection:
      dialect === 'sqlite'
        ? { filename: sqlitePath(url) }
        : { connectionString: url, connectionTimeoutMillis: 5000, application_name: 'agent-readiness migrate' },
  });
}

function createSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Only the owner may read the file. SQLite creates side files with the same mode.
  closeSync(openSync(path, 'a', 0o600));
  // In WAL mode, which the file keeps, a reader never waits for a writer.
  const connection = new Sqlite(path, { timeout: 20 });
  try {
    connection.pragma('journal_mode = WAL');
  } finally {
    connection.close();
  }
}
