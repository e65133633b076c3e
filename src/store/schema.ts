import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { triggerStatements } from './guards.js';
import type { Dialect } from './query.js';
import { TABLES } from './tables.js';

const INDEXES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['removed_at'],
  audit_events: ['at', 'account_id, at, id'],
  sign_in_links: ['account_id', 'email', 'expires_at'],
  sessions: ['account_id', 'last_seen_at', 'expires_at'],
  api_keys: ['account_id'],
  key_usage: ['month'],
  sites: ['id WHERE is_deleting = 1', 'proof_due_at WHERE proof_due_at IS NOT NULL'],
  schedules: ['next_run_at'],
  // The second covers the sum of an account's bytes.
  run_evidence: ['stored_at', 'account_id, stored_at, bytes'],
  idempotency_keys: ['site_id', 'expires_at'],
  webhooks: ['account_id', 'site_id'],
  deliveries: ['account_id, created_at', 'webhook_id, created_at, id', 'site_id', 'created_at'],
  // Partial, so that no planner scans all due jobs for one lane.
  jobs: ['site_id', 'queue, lane, run_after WHERE is_due = 1', 'queue, run_after WHERE is_due = 0'],
  rate_windows: ['expires_at'],
  free_scans: ['finished_at'],
};

const BYTES: Readonly<Record<Dialect, string>> = { sqlite: 'blob', postgres: 'bytea' };

function schemaStatements(dialect: Dialect): string[] {
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
  return [...tables, ...indexes, ...triggerStatements(dialect)];
}

export async function createSchema(sql: Knex, dialect: Dialect): Promise<void> {
  for (const statement of schemaStatements(dialect)) await sql.raw(statement);
}

/** The format of stored values, such as the dictionary of runs: a database with another format cannot be read. */
const STORED_FORMAT = 'run-dictionary-1 with answers';

function nameFor(dialect: Dialect): string {
  const fingerprint = hash('sha256', [...schemaStatements(dialect), STORED_FORMAT].join(';\n'), 'hex');
  return `1.0-${fingerprint.slice(0, 12)}`;
}

/**
 * The name under which the database records the schema: version and fingerprint, such as `1.0-5d41402abc4b`. The fingerprint covers the
 * schema's statements and the stored format, so each change of them gives another name.
 */
export const SCHEMA_NAMES: Readonly<Record<Dialect, string>> = {
  sqlite: nameFor('sqlite'),
  postgres: nameFor('postgres'),
};
