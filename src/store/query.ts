import { setTimeout as pause } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import { isFailure } from './errors.js';

export type Dialect = 'sqlite' | 'postgres';

/** A single statement that only reads, one that writes, or a whole transaction. */
export type StatementKind = 'read' | 'write' | 'transaction';

/** A column value, the same on both engines: times are ISO texts in UTC with milliseconds, flags 0 or 1. */
export type Value = string | number | null | Uint8Array;

/**
 * Durability of a write. `power`: an acknowledged write survives a power failure. `process`: it survives the end of the process,
 * but SQLite does not wait for the disk, so a power failure may undo the last ones (PostgreSQL waits in both cases).
 */
export type Durability = 'power' | 'process';

/** A statement with its values, ready to run on either engine. `Row` is the type of its result rows. */
export interface Query<Row> {
  readonly statement: Statement<Row>;
  readonly params: Readonly<Record<string, Value>>;
}

/** Runs statements: a database, or one transaction of it. */
export interface Sql {
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /** Runs a statement and returns its first row. */
  one<Row>(query: Query<Row>): Promise<Row | undefined>;
}

/** Runs statements on one engine. Rejects with the driver's errors. */
export interface Engine {
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  transact<T>(work: (sql: Sql) => Promise<T>, durability: Durability): Promise<T>;
  close(): Promise<void>;
}

export function createSql(run: Sql['run']): Sql {
  return { run, one: async (query) => (await run(query))[0] };
}

/** Placeholder for a value that is known only when the statement runs. */
class Param {
  constructor(readonly name: string) {}
}

/** knex accepts a placeholder wherever it accepts a value; typing it as raw SQL, which it nearly is, satisfies the compiler. */
export type Placeholders<P> = { readonly [K in keyof P]: Knex.Raw };
type Build<P> = (sql: Knex, params: Placeholders<P>) => Knex.QueryBuilder | Knex.Raw;

const BUILDERS: Readonly<Record<Dialect, Knex>> = {
  sqlite: knex({ client: 'better-sqlite3', useNullAsDefault: true }),
  postgres: knex({ client: 'pg' }),
};

const PLACEHOLDERS: Placeholders<Record<string, Value>> = new Proxy({}, { get: (_, name) => new Param(String(name)) });

const STATEMENTS: Statement<unknown>[] = [];

/** Returns the statements of all loaded modules, for tests. */
export function declaredStatements(): readonly Statement<unknown>[] {
  return STATEMENTS;
}

interface Compiled {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly kind: StatementKind;
}

/** A statement that knex builds once per engine, at its first use; later uses only fill in the values. */
export class Statement<Row> {
  declare readonly row: Row;
  /** The name under which a PostgreSQL connection reuses the plan of an earlier execution. */
  readonly name = `q${STATEMENTS.push(this)}`;
  readonly #compiled: Partial<Record<Dialect, Compiled>> = {};
  /** Joined statements, by the name of the second one. */
  readonly #joined: Record<string, Statement<unknown>> = {};

  constructor(
    private readonly build: Build<Record<string, Value>>,
    readonly durability: Durability,
  ) {}

  sqlFor(dialect: Dialect): string {
    return this.#compile(dialect).sql;
  }

  /** Returns the kind by the verb, which may follow a WITH. */
  kindFor(dialect: Dialect): StatementKind {
    return this.#compile(dialect).kind;
  }

  bind(dialect: Dialect, params: Readonly<Record<string, Value>>): Value[] {
    return this.#compile(dialect).bindings.map((binding) =>
      binding instanceof Param ? (params[binding.name] ?? null) : (binding as Value),
    );
  }

  /** See {@link joinQueries}. */
  joinWith<Other>(other: Statement<Other>): Statement<Row & Partial<Other>> {
    const build: typeof this.build = (sql, params) =>
      sql.raw('WITH a AS (?), b AS (?) SELECT * FROM a LEFT JOIN b ON true', [
        this.build(sql, params),
        other.build(sql, params),
      ]);
    return (this.#joined[other.name] ??= new Statement(build, this.durability)) as Statement<Row & Partial<Other>>;
  }

  #compile(dialect: Dialect): Compiled {
    return (this.#compiled[dialect] ??= compile(this.build, dialect));
  }
}

function compile(build: Build<Record<string, Value>>, dialect: Dialect): Compiled {
  const { sql, bindings } = build(BUILDERS[dialect], PLACEHOLDERS).toSQL().toNative();
  const kind = /\b(insert|update|delete)\b/i.test(sql) ? 'write' : 'read';
  return { sql: dialect === 'sqlite' ? hideFromPlanner(sql) : sql, bindings, kind };
}

/**
 * Prefixes each placeholder with a unary +, so that SQLite does not plan a statement again for each new value: its planner looks at bound
 * values that a column is compared with (`whereLoopOutputAdjust` in where.c) or that could prove the condition of a partial index
 * (`exprCompareVariable` in expr.c), but not behind a sign. Our plans do not depend on values, and planning takes longer than most
 * statements run. SQLITE_DBCONFIG_ENABLE_QPSG would do the same; the driver cannot set it.
 */
function hideFromPlanner(sql: string): string {
  return sql.replaceAll('?', '+?');
}

export function isPostgres(sql: Knex): boolean {
  return sql === BUILDERS.postgres;
}

/**
 * Returns the table `given`, whose rows are passed as one value: the JSON text of an array of objects.
 * @param columns the objects' fields; every value is read as text
 */
export function jsonRows(sql: Knex, json: Knex.Raw, columns: readonly string[]): Knex.Raw {
  if (isPostgres(sql)) {
    const types = columns.map((column) => `${column} text`).join(', ');
    return sql.raw(`jsonb_to_recordset(CAST(? AS jsonb)) AS given(${types})`, [json]);
  }
  const values = columns.map((column) => `value ->> '${column}' AS ${column}`).join(', ');
  return sql.raw(`(SELECT ${values} FROM json_each(?)) AS given`, [json]);
}

/** Builds a DELETE that returns `column` of each deleted row; knex omits RETURNING on SQLite. */
export function deleteReturning(sql: Knex, rows: Knex.QueryBuilder, column: string): Knex.Raw {
  return sql.raw('? RETURNING ??', [rows.delete(), column]);
}

/**
 * Joins two queries into one round trip, on PostgreSQL: a left join of each row of the first with all rows of the second. The second
 * does not see the changes of the first.
 */
export function joinQueries<A, B>(first: Query<A>, second: Query<B>): Query<A & Partial<B>> {
  const statement = first.statement.joinWith(second.statement);
  return { statement, params: { ...first.params, ...second.params } };
}

/** Declares a statement: `build` writes it with placeholders, the returned function fills them in. */
export function defineQuery<Row, P extends { readonly [K in keyof P]: Value } = Record<string, never>>(
  build: Build<P>,
  { durability = 'power' }: { durability?: Durability } = {},
): (params: P) => Query<Row> {
  const statement = new Statement<Row>(build as Build<Record<string, Value>>, durability);
  return (params) => ({ statement, params });
}

const PAUSE_MS = 30;

/**
 * Retries `step` after conflicts with another process's lock or transaction, which change nothing, for at most `waitMs` from the first
 * conflict. Unlike SQLite's own waiting, the pauses do not block the event loop.
 * @throws what the last try threw
 */
export async function retryConflicts<T>(
  step: () => Promise<T>,
  waitMs: number,
  isRetryable = (error: unknown): boolean => isFailure(error, 'conflict'),
): Promise<T> {
  let giveUpMs: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      giveUpMs ??= performance.now() + waitMs;
      if (!isRetryable(error) || performance.now() > giveUpMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** When retries stop. Each try may itself wait 10 seconds: {@link retryConflicts}, and the server's statement timeout. */
const BUSY_WAIT_MS = 10_000;

/**
 * Retries a write while its rows are locked, for results that took long to get.
 * @throws what the last try threw
 */
export function retryBusy<T>(step: () => Promise<T>): Promise<T> {
  return retryConflicts(step, BUSY_WAIT_MS, (error) => isFailure(error, 'busy'));
}
