import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { type Guard, guardsFor } from './guards.js';

/** One trigger of the database with its full definition. */
export interface TriggerRow {
  /** `table.trigger` */
  readonly trigger: string;
  readonly definition: string;
}

export async function createTriggers(sql: Knex, dialect: Dialect): Promise<void> {
  const schema = dialect === 'sqlite' ? '' : await quotedSchema(sql);
  for (const statement of triggerStatements(dialect, schema)) await sql.raw(statement);
}

async function quotedSchema(sql: Knex): Promise<string> {
  const { rows } = await sql.raw<{ rows: { schema: string }[] }>('SELECT quote_ident(current_schema()) AS schema');
  return rows[0]?.schema ?? 'public';
}

/** @param schema the quoted schema of the tables, on PostgreSQL */
export function triggerStatements(dialect: Dialect, schema: string): string[] {
  const guards = guardsFor(dialect);
  return dialect === 'sqlite' ? guards.map(sqliteTrigger) : guards.flatMap((guard) => postgresTrigger(guard, schema));
}

function sqliteTrigger({ name, table, event, refuseWhen, message }: Guard): string {
  const when = refuseWhen === null ? '' : `WHEN ${refuseWhen} `;
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW ${when}BEGIN SELECT RAISE(ABORT, '${message}'); END`;
}

/**
 * The function looks tables up in our schema, whatever the session's search path is. Otherwise it would read a temporary table
 * named "sites" instead of ours.
 */
function postgresTrigger(guard: Guard, schema: string): string[] {
  const { name, table, event } = guard;
  const each = event === 'TRUNCATE' ? 'STATEMENT' : 'ROW';
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path = ${schema}, pg_temp AS $$${postgresBody(guard)}$$`,
    `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ${each} EXECUTE FUNCTION ${name}()`,
    // Without ALWAYS, a session could disable the triggers through session_replication_role.
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`,
  ];
}

function postgresBody({ event, refuseWhen, message }: Guard): string {
  const refuse = `RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation';`;
  if (refuseWhen === null) return ` BEGIN ${refuse} END `;
  return ` BEGIN IF ${refuseWhen} THEN ${refuse} END IF; RETURN ${event === 'DELETE' ? 'OLD' : 'NEW'}; END `;
}

/**
 * Selects the enabled triggers. On PostgreSQL the function is compared as text, because no server version rewrites it, unlike a
 * trigger's condition.
 */
export const TRIGGERS_SQL: Readonly<Record<Dialect, string>> = {
  sqlite: "SELECT tbl_name || '.' || name AS trigger, sql AS definition FROM sqlite_master WHERE type = 'trigger'",
  postgres: `SELECT c.relname || '.' || t.tgname AS trigger, concat_ws(' ', t.tgtype, t.tgqual IS NULL, t.tgattr,
      p.pronamespace = c.relnamespace, l.lanname,
      p.proconfig = ARRAY['search_path=' || quote_ident(current_schema()) || ', pg_temp'], p.prosrc) AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_language l ON l.oid = p.prolang
    WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND c.relnamespace = current_schema()::regnamespace`,
};

/** Bits of `pg_trigger.tgtype`. */
const ROW = 1;
const BEFORE = 2;
const EVENTS: Readonly<Record<Guard['event'], number>> = { INSERT: 4, DELETE: 8, UPDATE: 16, TRUNCATE: 32 };

/** Returns what {@link TRIGGERS_SQL} selects for an unchanged guard on PostgreSQL. */
function postgresDefinition(guard: Guard): string {
  const type = BEFORE + EVENTS[guard.event] + (guard.event === 'TRUNCATE' ? 0 : ROW);
  return [type, 't', '', 't', 'plpgsql', 't', postgresBody(guard)].join(' ');
}

/** Names the guards that are missing, disabled or changed, as `table.trigger`. */
export function findBrokenGuards(present: readonly TriggerRow[], dialect: Dialect): string[] {
  const definitions = new Map(present.map(({ trigger, definition }) => [trigger, definition]));
  const expected = dialect === 'sqlite' ? sqliteTrigger : postgresDefinition;
  return guardsFor(dialect)
    .filter((guard) => definitions.get(`${guard.table}.${guard.name}`) !== expected(guard))
    .map(({ table, name }) => `${table}.${name}`);
}

export function describeBrokenGuards(broken: readonly string[]): string {
  return `The triggers that protect finished runs and the activity of accounts are missing or were changed: ${broken.join(', ')}.`;
}
