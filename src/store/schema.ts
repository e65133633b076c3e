import { hash } from 'node:crypto';
import type { Knex } from 'knex';
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

/** A trigger that refuses a statement from any client. */
interface Guard {
  readonly table: string;
  readonly name: string;
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';
  /** The statement is refused under any of these conditions, or always if there are none. */
  readonly conditions: readonly string[];
}

const ACTIVITY_S = 365 * 86_400;

/** SQL for the time before which activity may be deleted, by the engine's clock: a guard must not trust a row or a parameter. */
export const ACTIVITY_STORED_SINCE: Readonly<Record<Dialect, string>> = {
  sqlite: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${ACTIVITY_S} seconds')`,
  postgres: `to_char(now() AT TIME ZONE 'UTC' - interval '${ACTIVITY_S} seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/**
 * Guarantees that finished runs never change and are deleted only with their site, that run numbers and references have no gaps, and that
 * activity is stored for a year. `no_replace` and `no_truncate` guard against statements that delete rows without firing DELETE triggers:
 * SQLite's REPLACE, by any key including the hidden rowid, and PostgreSQL's TRUNCATE, even if it cascades from another table.
 */
function guardsFor(dialect: Dialect): readonly Guard[] {
  const isSqlite = dialect === 'sqlite';
  const guard = (table: string, rule: string, event: Guard['event'], ...conditions: readonly string[]): Guard => {
    return { table, name: `${table}_${rule}`, event, conditions };
  };
  const noReplace = (table: string, hasSameKey: string): Guard =>
    guard(table, 'no_replace', 'INSERT', `EXISTS (SELECT 1 FROM ${table} WHERE ${hasSameKey} OR rowid = NEW.rowid)`);
  const rowid = isSqlite ? ['rowid'] : [];
  const nextNumber = '(SELECT run_counter FROM sites WHERE id = NEW.site_id)';
  return [
    guard('runs', 'no_update', 'UPDATE'),
    guard('runs', 'no_delete', 'DELETE', 'NOT EXISTS (SELECT 1 FROM sites WHERE id = OLD.site_id AND is_deleting = 1)'),
    guard('runs', 'only_next', 'INSERT', `NEW.number IS DISTINCT FROM ${nextNumber}`),
    guard('sites', 'start_at_zero', 'INSERT', 'NEW.run_counter <> 0'),
    guard(
      'sites',
      'no_revert',
      'UPDATE',
      changes('id', 'account_id', 'origin', 'hostname', 'created_at', ...rowid),
      'NEW.is_deleting NOT IN (0, 1) OR NEW.is_deleting < OLD.is_deleting',
      `${changes('run_counter')} AND NEW.run_counter IS DISTINCT FROM OLD.run_counter + 1`,
      `${changes('run_counter')} AND OLD.run_counter > 0
        AND NOT EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id AND number = OLD.run_counter)`,
    ),
    guard('sites', 'no_delete', 'DELETE', 'OLD.is_deleting <> 1', 'EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id)'),
    guard(
      'accounts',
      'no_revert',
      'UPDATE',
      changes('id', 'created_at', ...rowid),
      `OLD.removed_at IS NOT NULL AND ${changes('removed_at')}`,
      `${changes('reference_counter')} AND NEW.reference_counter IS DISTINCT FROM OLD.reference_counter % 999999 + 1`,
    ),
    guard('accounts', 'no_delete', 'DELETE', 'OLD.removed_at IS NULL'),
    guard('audit_events', 'no_update', 'UPDATE'),
    guard(
      'audit_events',
      'no_delete',
      'DELETE',
      // When a deletion cascades, the account no longer exists.
      `EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND removed_at IS NULL) AND OLD.at >= ${ACTIVITY_STORED_SINCE[dialect]}`,
    ),
    ...(isSqlite
      ? [
          noReplace('runs', '(site_id = NEW.site_id AND number = NEW.number)'),
          noReplace('sites', 'id = NEW.id OR (account_id = NEW.account_id AND origin = NEW.origin)'),
          noReplace('accounts', 'id = NEW.id OR email = NEW.email'),
          noReplace('audit_events', 'id = NEW.id'),
        ]
      : ['runs', 'audit_events'].map((table) => guard(table, 'no_truncate', 'TRUNCATE'))),
  ];
}

/** Returns the condition that at least one of the columns changes. */
function changes(...columns: readonly string[]): string {
  return columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ');
}

const MESSAGE = 'finished runs, counters and recorded events never change';

function conditionOf({ conditions }: Guard): string {
  return conditions.map((condition) => `(${condition})`).join(' OR ');
}

function sqliteTrigger(guard: Guard): string {
  const { name, table, event, conditions } = guard;
  const when = conditions.length > 0 ? `WHEN ${conditionOf(guard)} ` : '';
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW ${when}BEGIN SELECT RAISE(ABORT, '${MESSAGE}'); END`;
}

/** Must equal the text of `pg_get_triggerdef`, with which it is compared. */
function postgresTrigger({ name, table, event }: Guard): string {
  const each = event === 'TRUNCATE' ? 'STATEMENT' : 'ROW';
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ${each} EXECUTE FUNCTION ${name}()`;
}

function postgresBody(guard: Guard): string {
  const refuse = `RAISE EXCEPTION '${MESSAGE}' USING ERRCODE = 'restrict_violation';`;
  if (guard.conditions.length === 0) return ` BEGIN ${refuse} END `;
  const passed = guard.event === 'DELETE' ? 'OLD' : 'NEW';
  return ` BEGIN IF ${conditionOf(guard)} THEN ${refuse} END IF; RETURN ${passed}; END `;
}

function triggerStatements(dialect: Dialect): string[] {
  const guards = guardsFor(dialect);
  if (dialect === 'sqlite') return guards.map(sqliteTrigger);
  return [
    // Makes functions look up tables in our schema, whatever the session's search path: a temporary table may also be named "sites".
    "SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)",
    ...guards.flatMap((guard) => [
      `CREATE FUNCTION ${guard.name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$${postgresBody(guard)}$$`,
      postgresTrigger(guard),
      // Without ALWAYS, a session could disable the triggers through session_replication_role.
      `ALTER TABLE ${guard.table} ENABLE ALWAYS TRIGGER ${guard.name}`,
    ]),
  ];
}

/**
 * Selects the enabled triggers, each with everything that determines its behaviour. On PostgreSQL, conditions are in functions, because no
 * server version rewrites their text.
 */
export const TRIGGERS_SQL: Readonly<Record<Dialect, string>> = {
  sqlite: "SELECT sql AS definition FROM sqlite_master WHERE type = 'trigger'",
  postgres: `SELECT concat_ws(' ', pg_get_triggerdef(t.oid, true), l.lanname,
      p.proconfig = ARRAY['search_path=' || quote_ident(current_schema()) || ', pg_temp'], p.prosrc) AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_language l ON l.oid = p.prolang
    WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND c.relnamespace = current_schema()::regnamespace`,
};

/** Returns a sentence that names the missing, disabled or changed guards; empty if there are none. */
export function describeBrokenGuards(definitions: readonly string[], dialect: Dialect): string {
  const expected = (guard: Guard): string =>
    dialect === 'sqlite' ? sqliteTrigger(guard) : `${postgresTrigger(guard)} plpgsql t ${postgresBody(guard)}`;
  const broken = guardsFor(dialect).filter((guard) => !definitions.includes(expected(guard)));
  if (broken.length === 0) return '';
  const names = broken.map(({ name }) => name).join(', ');
  return `The triggers that protect finished runs and the activity of accounts are missing or were changed: ${names}.`;
}

/** The format of stored values, such as the dictionary of runs: a database with another format cannot be read. */
const STORED_FORMAT = 'run-dictionary-1';

function nameFor(dialect: Dialect): string {
  const fingerprint = hash('sha256', [...schemaStatements(dialect), STORED_FORMAT].join(';\n'), 'hex');
  return `1.0-${fingerprint.slice(0, 12)}`;
}

/**
 * The name under which the database records the schema: version and fingerprint, such as `1.0-5d41402abc4b`. The fingerprint covers the
 * schema's statements and the stored format, so each change to them changes the name.
 */
export const SCHEMA_NAMES: Readonly<Record<Dialect, string>> = {
  sqlite: nameFor('sqlite'),
  postgres: nameFor('postgres'),
};
