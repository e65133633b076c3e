import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { triggerStatements } from './guards.js';
import type { Dialect } from './query.js';
import { TABLES } from './tables.js';

export const SCHEMA_VERSION = '1.0';

const INDEXES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['removed_at'],
  audit_events: ['at', 'account_id, at, id'],
  sign_in_links: ['account_id', 'email', 'expires_at'],
  sessions: ['account_id', 'last_seen_at', 'expires_at'],
  api_keys: ['account_id'],
  key_usage: ['month'],
  sites: ['id WHERE is_deleting = 1', 'proof_due_at WHERE proof_due_at IS NOT NULL'],
  schedules: ['next_run_at'],
  // A sum reads the index alone.
  run_evidence: ['kept_at', 'account_id, kept_at, bytes'],
  idempotency_keys: ['site_id', 'expires_at'],
  webhooks: ['account_id', 'site_id'],
  deliveries: ['account_id, created_at', 'webhook_id, created_at, id', 'site_id', 'created_at'],
  // Partial, so that no planner walks through all due jobs in search of those of one lane.
  jobs: ['site_id', 'queue, lane, run_after WHERE is_due = 1', 'queue, run_after WHERE is_due = 0'],
  rate_windows: ['expires_at'],
  free_scans: ['finished_at'],
};

const BYTES: Readonly<Record<Dialect, string>> = { sqlite: 'blob', postgres: 'bytea' };

/** @param schema the quoted schema of the tables, on PostgreSQL */
function schemaStatements(dialect: Dialect, schema: string): string[] {
  const tables = Object.entries(TABLES).map(([table, columns]) => {
    const definitions = Object.entries(columns).map(
      ([name, type]) => `${name} ${type.replace('bytes', BYTES[dialect])}`,
    );
    return `CREATE TABLE ${table} (${definitions.join(', ')})`;
  });
  const indexes = Object.entries(INDEXES).flatMap(([table, indexed]) =>
    indexed.map((index) => {
      const [columns = '', condition] = index.split(' WHERE ');
      const name = [table, ...columns.split(', '), 'index'].join('_');
      return `CREATE INDEX ${name} ON ${table} (${columns})${condition ? ` WHERE ${condition}` : ''}`;
    }),
  );
  return [...tables, ...indexes, ...triggerStatements(dialect, schema)];
}

export async function createSchema(sql: Knex, dialect: Dialect): Promise<void> {
  for (const statement of schemaStatements(dialect, dialect === 'sqlite' ? '' : await quotedSchema(sql))) {
    await sql.raw(statement);
  }
}

async function quotedSchema(sql: Knex): Promise<string> {
  const { rows } = await sql.raw<{ rows: { schema: string }[] }>('SELECT quote_ident(current_schema()) AS schema');
  return rows[0]?.schema ?? 'public';
}

const names = new Map<Dialect, string>();

/**
 * The name under which the database records the schema: version and fingerprint, such as `1.0-5d41402abc4b`. The fingerprint is that
 * of its statements, so a database of another state of the schema has another name.
 */
export function schemaName(dialect: Dialect): string {
  let name = names.get(dialect);
  if (name === undefined) {
    const digest = createHash('sha256').update(schemaStatements(dialect, 'public').join(';\n')).digest('hex');
    name = `${SCHEMA_VERSION}-${digest.slice(0, 12)}`;
    names.set(dialect, name);
  }
  return name;
}
