import type { Dialect } from '../query.js';

/** What the catalogue has to say of each guard, by `table.trigger`; null where it is enough that it is there. */
export type ExpectedGuards = ReadonlyMap<string, string | null>;

export interface GuardRow {
  readonly guard: string;
  readonly definition: string;
}

/** What a guard of PostgreSQL consists of. */
export interface GuardFacts {
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';
  /** Of its function. */
  readonly body: string;
}

/**
 * The triggers that are there and awake, each with everything that makes it what it is. On PostgreSQL the function is compared by its
 * text, which no version rewrites, as it does with a condition of the trigger's own.
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

/** The definition that {@link GUARDS_SQL} answers of a guard that is as it was made. */
export function postgresDefinition({ event, body }: GuardFacts): string {
  const type = BEFORE + EVENTS[event] + (event === 'TRUNCATE' ? 0 : ROW);
  return [type, 't', '', 't', 'plpgsql', 't', body].join(' ');
}

/** The guards that are not there, asleep, or not what they were made. */
export function findBrokenGuards(present: readonly GuardRow[], expected: ExpectedGuards): string[] {
  const definitions = new Map(present.map(({ guard, definition }) => [guard, definition]));
  return [...expected]
    .filter(([guard, definition]) =>
      definition === null ? !definitions.has(guard) : definitions.get(guard) !== definition,
    )
    .map(([guard]) => guard);
}

/** For whoever has to mend it. */
export function describeBrokenGuards(broken: readonly string[]): string {
  return `The database lacks the triggers that keep finished runs unchanged, or somebody has changed them: ${broken.join(', ')}.`;
}
