import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import { isConflict, isLockTimeout, mapDatabaseError } from './errors.js';
import {
  describeBrokenGuards,
  type ExpectedGuards,
  findBrokenGuards,
  type GuardRow,
  GUARDS_SQL,
} from './migrations/guard-definition.js';
import { describeUnreleased, expectedGuards, type Migration, MIGRATIONS } from './migrations/index.js';
import { lockTables } from './migrations/table-locks.js';
import type { Dialect } from './query.js';
import { retryConflicts } from './retry.js';
import { configureSqlite, sqlitePath } from './sqlite.js';

/** An arbitrary fixed number: it identifies the lock that keeps a second `migrate` out on PostgreSQL. */
const POSTGRES_LOCK = 7_263_545;

/** How long a second `migrate` waits for the first. */
const LOCK_WAIT_MS = 60_000;

/**
 * How long it waits for a table that a transaction of the service, or a dump, has in use. All that comes after waits behind it, and has its
 * turn before the next try.
 */
const TABLE_WAIT_MS = 2000;

/** On PostgreSQL others had tables in use for longer than {@link TABLE_WAIT_MS}. */
class TablesInUse extends Error {
  override readonly name = 'TablesInUse';

  constructor(cause: unknown) {
    super(
      'other transactions have had the tables in use for a minute, and nothing is changed. Find the long ones by ' +
        '"SELECT pid, xact_start, query FROM pg_stat_activity ORDER BY xact_start", wait for them or end them, ' +
        'then migrate again.',
      { cause },
    );
  }
}

/**
 * Brings the database to the current schema and returns the names of the migrations that ran. Safe to run concurrently:
 * everything is one transaction behind a lock, so a second process waits and then finds nothing to do, and a killed one leaves no
 * trace.
 * @param migrations all migrations; only tests pass others
 * @throws ServiceError overloaded when the database cannot be reached, or another process migrates it for too long; TablesInUse
 */
export async function migrateDatabase(url: string, migrations: readonly Migration[] = MIGRATIONS): Promise<string[]> {
  const dialect: Dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  try {
    return await retryConflicts(() => migrateOnce(url, dialect, migrations), LOCK_WAIT_MS, isLost);
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

function isLost(error: unknown): boolean {
  return isConflict(error) || error instanceof TablesInUse;
}

async function migrateOnce(url: string, dialect: Dialect, migrations: readonly Migration[]): Promise<string[]> {
  if (dialect === 'sqlite') createSqliteFile(sqlitePath(url));
  const sql = dialect === 'sqlite' ? connectSqlite(sqlitePath(url)) : connectPostgres(url);
  try {
    return await sql.transaction(async (transaction) => {
      await lock(transaction, dialect);
      return await runMigrations(transaction, dialect, migrations).catch((error: unknown) => {
        throw isLockTimeout(error) ? new TablesInUse(error) : error;
      });
    });
  } finally {
    await sql.destroy();
  }
}

async function runMigrations(sql: Knex, dialect: Dialect, migrations: readonly Migration[]): Promise<string[]> {
  const config: Knex.MigratorConfig = {
    migrationSource: {
      getMigrations: async () => [...migrations],
      getMigrationName: ({ name }: Migration) => name,
      getMigration: async ({ up }: Migration) => ({
        up: (transaction: Knex) => up(transaction, dialect),
        down: () => Promise.reject(new Error('Migrations only go forward.')),
      }),
    },
    // The surrounding transaction covers all of them.
    disableTransactions: true,
    // An older version of the program ignores migrations that it does not know.
    disableMigrationsListValidation: true,
  };
  // We hold a separate lock, so if knex's is set, it is stale.
  await sql.migrate.forceFreeMigrationsLock(config);
  const { pending } = await listMigrations(sql, config);
  if (dialect === 'postgres') await lockTables(sql, pending);
  const done: string[] = [];
  for (;;) {
    // Check before the next migration too, since it may recreate guards: a dropped guard must be reported, not hidden.
    const { completed } = await listMigrations(sql, config);
    await assertGuards(sql, dialect, expectedGuards(completed, dialect, migrations));
    const [, names] = (await sql.migrate.up(config)) as [number, string[]];
    if (names.length === 0) return done;
    done.push(...names);
  }
}

async function listMigrations(
  sql: Knex,
  config: Knex.MigratorConfig,
): Promise<{ readonly completed: readonly string[]; readonly pending: readonly Migration[] }> {
  const [rows, pending] = (await sql.migrate.list(config)) as [{ name: string }[], Migration[]];
  const completed = rows.map(({ name }) => name);
  const unreleased = describeUnreleased(completed);
  if (unreleased !== null) throw new Error(unreleased);
  return { completed, pending };
}

async function assertGuards(sql: Knex, dialect: Dialect, expected: ExpectedGuards): Promise<void> {
  const rows = (await sql.raw(GUARDS_SQL[dialect])) as GuardRow[] | { rows: GuardRow[] };
  const broken = findBrokenGuards(Array.isArray(rows) ? rows : rows.rows, expected);
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
    await transaction.raw(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
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
