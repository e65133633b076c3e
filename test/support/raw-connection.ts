import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { sqlitePath } from '../../src/store/sqlite.js';

export type Row = Readonly<Record<string, unknown>>;

/** A connection of the test's own, without any of the service's settings. Values stand for `?` on SQLite, for `$1` on PostgreSQL. */
export interface RawConnection {
  /** Runs one or more statements. */
  exec(sql: string): Promise<void>;
  read(sql: string): Promise<Row[]>;
  insert(table: string, row: Row): Promise<void>;
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
    exec: async (sql) => {
      connection.exec(sql);
    },
    read: async (sql) => connection.prepare<[], Row>(sql).all(),
    insert: async (table, row) => {
      connection.prepare(insertion(table, row, () => '?')).run(...Object.values(row));
    },
    close: async () => {
      connection.close();
    },
  };
}

async function connectPostgres(url: string): Promise<RawConnection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    exec: async (sql) => {
      await client.query(sql);
    },
    read: async (sql) => (await client.query<Row>(sql)).rows,
    insert: async (table, row) => {
      const sql = insertion(table, row, (number) => `$${number}`);
      await client.query(sql, Object.values(row));
    },
    close: () => client.end(),
  };
}

function insertion(table: string, row: Row, placeholder: (number: number) => string): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => placeholder(index + 1)).join(', ')})`;
}
