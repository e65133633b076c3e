import type { Database } from '../../src/store/database.js';
import { connectRaw, type RawConnection } from './raw-connection.js';

const SIZES = {
  sqlite:
    'SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name',
  postgres: `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
};

/** Returns the bytes that each table takes on disk, with its indexes; only as exact as a page. */
export async function measureTables({ dialect, url }: Database): Promise<Map<string, number>> {
  const raw = await connectRaw(url);
  try {
    const rows = await raw.read(SIZES[dialect]);
    return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
  } finally {
    await raw.close();
  }
}

export async function countRows(raw: RawConnection, table: string): Promise<number> {
  const [row] = await raw.read(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n);
}
