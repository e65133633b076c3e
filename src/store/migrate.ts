import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import { mapDatabaseError } from './errors.js';
import { describeBrokenGuards, type TriggerRow, TRIGGERS_SQL } from './guards.js';
import { type Dialect, retryConflicts } from './query.js';
import { createSchema, schemaName } from './schema.js';
import { assertSchema, refuseOtherSchema } from './schema-check.js';
import { configureSqlite, sqlitePath } from './sqlite.js';

/** How long a second `migrate` waits for the first. */
const LOCK_WAIT_MS = 60_000;

/**
 * Takes the lock that prevents concurrent migrations, by an arbitrary fixed number on PostgreSQL. knex begins SQLite's transactions
 * deferred: writing first takes the write lock before anything is read.
 */
const LOCK: Readonly<Record<Dialect, string>> = {
  sqlite: 'PRAGMA user_version = 1',
  postgres: `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}; SELECT pg_advisory_xact_lock(7263545)`,
};

/**
 * Creates the schema in an empty database and returns its name, or nothing if it was there. Safe to run concurrently: everything is
 * one transaction behind a lock, so a second process waits and then finds nothing to do, and a killed one leaves no trace.
 * @throws InputError for a database of another version, which stays as it is; ServiceError overloaded when the database cannot be
 * reached, or another process migrates it for too long
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  try {
    return await retryConflicts(() => migrateOnce(url), LOCK_WAIT_MS);
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

async function migrateOnce(url: string): Promise<string[]> {
  const dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  if (dialect === 'sqlite') {
    await refuseOtherSchema(url);
    createSqliteFile(sqlitePath(url));
  }
  const sql = knex(dialect === 'sqlite' ? sqliteConfig(sqlitePath(url)) : postgresConfig(url));
  try {
    return await sql.transaction(async (transaction) => {
      await transaction.raw(LOCK[dialect]);
      return runMigrations(transaction, dialect, url);
    });
  } finally {
    await sql.destroy();
  }
}

async function runMigrations(sql: Knex, dialect: Dialect, url: string): Promise<string[]> {
  const config: Knex.MigratorConfig = {
    migrationSource: {
      getMigrations: async () => [schemaName(dialect)],
      getMigrationName: (name: string) => name,
      getMigration: async () => ({
        up: (transaction: Knex) => createSchema(transaction, dialect),
        down: () => Promise.reject(new Error('Migrations only go forward.')),
      }),
    },
    // The surrounding transaction covers everything.
    disableTransactions: true,
    // We compare the names ourselves.
    disableMigrationsListValidation: true,
  };
  // We have a lock of our own, so if knex's is set, it is stale.
  await sql.migrate.forceFreeMigrationsLock(config);
  const [completed] = (await sql.migrate.list(config)) as [{ name: string }[], unknown];
  assertSchema(
    completed.map(({ name }) => name),
    url,
  );
  const [, names] = (await sql.migrate.latest(config)) as [number, string[]];
  const triggers = (await sql.raw(TRIGGERS_SQL[dialect])) as TriggerRow[] | { rows: TriggerRow[] };
  const fault = describeBrokenGuards(Array.isArray(triggers) ? triggers : triggers.rows, dialect);
  if (fault !== '') throw new Error(fault);
  return names;
}

function createSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Only its owner may read it; SQLite creates its side files with the same mode.
  closeSync(openSync(path, 'a', 0o600));
  // WAL, so that a reader never waits for a writer. The file keeps this mode.
  const connection = new Sqlite(path);
  try {
    configureSqlite(connection);
    connection.pragma('journal_mode = WAL');
  } finally {
    connection.close();
  }
}

/** knex would print what it throws anyway. */
const SILENT = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

function sqliteConfig(filename: string): Knex.Config {
  return {
    client: 'better-sqlite3',
    log: SILENT,
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Sqlite.Database, done: (error: Error | null, connection: unknown) => void) => {
        configureSqlite(connection);
        done(null, connection);
      },
    },
  };
}

function postgresConfig(url: string): Knex.Config {
  return {
    client: 'pg',
    log: SILENT,
    connection: { connectionString: url, connectionTimeoutMillis: 5000, application_name: 'agent-readiness migrate' },
    pool: { min: 0, max: 1 },
  };
}
