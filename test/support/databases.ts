import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { SCHEMA_NAMES } from '../../src/store/schema.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { databaseUrl, type PostgresServer, startPostgres } from './postgres.js';
import { connectRaw, runStatements } from './raw-connection.js';
import { SEARCH } from './secrets.js';

export type Engine = Database['dialect'];

export interface TestEngine {
  readonly name: Engine;
  /** A fresh database at the current schema, closed and dropped after the test. */
  openDb(t: Test): Promise<Database>;
  /** The URL of such a database. */
  newMigratedUrl(t: Test): Promise<string>;
  /** The URL of a database without a schema, which is searched for secrets and dropped after the test. */
  newUrl(t: Test): Promise<string>;
}

/**
 * Runs the suite on SQLite and on PostgreSQL. For code whose statements or locks differ between them, or whose statements run on
 * PostgreSQL in no other test.
 */
export function onEachDatabase(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  for (const engine of [SQLITE, POSTGRES]) void t.test(`[${engine.name}]`, (t) => suite(t, engine));
}

/** Runs the suite on SQLite, and if TEST_ENGINES is `both`, as in CI, on PostgreSQL too. For code that behaves alike on both. */
export function onEitherDatabase(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  if (process.env.TEST_ENGINES === 'both') onEachDatabase(suite);
  else onSqlite(suite);
}

/** Runs the suite on SQLite only. For code above the services, which sees no database. */
export function onSqlite(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  void t.test('[sqlite]', (t) => suite(t, SQLITE));
}

/** Runs the suite on PostgreSQL only. */
export function onPostgres(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  void t.test('[postgres]', (t) => suite(t, POSTGRES));
}

async function openMigrated(t: Test, engine: TestEngine): Promise<Database> {
  const db = await openDatabase(await engine.newMigratedUrl(t));
  t.teardown(() => db.close());
  return db;
}

const SQLITE: TestEngine = {
  name: 'sqlite',
  openDb: (t) => openMigrated(t, SQLITE),
  newMigratedUrl: async (t) => {
    const url = await SQLITE.newUrl(t);
    copyFileSync(await sqliteTemplate(), sqlitePath(url));
    return url;
  },
  newUrl: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-sqlite-'));
    const url = `sqlite:${join(folder, 'test.db')}`;
    t.teardown(async () => {
      await SEARCH.database(url);
      rmSync(folder, { recursive: true, force: true });
    });
    return url;
  },
};

const POSTGRES: TestEngine = {
  name: 'postgres',
  openDb: (t) => openMigrated(t, POSTGRES),
  newMigratedUrl: async (t) => {
    const template = await postgresTemplate(await postgresServer());
    // Cheaper than the standard way, which writes every page of the copy to the log too.
    return createOnPostgres(t, `TEMPLATE ${template} STRATEGY FILE_COPY`);
  },
  newUrl: (t) => createOnPostgres(t),
};

async function createOnPostgres(t: Test, options = ''): Promise<string> {
  const server = await postgresServer();
  const name = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
  await runStatements(server, `CREATE DATABASE ${name} ${options}`);
  const url = databaseUrl(server, name);
  t.teardown(async () => {
    await SEARCH.database(url);
    await runStatements(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return url;
}

let started: Promise<PostgresServer> | null = null;

/** Returns the server of the test run. A test file that runs alone starts its own. */
async function postgresServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  if (!started) {
    started = startPostgres();
    t.teardown(async () => (await started)?.stop());
  }
  return (await started).url;
}

// Databases at the current schema that are there to be copied, which costs a fraction of migrating one. Each is made once for all test
// processes and gets its name when it is complete. The name contains the schema's, so that one of another schema is not used.

function templateName(dialect: Engine): string {
  return `agent_readiness_template_${SCHEMA_NAMES[dialect].replaceAll(/\W/g, '_')}`;
}

/** The temporary folder belongs to the test run and is deleted with it. */
async function sqliteTemplate(): Promise<string> {
  const file = join(tmpdir(), `${templateName('sqlite')}.db`);
  if (existsSync(file)) return file;
  const making = `${file}.${randomBytes(8).toString('hex')}`;
  await migrateDatabase(`sqlite:${making}`);
  renameSync(making, file);
  return file;
}

/** An arbitrary number for the lock under which a template is made. */
const LOCK = 4_816_209;

let template: Promise<string> | null = null;

/** The template stays on the server for later runs with this schema. */
function postgresTemplate(server: string): Promise<string> {
  template ??= makeTemplate(server);
  return template;
}

async function makeTemplate(server: string): Promise<string> {
  const name = templateName('postgres');
  const connection = await connectRaw(server);
  try {
    await connection.exec(`SELECT pg_advisory_lock(${LOCK})`);
    const found = await connection.read(`SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (found.length > 0) return name;
    // Under another name until it is complete, so that nobody finds what an aborted run left.
    const making = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
    await connection.exec(`CREATE DATABASE ${making}`);
    await migrateDatabase(databaseUrl(server, making));
    await connection.exec(`ALTER DATABASE ${making} RENAME TO ${name}`);
    return name;
  } finally {
    await connection.close();
  }
}

/** Connections to SQLite that this process opens do not wait for the disk: each commit would take milliseconds. */
const { prototype } = Sqlite as unknown as { prototype: Sqlite.Database };
const { pragma } = prototype;
prototype.pragma = function (this: Sqlite.Database, source, options) {
  return pragma.call(this, source.startsWith('synchronous = ') ? 'synchronous = OFF' : source, options);
};
