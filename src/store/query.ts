import knex, { type Knex } from 'knex';
import { TABLES } from './tables.js';

export type Dialect = 'sqlite' | 'postgres';

/** A single statement that only reads, one that writes, or a whole transaction. */
export type StatementKind = 'read' | 'write' | 'transaction';

/** A column value, the same on both engines: times are ISO texts in UTC with milliseconds, flags 0 or 1. */
export type Value = string | number | null | Uint8Array;

type Values = Readonly<Record<string, Value>>;

/**
 * Durability of a write. `power`: an acknowledged write survives a power failure. `process`: it survives the end of the process,
 * but SQLite does not wait for the disk, so a power failure may undo the last ones (PostgreSQL waits in both cases).
 */
export type Durability = 'power' | 'process';

/** A statement with its values, ready to run on either engine. `Row` is the type of its result rows. */
export interface Query<Row> {
  readonly statement: Statement<Row>;
  readonly params: Values;
}

/** Placeholder for a value that is known only when the statement runs. */
class Param {
  constructor(readonly name: string) {}
}

/** knex accepts a placeholder wherever it accepts a value; typing it as raw SQL, which it nearly is, satisfies the compiler. */
type Placeholders<P> = { readonly [K in keyof P]: Knex.Raw };
type Build<P> = (sql: Knex, params: Placeholders<P>) => Knex.QueryBuilder | Knex.Raw;

const BUILDERS: Readonly<Record<Dialect, Knex>> = {
  sqlite: knex({ client: 'better-sqlite3', useNullAsDefault: true }),
  postgres: knex({ client: 'pg' }),
};

const PLACEHOLDERS: Placeholders<Record<string, Value>> = new Proxy({}, { get: (_, name) => new Param(String(name)) });

const STATEMENTS: Statement<unknown>[] = [];

/** Returns the statements of all loaded modules. For tests. */
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

  /** Returns the kind, found by the verb, which may follow a WITH. */
  kindFor(dialect: Dialect): StatementKind {
    return this.#compile(dialect).kind;
  }

  bind(dialect: Dialect, params: Values): Value[] {
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
 * Returns the table `input`, whose rows are passed as one value: the JSON text of an array of objects.
 * @param columns the objects' fields; every value is read as text
 */
export function jsonRows(sql: Knex, json: Knex.Raw, columns: readonly string[]): Knex.Raw {
  if (isPostgres(sql)) {
    const types = columns.map((column) => `${column} text`).join(', ');
    return sql.raw(`jsonb_to_recordset(CAST(? AS jsonb)) AS input(${types})`, [json]);
  }
  const values = columns.map((column) => `value ->> '${column}' AS ${column}`).join(', ');
  return sql.raw(`(SELECT ${values} FROM json_each(?)) AS input`, [json]);
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

/** Declares a statement. `build` writes it with placeholders; the returned function fills them in. */
export function defineQuery<Row, P extends { readonly [K in keyof P]: Value } = Record<string, never>>(
  build: Build<P>,
  { durability = 'power' }: { durability?: Durability } = {},
): (params: P) => Query<Row> {
  const statement = new Statement<Row>(build as Build<Record<string, Value>>, durability);
  return (params) => ({ statement, params });
}

type Tables = typeof TABLES;
export type TableName = keyof Tables;

type ValueOf<Definition> =
  | (Definition extends `integer${string}` ? number : Definition extends `bytes${string}` ? Uint8Array : string)
  | (Definition extends `${string}NOT NULL${string}` | `${string}PRIMARY KEY${string}` ? never : null);

export type Row<Table extends TableName> = {
  // Names in capitals are constraints.
  readonly [Column in keyof Tables[Table] as Column extends Lowercase<Column & string> ? Column : never]: ValueOf<
    Tables[Table][Column]
  >;
};

/** Columns that an inserted row may leave out, because they may be null or have a default. */
type OptionalColumn<Table extends TableName> = {
  [Column in keyof Tables[Table]]: Tables[Table][Column] extends `${string}DEFAULT${string}`
    ? Column
    : null extends ValueOf<Tables[Table][Column]>
      ? Column
      : never;
}[keyof Tables[Table]];

export function primaryKey(table: TableName): readonly [string, ...string[]] {
  const columns: Readonly<Record<string, string>> = TABLES[table];
  const [first = '', ...others] = columns['PRIMARY KEY']?.match(/\w+/g) ?? [];
  if (first !== '') return [first, ...others];
  return [Object.keys(columns).find((column) => columns[column]?.includes('PRIMARY KEY')) ?? ''];
}

type Key<R> = { readonly [Column in keyof R]?: NonNullable<R[Column]> };
type Params = Placeholders<Values>;

/**
 * Builds the simple statements on a table, each once per set of columns; {@link defineQuery} is for all others. An update returns the
 * first key column of each changed row, a delete returns all columns of each deleted row.
 */
export function table<Name extends TableName, R extends Row<Name> = Row<Name>>(name: Name) {
  type Optional = OptionalColumn<Name> & keyof R;
  type NewRow = Omit<R, Optional> & Partial<Pick<R, Optional>>;
  type Column = keyof R & string;
  const key = primaryKey(name);
  const query = cachedQueries();
  return {
    insert(row: NewRow): Query<never> {
      const columns = Object.keys(row);
      return query(`insert ${columns.join()}`, row as Values, (sql, params) => sql(name).insert(pick(params, columns)));
    },
    /** Inserts the row, or updates the row with the same key. */
    upsert(row: NewRow): Query<never> {
      const columns = Object.keys(row);
      const others = columns.filter((column) => !key.includes(column));
      return query(`upsert ${columns.join()}`, row as Values, (sql, params) =>
        sql(name)
          .insert(pick(params, columns))
          .onConflict([...key])
          .merge(others),
      );
    },
    find<Selected extends Column>(
      where: Key<R>,
      columns: readonly Selected[],
      ...orderBy: readonly Column[]
    ): Query<Pick<R, Selected>> {
      const filter = requireColumns(where);
      return query(`find ${columns.join()} ${filter.join()} ${orderBy.join()}`, where as Values, (sql, params) => {
        const rows = sql(name)
          .select([...columns])
          .where(pick(params, filter));
        return orderBy.length > 0 ? rows.orderBy([...orderBy]) : rows;
      });
    },
    update(where: Key<R>, set: Partial<R>): Query<object> {
      const filter = requireColumns(where);
      const columns = Object.keys(set);
      // The prefix is for columns that are both compared and set.
      const values = Object.fromEntries(columns.map((column) => [`new_${column}`, (set as Values)[column] ?? null]));
      return query(`update ${columns.join()} ${filter.join()}`, { ...(where as Values), ...values }, (sql, params) =>
        sql(name)
          .where(pick(params, filter))
          .update(pick(params, columns, 'new_'))
          .returning(key[0]),
      );
    },
    delete(where: Key<R>): Query<R> {
      const filter = requireColumns(where);
      return query(`delete ${filter.join()}`, where as Values, (sql, params) =>
        deleteReturning(sql, sql(name).where(pick(params, filter)), '*'),
      );
    },
  };
}

function cachedQueries() {
  const built: Record<string, (params: Values) => Query<unknown>> = {};
  return <Result>(id: string, params: Values, build: (sql: Knex, params: Params) => Knex.Raw | Knex.QueryBuilder) => {
    const make = (built[id] ??= defineQuery<unknown, Values>(build));
    return make(params) as Query<Result>;
  };
}

function pick(params: Params, columns: readonly string[], prefix = ''): Record<string, Knex.Raw | undefined> {
  return Object.fromEntries(columns.map((column) => [column, params[`${prefix}${column}`]]));
}

/** @throws Error if there are none: the statement would apply to every row */
function requireColumns(where: object): string[] {
  const columns = Object.keys(where);
  if (columns.length === 0) throw new Error('Name at least one column of the rows.');
  return columns;
}
