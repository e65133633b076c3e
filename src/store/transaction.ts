import type { Query } from './query.js';

/**
 * A transaction as a generator of statements: it yields a query and receives its rows. It thus runs the same on both engines, and
 * cannot await anything: on SQLite the whole transaction is one synchronous step.
 */
export type Transaction<T> = Generator<Query<unknown>, T, readonly unknown[]>;

/** Runs the query and returns all its rows. */
export function* all<Row>(query: Query<Row>): Transaction<readonly Row[]> {
  return (yield query) as readonly Row[];
}

/** Runs the query and returns its first row. */
export function* one<Row>(query: Query<Row>): Transaction<Row | undefined> {
  return (yield* all(query))[0];
}

/** Runs the query for its effect. */
export function* execute(query: Query<unknown>): Transaction<void> {
  yield query;
}
