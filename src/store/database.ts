import type { Dialect, Durability, Sql, Tx } from './query.js';

export type { Sql, Tx };

/**
 * A database of either engine. Every method rejects with `ServiceError('overloaded')` while the database is away, and works again
 * once it is back.
 *
 * An acknowledged write always survives a kill of the process. It survives a power failure unless its statement was declared with
 * durability `process` (see {@link Durability}).
 */
export interface Database extends Sql {
  readonly dialect: Dialect;
  readonly url: string;
  /**
   * Runs `work` as one transaction. It may be restarted after it lost a conflict.
   * @param durability `power` by default
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, durability?: Durability): Promise<T>;
  close(): Promise<void>;
}
