import type { Dialect } from '../query.js';

/** The expected catalogue entry of each guard, by `table.trigger`; null where its existence is enough. */
export type ExpectedGuards = ReadonlyMap<string, string | null>;

export interface GuardRow {
  readonly guard: string;
  readonly definition: string;
}

/** The parts of a PostgreSQL guard. */
export interface GuardFacts {
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';
  /** The body of its function. */
  readonly body: string;
  /** Set for one that fires after the statement. */
  readonly afterwards?: string;
}

/**
 * The existing, enabled triggers, each with its full definition. On PostgreSQL the function is compared as text, because no
 * server version rewrites it, unlike a trigger's condition.
 */
export const GUARDS_SQL: Readonly<Record<Dialect, string>> = {
  sqlite: "SELECT tbl_name || '.' || name AS guard, sql AS definition FROM sqlite_master WHERE type = 'trigger'",
  postgres: `SELECT c.relname || '.' || t.tgname AS guard, concat_ws(' ', t.tgtype, t.tgqual IS NULL, t.tgattr,
      p.pronamespace = c.relnamespace, l.lanname,
      p.proconfig = ARRAY['search_path=' || quote_ident(current_schema()) || ', pg_temp'], p.prosrc) AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_language l ON l.oid = p.prolang
    WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND c.relnamespace = current_schema()::regnamespace`,
};

/** The bits of `pg_trigger.tgtype`. */
const ROW = 1;
const BEFORE = 2;
const EVENTS: Readonly<Record<GuardFacts['event'], number>> = { INSERT: 4, DELETE: 8, UPDATE: 16, TRUNCATE: 32 };

/** What {@link GUARDS_SQL} returns for an unchanged guard. */
export function postgresDefinition({ event, body, afterwards }: GuardFacts): string {
  const type = (afterwards === undefined ? BEFORE : 0) + EVENTS[event] + (event === 'TRUNCATE' ? 0 : ROW);
  return [type, 't', '', 't', 'plpgsql', 't', body].join(' ');
}

/** The guards that are missing, disabled or changed. */
export function findBrokenGuards(present: readonly GuardRow[], expected: ExpectedGuards): string[] {
  const definitions = new Map(present.map(({ guard, definition }) => [guard, definition]));
  return [...expected]
    .filter(([guard, definition]) =>
      definition === null ? !definitions.has(guard) : definitions.get(guard) !== definition,
    )
    .map(([guard]) => guard);
}

/** For the operator who must repair it. */
export function describeBrokenGuards(broken: readonly string[]): string {
  return `The triggers that protect finished runs and the activity of accounts are missing or were changed: ${broken.join(', ')}.`;
}
