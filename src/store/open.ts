import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/errors.js';
import { createDatabase, type Database, type DatabaseObserver, isFailure } from './database.js';
import { defineQuery, type Dialect, isPostgres } from './query.js';
import { describeBrokenGuards, SCHEMA_NAMES, TRIGGERS_SQL } from './schema.js';
import { openSqlite, sqlitePath } from './sqlite.js';

/**
 * Opens `sqlite:FILE` or `postgres://…`. Does not connect yet, so an unavailable database is no error here. Does not create a
 * missing SQLite file; `migrateDatabase` does.
 * @throws Error for another scheme
 */
export async function openDatabase(url: string, observer?: DatabaseObserver): Promise<Database> {
  if (url.startsWith('sqlite:')) return createDatabase(url, 'sqlite', openSqlite(sqlitePath(url)), observer);
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new Error('The database must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.');
  }
  // Loads the driver only when it is used.
  const { openPostgres } = await import('./postgres.js');
  return createDatabase(url, 'postgres', openPostgres(url), observer);
}

/**
 * `behind`: there is no schema yet; `migrate` creates it. `other`: another version of the program created the database.
 * `unguarded`: triggers that protect finished runs are missing or changed, see {@link assertGuarded}. `unreachable`: the database does
 * not answer.
 */
export type SchemaStatus = 'current' | 'behind' | 'other' | 'unguarded' | 'unreachable';

const selectTriggers = defineQuery<{ definition: string }>((sql) =>
  sql.raw(TRIGGERS_SQL[isPostgres(sql) ? 'postgres' : 'sqlite']),
);

const SELECT_NAMES = 'SELECT name FROM knex_migrations';
const selectNames = defineQuery<{ name: string }>((sql) => sql.raw(SELECT_NAMES));

/** Compares the database's schema with the program's, at start and for `/readyz`. Never rejects. */
export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  if (db.dialect === 'sqlite' && !existsSync(sqlitePath(db.url))) return 'behind';
  try {
    const names = (await db.run(selectNames({}))).map(({ name }) => name);
    if (names.length === 0) return 'behind';
    if (isOtherSchema(names, db.dialect)) return 'other';
    return (await findBrokenGuards(db)) === '' ? 'current' : 'unguarded';
  } catch (error) {
    return isFailure(error, 'oldSchema') ? 'behind' : 'unreachable';
  }
}

async function findBrokenGuards(db: Database): Promise<string> {
  return describeBrokenGuards(
    (await db.run(selectTriggers({}))).map(({ definition }) => definition),
    db.dialect,
  );
}

/** @throws Error naming the triggers that are missing or changed */
export async function assertGuarded(db: Database): Promise<void> {
  const fault = await findBrokenGuards(db);
  if (fault !== '') throw new Error(fault);
}

/**
 * Refuses a database that another version of the program created, before anything writes to it. A database that is missing, empty or
 * unreachable is not refused here.
 * @throws InputError with the command to start afresh
 */
export async function refuseOtherSchema(db: Database): Promise<void> {
  const isSqlite = db.dialect === 'sqlite';
  const read = async (): Promise<readonly string[]> =>
    isSqlite ? readSqliteSchemas(sqlitePath(db.url)) : (await db.run(selectNames({}))).map(({ name }) => name);
  if (!isOtherSchema(await read().catch(() => []), db.dialect)) return;
  const [database, restart] = isSqlite ? describeSqlite(sqlitePath(db.url)) : describePostgres(db.url);
  throw new InputError(
    `The database ${database} was created by another version of this program and is left unchanged; ` +
      `run that version or, to start afresh, ${restart}`,
  );
}

/** @param names the schemas that the database records */
export function isOtherSchema(names: readonly string[], dialect: Dialect): boolean {
  return names.some((name) => name !== SCHEMA_NAMES[dialect]);
}

/**
 * Reads the schemas that a SQLite file records, without changing the file or its side files: a connection that may write moves the
 * log into the file when it closes, and a read-only one creates a missing log.
 */
export function readSqliteSchemas(path: string): string[] {
  const connection = new Sqlite(path, { fileMustExist: true, readonly: existsSync(`${path}-wal`) });
  try {
    return connection.prepare<[], string>(SELECT_NAMES).pluck().all();
  } finally {
    connection.close();
  }
}

/** Returns the database's name and how to start with an empty one. Side files must move too: SQLite would apply them to the new file. */
function describeSqlite(path: string): [string, string] {
  const folder = quote(join(dirname(path), 'old'));
  return [path, `move it away: mkdir -p ${folder} && mv ${quote(path)}* ${folder}`];
}

function describePostgres(url: string): [string, string] {
  const { host, pathname } = new URL(url);
  const name = decodeURIComponent(basename(pathname)) || 'agent_readiness';
  const command = `createdb --maintenance-db="$DATABASE_URL" ${quote(`${name}_new`)}`;
  return [host === '' ? name : `${name} on ${host}`, `create an empty one and name it in DATABASE_URL: ${command}`];
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
