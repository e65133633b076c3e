import type { Dialect, Query } from './query.js';
import type { Transaction } from './transaction.js';

/**
 * A database of either engine. Every method rejects with `ServiceError('overloaded')` while the database is away and works
 * again by itself once it is back; with `UniqueViolation` where a row of the key is already there.
 *
 * What an acknowledged write survives: a kill of the process, always; a power failure, unless its statement was declared
 * with durability `process` (see {@link Durability}).
 */
export interface Database {
  readonly dialect: Dialect;
  readonly url: string;
  /** Runs one statement by itself: one round trip. */
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /** Runs the statements of `work` as one transaction. `work` may be started anew when it lost a conflict. */
  transaction<T>(work: () => Transaction<T>): Promise<T>;
  close(): Promise<void>;
}

/** Runs the query and answers its first row. */
export async function runOne<Row>(db: Database, query: Query<Row>): Promise<Row | undefined> {
  return (await db.run(query))[0];
}
