import type { Query } from './query.js';

/**
 * A transaction as a generator of statements: it yields a query and receives its rows. It thus runs the same on both engines, and
 * cannot await anything: on SQLite the whole transaction is one synchronous step.
 */
export type Transaction<T> = Generator<Query<unknown> | Hook, T, readonly unknown[]>;

/** What follows a commit; of the same function given several times, once. It must not throw. */
export type Hook = (db: { readonly url: string }) => void;

/** Calls the function once the transaction has committed, and not otherwise. */
export function* afterCommit(hook: Hook): Transaction<void> {
  yield hook;
}

/** The hooks of one transaction. */
export class Hooks {
  readonly #hooks = new Set<Hook>();

  /** @returns the query that was yielded; undefined where it is a hook, which is kept */
  queryOf(yielded: Query<unknown> | Hook): Query<unknown> | undefined {
    if (typeof yielded !== 'function') return yielded;
    this.#hooks.add(yielded);
    return undefined;
  }

  call(db: { readonly url: string }): void {
    for (const hook of this.#hooks) hook(db);
  }
}

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
