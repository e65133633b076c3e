import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import { mapDatabaseError } from './errors.js';
import { type Dialect, retryConflicts } from './query.js';
import { createSchema, schemaName } from './schema/index.js';
import { describeBrokenGuards, findBrokenGuards, type TriggerRow, TRIGGERS_SQL } from './schema/triggers.js';
import { assertSchema, refuseOtherSchema } from './schema-check.js';
import { configureSqlite, sqlitePath } from './sqlite.js';

/** An arbitrary fixed number: it identifies the lock that keeps a second `migrate` out on PostgreSQL. */
const POSTGRES_LOCK = 7_263_545;

/** How long a second `migrate` waits for the first. */
const LOCK_WAIT_MS = 60_000;

/**
 * Creates the schema in an empty database and returns its name, or nothing if it was there. Safe to run concurrently: everything is
 * one transaction behind a lock, so a second process waits and then finds nothing to do, and a killed one leaves no trace.
 * @throws InputError for a database of another version, which stays as it is; ServiceError overloaded when the database cannot be
 * reached, or another process migrates it for too long
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const dialect: Dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  try {
    return await retryConflicts(() => migrateOnce(url, dialect), LOCK_WAIT_MS);
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

async function migrateOnce(url: string, dialect: Dialect): Promise<string[]> {
  if (dialect === 'sqlite') {
    await refuseOtherSchema(url);
    createSqliteFile(sqlitePath(url));
  }
  const sql = dialect === 'sqlite' ? connectSqlite(sqlitePath(url)) : connectPostgres(url);
  try {
    return await sql.transaction(async (transaction) => {
      await lock(transaction, dialect);
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
  await assertGuards(sql, dialect);
  return names;
}

async function assertGuards(sql: Knex, dialect: Dialect): Promise<void> {
  const rows = (await sql.raw(TRIGGERS_SQL[dialect])) as TriggerRow[] | { rows: TriggerRow[] };
  const broken = findBrokenGuards(Array.isArray(rows) ? rows : rows.rows, dialect);
  if (broken.length > 0) throw new Error(describeBrokenGuards(broken));
}

/** knex would print what it throws anyway. */
const SILENT = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

async function lock(transaction: Knex, dialect: Dialect): Promise<void> {
  // knex begins SQLite's transactions deferred. Writing first takes the write lock before anything is read.
  if (dialect === 'sqlite') {
    await transaction.raw('PRAGMA user_version = 1');
  } else {
    await transaction.raw(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    await transaction.raw('SELECT pg_advisory_xact_lock(?)', [POSTGRES_LOCK]);
  }
}

function createSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Only its owner may read it; SQLite creates its side files with the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const connection = new Sqlite(path);
  try {
    configureSqlite(connection);
    // WAL, so that a reader never waits for a writer. The file keeps this mode.
    connection.pragma('journal_mode = WAL');
  } finally {
    connection.close();
  }
}

function connectSqlite(path: string): Knex {
  return knex({
    client: 'better-sqlite3',
    log: SILENT,
    connection: { filename: path },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Sqlite.Database, done: (error: Error | null, connection: unknown) => void) => {
        configureSqlite(connection);
        done(null, connection);
      },
    },
  });
}

function connectPostgres(url: string): Knex {
  return knex({
    client: 'pg',
    log: SILENT,
    connection: { connectionString: url, connectionTimeoutMillis: 5000, application_name: 'agent-readiness migrate' },
    pool: { min: 0, max: 1 },
  });
}
