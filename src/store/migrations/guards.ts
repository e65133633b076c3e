import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { type ExpectedGuards, type GuardFacts, postgresDefinition } from './guard-definition.js';

/** A trigger that protects what is stored from any client. */
export interface Guard {
  readonly name: string;
  readonly table: string;
  readonly event: GuardFacts['event'];
  /** The statement is refused when this holds; null always refuses it. */
  readonly refuseWhen: string | null;
  /** What the refusal says, where it is not of runs or counters. */
  readonly refusal?: string;
  /** In place of a refusal: a statement for each row that was inserted, with the rights of the table's owner. */
  readonly afterwards?: string;
}

/** Of a row with a `site_id`. */
export const IS_NOT_BEING_DELETED = 'NOT EXISTS (SELECT 1 FROM sites WHERE id = OLD.site_id AND is_deleting = 1)';
const IS_NOT_NEXT_NUMBER = 'NEW.number IS DISTINCT FROM (SELECT run_counter FROM sites WHERE id = NEW.site_id)';
const HAS_RUNS = 'EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id)';

/** A new number requires that the previous one has its run, so that none can be skipped. */
const SKIPS_NUMBER =
  '(NEW.run_counter IS DISTINCT FROM OLD.run_counter AND (NEW.run_counter IS DISTINCT FROM OLD.run_counter + 1 ' +
  'OR (OLD.run_counter > 0 AND NOT EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id AND number = OLD.run_counter))))';

/** 1 follows 999999. */
const SKIPS_REFERENCE =
  '(NEW.reference_counter IS DISTINCT FROM OLD.reference_counter ' +
  'AND NEW.reference_counter IS DISTINCT FROM OLD.reference_counter % 999999 + 1)';

function changes(...columns: readonly string[]): string {
  return columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ');
}

const SITE_WAY_BACK = [
  changes('id', 'account_id', 'origin', 'hostname', 'created_at'),
  'NEW.is_deleting NOT IN (0, 1) OR NEW.is_deleting < OLD.is_deleting',
  SKIPS_NUMBER,
].join(' OR ');

const ACCOUNT_WAY_BACK = [
  changes('id', 'created_at'),
  `(OLD.removed_at IS NOT NULL AND ${changes('removed_at')})`,
  SKIPS_REFERENCE,
].join(' OR ');

const GUARDS: readonly Guard[] = [
  { name: 'runs_no_update', table: 'runs', event: 'UPDATE', refuseWhen: null },
  { name: 'runs_no_delete', table: 'runs', event: 'DELETE', refuseWhen: IS_NOT_BEING_DELETED },
  { name: 'runs_only_next', table: 'runs', event: 'INSERT', refuseWhen: IS_NOT_NEXT_NUMBER },
  { name: 'texts_no_update', table: 'texts', event: 'UPDATE', refuseWhen: null },
  { name: 'texts_no_delete', table: 'texts', event: 'DELETE', refuseWhen: null },
  { name: 'sites_from_zero', table: 'sites', event: 'INSERT', refuseWhen: 'NEW.run_counter <> 0' },
  { name: 'sites_no_delete', table: 'sites', event: 'DELETE', refuseWhen: `OLD.is_deleting <> 1 OR ${HAS_RUNS}` },
  { name: 'accounts_no_delete', table: 'accounts', event: 'DELETE', refuseWhen: 'OLD.removed_at IS NULL' },
];

/** SQLite's REPLACE deletes a conflicting row, by any key including the hidden rowid, without firing DELETE triggers. */
const SQLITE_GUARDS: readonly Guard[] = [
  { name: 'sites_no_way_back', table: 'sites', event: 'UPDATE', refuseWhen: `${changes('rowid')} OR ${SITE_WAY_BACK}` },
  {
    name: 'accounts_no_way_back',
    table: 'accounts',
    event: 'UPDATE',
    refuseWhen: `${changes('rowid')} OR ${ACCOUNT_WAY_BACK}`,
  },
  {
    name: 'runs_no_replace',
    table: 'runs',
    event: 'INSERT',
    refuseWhen:
      'EXISTS (SELECT 1 FROM runs WHERE (site_id = NEW.site_id AND number = NEW.number) OR rowid = NEW.rowid)',
  },
  {
    name: 'texts_no_replace',
    table: 'texts',
    event: 'INSERT',
    refuseWhen: 'EXISTS (SELECT 1 FROM texts WHERE digest = NEW.digest OR rowid = NEW.rowid)',
  },
  {
    name: 'sites_no_replace',
    table: 'sites',
    event: 'INSERT',
    refuseWhen:
      'EXISTS (SELECT 1 FROM sites WHERE id = NEW.id OR (account_id = NEW.account_id AND origin = NEW.origin) OR rowid = NEW.rowid)',
  },
  {
    name: 'accounts_no_replace',
    table: 'accounts',
    event: 'INSERT',
    refuseWhen: 'EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id OR email = NEW.email OR rowid = NEW.rowid)',
  },
];

/** PostgreSQL's TRUNCATE bypasses row triggers; a cascading TRUNCATE of another table fires these too. */
const POSTGRES_GUARDS: readonly Guard[] = [
  { name: 'sites_no_way_back', table: 'sites', event: 'UPDATE', refuseWhen: SITE_WAY_BACK },
  { name: 'accounts_no_way_back', table: 'accounts', event: 'UPDATE', refuseWhen: ACCOUNT_WAY_BACK },
  { name: 'runs_no_truncate', table: 'runs', event: 'TRUNCATE', refuseWhen: null },
  { name: 'texts_no_truncate', table: 'texts', event: 'TRUNCATE', refuseWhen: null },
];

function guardsOf(dialect: Dialect): readonly Guard[] {
  return [...GUARDS, ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS)];
}

const REFUSAL = 'finished runs and counters never change';

function sqliteTrigger({ name, table, event, refuseWhen, refusal = REFUSAL, afterwards }: Guard): string {
  if (afterwards !== undefined) {
    return `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW BEGIN ${afterwards}; END`;
  }
  const when = refuseWhen === null ? '' : `WHEN ${refuseWhen} `;
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW ${when}BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;
}

function postgresBody({ event, refuseWhen, refusal = REFUSAL, afterwards }: Guard): string {
  if (afterwards !== undefined) return ` BEGIN ${afterwards}; RETURN NULL; END `;
  const refuse = `RAISE EXCEPTION '${refusal}' USING ERRCODE = 'restrict_violation';`;
  if (refuseWhen === null) return ` BEGIN ${refuse} END `;
  return ` BEGIN IF ${refuseWhen} THEN ${refuse} END IF; RETURN ${event === 'DELETE' ? 'OLD' : 'NEW'}; END `;
}

/**
 * The function resolves table names in our schema, whatever the session's search path is: otherwise a temporary table named
 * "sites" would be read instead of ours.
 */
function postgresTrigger(guard: Guard, schema: string): string[] {
  const { name, table, event, afterwards } = guard;
  const each = event === 'TRUNCATE' ? 'STATEMENT' : 'ROW';
  const [timing, rights] = afterwards === undefined ? ['BEFORE', ''] : ['AFTER', 'SECURITY DEFINER '];
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql ${rights}SET search_path = ${schema}, pg_temp AS $$${postgresBody(guard)}$$`,
    `CREATE TRIGGER ${name} ${timing} ${event} ON ${table} FOR EACH ${each} EXECUTE FUNCTION ${name}()`,
    // Without ALWAYS, a session could disable the guards through session_replication_role.
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`,
  ];
}

/** The schema of our tables, quoted. */
export async function quotedSchema(sql: Knex): Promise<string> {
  const { rows } = await sql.raw<{ rows: { schema: string }[] }>('SELECT quote_ident(current_schema()) AS schema');
  return rows[0]?.schema ?? 'public';
}

/** Creates the triggers of the first schema; their tables must exist. */
export function createGuards(sql: Knex, dialect: Dialect): Promise<void> {
  return createTriggers(sql, dialect, guardsOf(dialect));
}

export async function createTriggers(sql: Knex, dialect: Dialect, guards: readonly Guard[]): Promise<void> {
  if (dialect === 'sqlite') {
    for (const guard of guards) await sql.raw(sqliteTrigger(guard));
    return;
  }
  const schema = await quotedSchema(sql);
  for (const guard of guards) {
    for (const statement of postgresTrigger(guard, schema)) await sql.raw(statement);
  }
}

/** The guards of the first schema. */
export function definedGuards(dialect: Dialect): ExpectedGuards {
  return definitionsOf(dialect, guardsOf(dialect));
}

/** The expected catalogue entry of each trigger, by `table.trigger`. */
export function definitionsOf(dialect: Dialect, guards: readonly Guard[]): ExpectedGuards {
  const define = (guard: Guard): string =>
    dialect === 'sqlite' ? sqliteTrigger(guard) : postgresDefinition({ ...guard, body: postgresBody(guard) });
  return new Map(guards.map((guard) => [`${guard.table}.${guard.name}`, define(guard)]));
}
