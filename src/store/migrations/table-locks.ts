import type { Knex } from 'knex';

/** The tables that a busy service writes all the time, in the order in which it locks them. */
const TABLES = [
  'accounts',
  'sites',
  'unread_proofs',
  'runs',
  'run_evidence',
  'webhooks',
  'free_scans',
  'sign_in_links',
  'sessions',
  'api_keys',
  'audit_events',
] as const;

/** The stronger first: what alters a table keeps readers out too; what refers to it, or gives it a trigger, keeps writers out. */
const MODES = ['ACCESS EXCLUSIVE', 'SHARE ROW EXCLUSIVE'] as const;

/** How PostgreSQL locks the tables that a migration finds there. */
export type TableLocks = Readonly<Partial<Record<(typeof TABLES)[number], (typeof MODES)[number]>>>;

/**
 * Locks all that the migrations are going to lock. Left to their statements, they would lock in an order of their own, and some table first
 * against writers and later against readers too: a transaction of the service that does it the other way round would wait for them, and they
 * for it.
 */
export async function lockTables(sql: Knex, migrations: readonly { readonly locks?: TableLocks }[]): Promise<void> {
  for (const table of TABLES) {
    const modes = migrations.map(({ locks }) => locks?.[table]);
    const mode = MODES.find((one) => modes.includes(one));
    if (mode && (await isThere(sql, table))) await sql.raw(`LOCK TABLE ${table} IN ${mode} MODE`);
  }
}

async function isThere(sql: Knex, table: string): Promise<boolean> {
  const { rows } = await sql.raw<{ rows: unknown[] }>('SELECT 1 WHERE to_regclass(?) IS NOT NULL', [table]);
  return rows.length > 0;
}
