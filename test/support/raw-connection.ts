import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { sqlitePath } from '../../src/store/sqlite.js';

export type Row = Readonly<Record<string, unknown>>;

/** A connection of the test's own, without any of the service's settings. */
export interface RawConnection {
  /** Runs one or more statements. */
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

/** The statement that inserts a row of texts and numbers without quotes. */
export function insertion(table: string, row: Readonly<Record<string, string | number>>): string {
  return `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row)
    .map((value) => `'${value}'`)
    .join()})`;
}
