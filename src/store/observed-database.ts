import type { DatabaseObserver, FailureReason, StatementKind } from '../platform/database-metrics.js';
import { ServiceError } from '../platform/errors.js';
import { type Database, type Tx } from './database.js';
import { type Durability, type Query, createSql, type Statement } from './query.js';
import { UniqueViolation } from './errors.js';

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
  const run = async <Row>(query: Query<Row>): Promise<readonly Row[]> => {
    const startedMs = performance.now();
    try {
      const rows = await db.run(query);
      observer.answered(kindOf(query.statement), performance.now() - startedMs);
      return rows;
    } catch (error) {
      observer.failed(kindOf(query.statement), performance.now() - startedMs, classifyFailure(error));
      throw error;
    }
  };
  return {
    ...createSql(run),
    dialect: db.dialect,
    url: db.url,
    async transaction<T>(work: (tx: Tx) => Promise<T>, durability?: Durability) {
      const startedMs = performance.now();
      const failures = new Set<unknown>();
      let thrown: unknown;
      const watched = async (tx: Tx): Promise<T> => {
        const sql = createSql((query) =>
          tx.run(query).catch((error: unknown) => {
            failures.add(error);
            throw error;
          }),
        );
        return work({ ...sql, afterCommit: (hook) => tx.afterCommit(hook) }).catch((error: unknown) => {
          thrown = error;
          throw error;
        });
      };
      try {
        const result = await db.transaction(watched, durability);
        observer.answered('transaction', performance.now() - startedMs);
        return result;
      } catch (error) {
        const durationMs = performance.now() - startedMs;
        // If its own work aborts a transaction, the database still answered correctly.
        if (error === thrown && !failures.has(error)) observer.answered('transaction', durationMs);
        else observer.failed('transaction', durationMs, classifyFailure(error));
        throw error;
      }
    },
    close: () => db.close(),
  };
}

/** True if a statement writes, judged by its verb, which may follow a WITH. */
const WRITES = /\b(insert|update|delete)\b/i;

function classifyFailure(error: unknown): FailureReason {
  if (error instanceof UniqueViolation) return 'conflict';
  return error instanceof ServiceError && error.code === 'overloaded' ? 'unavailable' : 'fault';
}
