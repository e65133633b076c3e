import { randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Test } from 'tap';
import { migrateDatabase } from '../../src/store/migrate.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import type { TestEngine } from './databases.js';
import { until } from './held-timers.js';
import { readProject } from './project.js';

export type Row = Readonly<Record<string, unknown>>;

/** A connection without the settings of the service. */
export interface RawConnection {
  exec(sql: string): Promise<void>;
  read(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** Runs one or more statements on a connection that is closed after them. */
export async function runStatements(url: string, sql: string): Promise<void> {
  const connection = await connectRaw(url);
  try {
    await connection.exec(sql);
  } finally {
    await connection.close();
  }
}

export async function connectRaw(url: string): Promise<RawConnection> {
  return url.startsWith('sqlite:') ? connectSqlite(url) : connectPostgres(url);
}

function connectSqlite(url: string): RawConnection {
  const connection = new Sqlite(sqlitePath(url));
  return {
    exec: async (sql) => void connection.exec(sql),
    read: async (sql) => connection.prepare<[], Row>(sql).all(),
    close: async () => void connection.close(),
  };
}

async function connectPostgres(url: string): Promise<RawConnection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    exec: async (sql) => void (await client.query(sql)),
    read: async (sql) => (await client.query<Row>(sql)).rows,
    close: () => client.end(),
  };
}

/** Returns an INSERT for texts and numbers without quotes. */
export function insertion(table: string, row: Readonly<Record<string, string | number>>): string {
  return `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row)
    .map((value) => `'${value}'`)
    .join()})`;
}

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Resolves once a connection waits for a lock of this PostgreSQL database, or once the work has ended. */
export async function untilBlocked(url: string, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  const raw = await connectRaw(url);
  try {
    await until(async () => isOver || (await raw.read(WAITING)).length > 0);
  } finally {
    await raw.close();
  }
}

/**
 * Sets up a database of PostgreSQL as an operator does, at the current schema, with a role that owns it and one that serves. Neither has any
 * right of the server's administrator; both are gone after the test.
 */
export async function separateRoles(t: Test, engine: TestEngine) {
  const tail = randomBytes(6).toString('hex');
  const [owner, server, password] = [`owner_${tail}`, `serve_${tail}`, randomBytes(12).toString('hex')];
  let adminUrl = '';
  // Said first, so that it is done last: once the database that they own is gone.
  t.teardown(() => runStatements(new URL('/postgres', adminUrl).href, `DROP ROLE IF EXISTS ${owner}, ${server}`));
  adminUrl = await engine.newUrl(t);
  const database = new URL(adminUrl).pathname.slice(1);
  await runStatements(
    adminUrl,
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'; ALTER DATABASE ${database} OWNER TO ${owner}`,
  );
  const [ownerUrl, serveUrl] = [owner, server].map((role) => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    return url.href;
  }) as [string, string];
  await migrateDatabase(ownerUrl);
  const names: Readonly<Record<string, string>> = { agent_readiness: owner, agent_readiness_serve: server };
  const statements = readProject('deploy/serving-role.sql').replaceAll(
    /\bagent_readiness(_serve)?\b/g,
    (name) => names[name] ?? name,
  );
  /** Runs deploy/serving-role.sql, as the administrator; without a password the role keeps the one that it has. */
  const grantAgain = async (given?: string): Promise<void> => {
    const url = new URL(adminUrl);
    if (given !== undefined) url.searchParams.set('options', `-c serving.password=${given}`);
    await runStatements(url.href, statements);
  };
  await t.rejects(grantAgain(), { message: /role serve_\w+ does not exist yet/ });
  await grantAgain(password);
  return { ownerUrl, serveUrl, adminUrl, grantAgain };
}
