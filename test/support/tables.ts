import type { Database } from '../../src/store/database.js';
import { defineQuery, type Value } from '../../src/store/query.js';

const RECORDS = /^knex_|^sqlite_/;

const TABLES_SQL = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table'",
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
};

export async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.run(defineQuery<{ name: string }>((sql) => sql.raw(TABLES_SQL[db.dialect]))({}));
  return rows
    .map(({ name }) => name)
    .filter((name) => !RECORDS.test(name))
    .sort();
}

export async function rowsOf(db: Database, table: string): Promise<readonly object[]> {
  return db.run(defineQuery<object>((sql) => sql(table).select('*'))({}));
}

export async function insertRow(db: Database, table: string, row: Readonly<Record<string, Value>>): Promise<void> {
  await db.run(defineQuery<never>((sql) => sql(table).insert({ ...row }))({}));
}

export async function updateRows(
  db: Database,
  table: string,
  where: Readonly<Record<string, Value>>,
  set: Readonly<Record<string, Value>>,
): Promise<void> {
  await db.run(
    defineQuery<never>((sql) =>
      sql(table)
        .where({ ...where })
        .update({ ...set }),
    )({}),
  );
}

/** Returns the tables in which a row contains one of the texts. */
export async function tablesWith(db: Database, texts: readonly string[]): Promise<string[]> {
  const holds = (row: object): boolean =>
    Object.values(row).some((value) => typeof value === 'string' && texts.some((text) => value.includes(text)));
  const tables = await tablesOf(db);
  const found = await Promise.all(tables.map(async (table) => (await rowsOf(db, table)).some(holds)));
  return tables.filter((_, index) => found[index]);
}
