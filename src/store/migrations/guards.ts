import type { Knex } from 'knex';
import type { Dialect } from '../query.js';

/** A trigger that keeps finished runs and counters as they are, whoever asks. */
interface Guard {
  readonly name: string;
  readonly table: 'runs' | 'sites' | 'accounts';
  readonly event: string;
  /** The statement is refused when this holds; null refuses it always. */
  readonly refuseWhen: string | null;
}

const IS_NOT_BEING_DELETED = 'NOT EXISTS (SELECT 1 FROM sites WHERE id = OLD.site_id AND is_deleting = 1)';
const IS_NOT_NEXT_NUMBER = 'NEW.number IS DISTINCT FROM (SELECT run_counter FROM sites WHERE id = NEW.site_id)';

const GUARDS: readonly Guard[] = [
  { name: 'runs_no_update', table: 'runs', event: 'UPDATE', refuseWhen: null },
  { name: 'runs_no_delete', table: 'runs', event: 'DELETE', refuseWhen: IS_NOT_BEING_DELETED },
  { name: 'runs_only_next', table: 'runs', event: 'INSERT', refuseWhen: IS_NOT_NEXT_NUMBER },
  { name: 'sites_no_delete', table: 'sites', event: 'DELETE', refuseWhen: 'OLD.is_deleting = 0' },
  {
    name: 'sites_no_way_back',
    table: 'sites',
    event: 'UPDATE',
    refuseWhen:
      'NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.origin <> OLD.origin OR NEW.hostname <> OLD.hostname ' +
      'OR NEW.run_counter < OLD.run_counter OR NEW.is_deleting < OLD.is_deleting',
  },
  {
    name: 'accounts_no_way_back',
    table: 'accounts',
    event: 'UPDATE',
    refuseWhen:
      'NEW.id <> OLD.id OR (NEW.reference_counter < OLD.reference_counter ' +
      'AND NOT (OLD.reference_counter = 999999 AND NEW.reference_counter = 1))',
  },
];

/** SQLite's REPLACE removes the row in its way without a DELETE trigger, by any of its keys, the hidden rowid among them. */
const SQLITE_GUARDS: readonly Guard[] = [
  {
    name: 'runs_no_replace',
    table: 'runs',
    event: 'INSERT',
    refuseWhen:
      'EXISTS (SELECT 1 FROM runs WHERE (site_id = NEW.site_id AND number = NEW.number) OR rowid = NEW.rowid)',
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

/** PostgreSQL's TRUNCATE passes row triggers; a cascade from another table fires this one too. */
const POSTGRES_GUARDS: readonly Guard[] = [
  { name: 'runs_no_truncate', table: 'runs', event: 'TRUNCATE', refuseWhen: null },
];

function guardsOf(dialect: Dialect): readonly Guard[] {
  return [...GUARDS, ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS)];
}

/** The triggers as the first migration makes them, by `table.trigger`. */
export function guardNames(dialect: Dialect): string[] {
  return guardsOf(dialect).map(({ table, name }) => `${table}.${name}`);
}

const REFUSAL = 'finished runs and counters never change';

export async function createGuards(sql: Knex, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql.raw(POSTGRES_REFUSE);
  for (const guard of guardsOf(dialect)) {
    if (dialect === 'sqlite') await sql.raw(sqliteTrigger(guard));
    else for (const statement of postgresTrigger(guard)) await sql.raw(statement);
  }
}

function sqliteTrigger({ name, table, event, refuseWhen }: Guard): string {
  const when = refuseWhen === null ? '' : `WHEN ${refuseWhen} `;
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW ${when}BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`;
}

const POSTGRES_REFUSE = `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '${REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$`;

/** A trigger's WHEN may hold no subquery on PostgreSQL, so such a guard gets a function of its own. */
function postgresTrigger({ name, table, event, refuseWhen }: Guard): string[] {
  const head = `CREATE TRIGGER ${name} BEFORE ${event} ON ${table}`;
  // Without ALWAYS a session could put the guards to sleep by session_replication_role.
  const always = `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`;
  if (event === 'TRUNCATE') return [`${head} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`, always];
  if (refuseWhen?.includes('SELECT') !== true) {
    const when = refuseWhen === null ? '' : `WHEN (${refuseWhen}) `;
    return [`${head} FOR EACH ROW ${when}EXECUTE FUNCTION refuse_change()`, always];
  }
  const row = event === 'DELETE' ? 'OLD' : 'NEW';
  const body = `BEGIN IF ${refuseWhen} THEN RAISE EXCEPTION '${REFUSAL}' USING ERRCODE = 'restrict_violation'; END IF; RETURN ${row}; END`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`,
    `${head} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    always,
  ];
}
