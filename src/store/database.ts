import type { Dialect, Durability, Query, Sql } from './query.js';

export type { Sql };

/** A transaction. Its work may await nothing but its own statements: on SQLite, everything else of the process waits for it. */
export interface Tx extends Sql {
  /** Calls the function after the commit. A function added twice is called once. It must not throw. */
  afterCommit(hook: Hook): void;
}

export type Hook = (db: { readonly url: string }) => void;

/**
 * A database of either engine. Every method rejects with `ServiceError('overloaded')` while the database is away, and works again
 * once it is back; it rejects with `UniqueViolation` if a row with the key already exists.
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

/** Runs statements on one engine. Rejects with the driver's errors. */
export interface Engine {
  run<Row>(query: Query<Row>): Promise<readonly Row[]>;
  transact<T>(work: (sql: Sql) => Promise<T>, durability: Durability): Promise<T>;
  close(): Promise<void>;
}
