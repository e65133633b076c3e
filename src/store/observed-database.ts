import type { DatabaseObserver, FailureReason, StatementKind } from '../platform/database-metrics.js';
import { ServiceError } from '../platform/errors.js';
import type { Database } from './database.js';
import { UniqueViolation } from './errors.js';
import type { Durability, Query, Statement } from './query.js';
import type { Transaction } from './transaction.js';

/** Wraps the database with an observer; results and errors pass through unchanged. */
export function observeDatabase(db: Database, observer: DatabaseObserver): Database {
  const kinds = new WeakMap<Statement<unknown>, StatementKind>();
  const kindOf = (statement: Statement<unknown>): StatementKind => {
    let kind = kinds.get(statement);
    if (!kind) {
      kind = WRITES.test(statement.sqlFor(db.dialect)) ? 'write' : 'read';
      kinds.set(statement, kind);
    }
    return kind;
  };
  return {
    dialect: db.dialect,
    url: db.url,
    async run<Row>(query: Query<Row>) {
      const startedMs = performance.now();
      try {
        const rows = await db.run(query);
        observer.answered(kindOf(query.statement), performance.now() - startedMs);
        return rows;
      } catch (error) {
        observer.failed(kindOf(query.statement), performance.now() - startedMs, reasonOf(error));
        throw error;
      }
    },
    async transaction<T>(work: () => Transaction<T>, durability?: Durability) {
      const startedMs = performance.now();
      const decision = new Decision();
      try {
        const result = await db.transaction(() => decision.watch(work()), durability);
        observer.answered('transaction', performance.now() - startedMs);
        return result;
      } catch (error) {
        const durationMs = performance.now() - startedMs;
        // If its own work aborts a transaction, the database still answered correctly.
        if (decision.isOf(error)) observer.answered('transaction', durationMs);
        else observer.failed('transaction', durationMs, reasonOf(error));
        throw error;
      }
    },
    close: () => db.close(),
  };
}

/** Whether a statement writes, judged by its verb, which may follow a WITH. */
const WRITES = /\b(insert|update|delete)\b/i;

/** Marks errors that the work of a transaction threw, as opposed to the database. */
class Decision {
  #thrown: { readonly error: unknown } | null = null;

  *watch<T>(work: Transaction<T>): Transaction<T> {
    try {
      return yield* work;
    } catch (error) {
      this.#thrown = { error };
      throw error;
    }
  }

  isOf(error: unknown): boolean {
    return this.#thrown !== null && this.#thrown.error === error;
  }
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof UniqueViolation) return 'conflict';
  return error instanceof ServiceError && error.code === 'overloaded' ? 'unavailable' : 'fault';
}
