import type { Dialect, Durability, Query } from './query.js';
import { Hooks, type Transaction } from './transaction.js';

/**
 * A database of either engine. Every method rejects with `ServiceError('overloaded')` while the database is away, and works again
 * once it is back; it rejects with `UniqueViolation` if a row with the key already exists.
 *
 * An acknowledged write always survives a kill of the process. It survives a power failure unless its statement was declared with
 * durability `process` (see {@link Durability}).
 */
export interface Database {
  readonly dialect: Dialect;
  readonly url: string;
  /** Runs one statement on its own, in one round trip. */
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /**
   * Runs the statements of `work` as one transaction. `work` may be restarted after it lost a conflict.
   * @param durability `power` unless said otherwise
   */
  transaction<T>(work: () => Transaction<T>, durability?: Durability): Promise<T>;
  close(): Promise<void>;
}

/** Runs the statements one by one, without a transaction: for reads that need none, and so have no hooks. */
export async function runApart<T>(db: Pick<Database, 'run'>, steps: Transaction<T>): Promise<T> {
  const hooks = new Hooks();
  let step = steps.next([]);
  while (!step.done) {
    const query = hooks.queryOf(step.value);
    step = steps.next(query ? await db.run(query) : []);
  }
  return step.value;
}

/** Runs the query and returns its first row. */
export async function runOne<Row>(db: Database, query: Query<Row>): Promise<Row | undefined> {
  return (await db.run(query))[0];
}
