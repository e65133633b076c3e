import type { Knex } from 'knex';
import { defineQuery, deleteReturning, type Placeholders, type Query, type Value } from './query.js';
import { primaryKey, type OptionalColumn, type Row, type TableName } from './tables.js';

type Values = Readonly<Record<string, Value>>;
type Key<R> = { readonly [Column in keyof R]?: NonNullable<R[Column]> };
type Params = Placeholders<Values>;

/**
 * Builds the simple statements on a table, each once per set of columns; {@link defineQuery} is for all others. An update returns the
 * first column of the key of each changed row, a delete all columns of each deleted row.
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
    /** Inserts the row. If there is a row with its key, sets the other columns of that row. */
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
      // A column may be compared and set in one statement.
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
