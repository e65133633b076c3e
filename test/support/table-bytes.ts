import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Database } from '../../src/store/database.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import type { RawConnection } from './raw-connection.js';

/** The bytes that each table takes on disk, with its indexes; only as exact as a page. */
export async function measureTables(db: Database): Promise<Map<string, number>> {
  const rows = db.dialect === 'sqlite' ? measureSqlite(db.url) : await measurePostgres(db.url);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

interface TableBytes {
  readonly name: string;
  readonly bytes: number | string;
}

function measureSqlite(url: string): TableBytes[] {
  const db = new Sqlite(sqlitePath(url), { readonly: true });
  try {
    return db
      .prepare(
        'SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name',
      )
      .all() as TableBytes[];
  } finally {
    db.close();
  }
}

async function measurePostgres(url: string): Promise<TableBytes[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<TableBytes>(
      `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

export async function countRows(raw: RawConnection, table: string): Promise<number> {
  const [row] = await raw.read(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n);
}
