import type { Query } from './query.js';

/**
 * A transaction as a generator of statements: it yields a query and is handed its rows. So it is run the same on both
 * engines, and nothing can be awaited inside: on SQLite the whole of it is one synchronous step.
 */
export type Transaction<T> = Generator<Query<unknown>, T, readonly unknown[]>;

/** Runs the query and answers all its rows. */
export function* all<Row>(query: Query<Row>): Transaction<readonly Row[]> {
  return (yield query) as readonly Row[];
}

/** Runs the query and answers its first row. */
export function* one<Row>(query: Query<Row>): Transaction<Row | undefined> {
  return (yield* all(query))[0];
}

/** Runs the query for its effect. */
export function* execute(query: Query<unknown>): Transaction<void> {
  yield query;
}
