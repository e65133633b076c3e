import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/input-error.js';
import type { Database } from './database.js';
import { isOldSchema } from './errors.js';
import { openDatabase } from './open-database.js';
import { defineQuery, type Dialect } from './query.js';
import { SCHEMA_VERSION, schemaName } from './schema/index.js';
import { describeBrokenGuards, findBrokenGuards, type TriggerRow, TRIGGERS_SQL } from './schema/triggers.js';
import { sqlitePath } from './sqlite.js';

/**
 * `behind`: there is no schema yet; `migrate` creates it. `other`: another version of the program created the database.
 * `unguarded`: triggers that protect finished runs are missing or changed; {@link explainUnguarded} names them. `unreachable`: the
 * database does not answer.
 */
export type SchemaStatus = 'current' | 'behind' | 'other' | 'unguarded' | 'unreachable';

const selectTriggers = {
  sqlite: defineQuery<TriggerRow>((sql) => sql.raw(TRIGGERS_SQL.sqlite)),
  postgres: defineQuery<TriggerRow>((sql) => sql.raw(TRIGGERS_SQL.postgres)),
};

/** Compares the database's schema with the program's: for `/readyz`, and at start. Never rejects. */
export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  if (db.dialect === 'sqlite' && !existsSync(sqlitePath(db.url))) return 'behind';
  try {
    const names = await readSchemas(db);
    if (findCreator(names, db.dialect) !== null) return 'other';
    if (!names.includes(schemaName(db.dialect))) return 'behind';
    return (await readBrokenGuards(db)).length === 0 ? 'current' : 'unguarded';
  } catch (error) {
    return error instanceof Error && isOldSchema(error.cause) ? 'behind' : 'unreachable';
  }
}

/** Names the triggers of an `unguarded` database, in a sentence. */
export async function explainUnguarded(db: Database): Promise<string> {
  return describeBrokenGuards(await readBrokenGuards(db));
}

async function readBrokenGuards(db: Database): Promise<string[]> {
  return findBrokenGuards(await db.run(selectTriggers[db.dialect]({})), db.dialect);
}

const SELECT_NAMES = 'SELECT name FROM knex_migrations';
const selectNames = defineQuery<{ name: string }>((sql) => sql.raw(SELECT_NAMES));

/** Returns the schemas that the database records. */
async function readSchemas(db: Database): Promise<string[]> {
  return (await db.run(selectNames({}))).map(({ name }) => name);
}

/**
 * Refuses a database that another version of the program created, before anything writes to it. A database that is missing, empty or
 * away is not refused here.
 * @throws InputError with the command to start afresh
 */
export async function refuseOtherSchema(url: string): Promise<void> {
  const names = await readNames(url).catch(() => []);
  assertSchema(names, url);
}

/**
 * @param names the schemas that the database records
 * @throws InputError if one of them is another than this program's
 */
export function assertSchema(names: readonly string[], url: string): void {
  const isSqlite = url.startsWith('sqlite:');
  const creator = findCreator(names, isSqlite ? 'sqlite' : 'postgres');
  if (creator === null) return;
  const { what, restart } = isSqlite ? describeSqlite(sqlitePath(url)) : describePostgres(url);
  const advice = creator === 'newer' ? `run that version or, ${restart}` : restart;
  throw new InputError(`${what} was created by ${CREATORS[creator]} and is left unchanged; ${advice}`);
}

/**
 * @param file a backup of SQLite
 * @throws InputError if another version made it
 */
export function assertBackupSchema(names: readonly string[], file: string): void {
  const creator = findCreator(names, 'sqlite');
  if (creator === null) return;
  throw new InputError(`The backup ${file} was created by ${CREATORS[creator]} and cannot be restored by this one.`);
}

const CREATORS = {
  older: 'version 0.x of this program',
  newer: 'a newer version of this program',
  unreleased: `an unreleased build of version ${SCHEMA_VERSION} of this program`,
} as const;

/** Returns what created a database that records these schemas; null if this program did, or none. */
function findCreator(names: readonly string[], dialect: Dialect): keyof typeof CREATORS | null {
  const own = schemaName(dialect);
  const others = names.filter((name) => name !== own);
  if (others.length === 0) return null;
  const versions = others.map((name) => /^([1-9]\d*\.\d+)-/.exec(name)?.[1]);
  if (versions.includes(undefined)) return 'older';
  const isNewer = others.length < names.length || versions.some((version) => Number(version) > Number(SCHEMA_VERSION));
  return isNewer ? 'newer' : 'unreleased';
}

interface Described {
  /** Names the database in the message. */
  readonly what: string;
  /** How to start with an empty one. */
  readonly restart: string;
}

/** The pattern of the command includes SQLite's side files, which would spoil a new database. */
function describeSqlite(path: string): Described {
  const folder = join(dirname(path), 'old');
  const command = `mkdir -p ${quote(folder)} && mv ${quote(path)}* ${quote(folder)}`;
  return { what: `The database ${path}`, restart: `to start afresh, move it away: ${command}` };
}

function describePostgres(url: string): Described {
  const { host, pathname } = new URL(url);
  const name = decodeURIComponent(basename(pathname)) || 'agent_readiness';
  const command = `createdb --maintenance-db="$DATABASE_URL" ${quote(`${name}_new`)}`;
  return {
    what: `The database ${name}${host === '' ? '' : ` on ${host}`}`,
    restart: `to start afresh, create an empty one and name it in DATABASE_URL: ${command}`,
  };
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function readNames(url: string): Promise<string[]> {
  if (url.startsWith('sqlite:')) return readSqliteSchemas(sqlitePath(url));
  const db = await openDatabase(url);
  try {
    return await readSchemas(db);
  } finally {
    await db.close();
  }
}

/**
 * Reads the schemas that a SQLite file records. Changes neither the file nor what lies beside it: a connection that may write moves the
 * log into the file when it closes, and a read-only one creates a log if there was none.
 */
export function readSqliteSchemas(path: string): string[] {
  const connection = new Sqlite(path, { fileMustExist: true, readonly: existsSync(`${path}-wal`) });
  try {
    return connection
      .prepare<[], { name: string }>(SELECT_NAMES)
      .all()
      .map(({ name }) => name);
  } finally {
    connection.close();
  }
}
