import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import type { Database } from '../../src/store/database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { type PostgresServer, startPostgres } from './postgres.js';

export type Engine = Database['dialect'];

/** One engine, as a suite that runs on both sees it. */
export interface TestEngine {
  readonly name: Engine;
  /** A fresh database at the current schema, closed and dropped after the test. */
  openDb(t: Test): Promise<Database>;
  /** The address of a fresh database without a schema, dropped after the test. */
  newUrl(t: Test): Promise<string>;
}

/**
 * Runs the suite once on SQLite and once on PostgreSQL. The name of each run tells which, so that the results can be counted
 * by database.
 */
export function onEachDatabase(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  for (const engine of [SQLITE, POSTGRES]) void t.test(`[${engine.name}]`, (t) => suite(t, engine));
}

/** Runs a suite of what is the same on either database, such as that of a room above the service. */
export function onSqlite(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  void t.test('[sqlite]', (t) => suite(t, SQLITE));
}

/** Runs a suite of what only PostgreSQL does. */
export function onPostgres(suite: (t: Test, engine: TestEngine) => Promise<void>): void {
  void t.test('[postgres]', (t) => suite(t, POSTGRES));
}

/** The same database, whose single statements and transactions fail while it is down. */
export function failWhen(db: Database, isDown: () => boolean, error: () => Error): Database {
  return {
    dialect: db.dialect,
    url: db.url,
    run: (query) => (isDown() ? Promise.reject(error()) : db.run(query)),
    transaction: (work) => (isDown() ? Promise.reject(error()) : db.transaction(work)),
    close: () => db.close(),
  };
}

async function openMigrated(t: Test, url: string): Promise<Database> {
  await migrateDatabase(url);
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  return db;
}

const SQLITE: TestEngine = {
  name: 'sqlite',
  openDb: async (t) => openMigrated(t, await SQLITE.newUrl(t)),
  newUrl: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-sqlite-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    return `sqlite:${join(folder, 'test.db')}`;
  },
};

const POSTGRES: TestEngine = {
  name: 'postgres',
  openDb: async (t) => openMigrated(t, await POSTGRES.newUrl(t)),
  newUrl: async (t) => {
    const server = await postgresServer();
    const name = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
    await runOnServer(server, `CREATE DATABASE ${name}`);
    t.teardown(() => runOnServer(server, `DROP DATABASE ${name} WITH (FORCE)`));
    const url = new URL(server);
    url.pathname = `/${name}`;
    return url.href;
  },
};

let started: Promise<PostgresServer> | null = null;

/** The server of the whole test run; a test file that is run by itself starts one of its own. */
async function postgresServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  if (!started) {
    started = startPostgres();
    t.teardown(async () => (await started)?.stop());
  }
  return (await started).url;
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
