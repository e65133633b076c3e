import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Database } from '../../src/store/database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { type PostgresServer, startPostgres } from './postgres.js';
import { runStatements } from './raw-connection.js';
import { SEARCH } from './secrets.js';

export type Engine = Database['dialect'];

/** One engine, as a suite that runs on both sees it. */
export interface TestEngine {
  readonly name: Engine;
  /** A fresh database at the current schema, closed and dropped after the test. */
  openDb(t: Test): Promise<Database>;
  /** The address of a fresh database without a schema: searched for secrets and dropped after the test. */
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
  openDb: async (t) => openMigrated(t, await POSTGRES.newUrl(t)),
  newUrl: async (t) => {
    const server = await postgresServer();
    const name = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
    await runStatements(server, `CREATE DATABASE ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    t.teardown(async () => {
      await SEARCH.database(url.href);
      await runStatements(server, `DROP DATABASE ${name} WITH (FORCE)`);
    });
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
