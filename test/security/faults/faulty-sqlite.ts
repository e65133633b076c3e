import Sqlite from 'better-sqlite3';
import type { FaultPlan } from './fault-plan.js';

/** What runs a statement. */
const RUNNING = new Set<string | symbol>(['run', 'all']);

/** Until it is undone, statements on connections to the file of just this spelling fail as the plan says: before they do anything. */
export function makeSqliteFaulty(path: string, plan: FaultPlan): () => void {
  const { prototype } = Sqlite as unknown as { prototype: { prepare: (sql: string) => object } };
  const { prepare } = prototype;
  prototype.prepare = function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    return this.name === path ? failing(statement, plan) : statement;
  };
  return () => {
    prototype.prepare = prepare;
  };
}

function failing(statement: object, plan: FaultPlan): object {
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const fault = RUNNING.has(name) ? plan.next() : null;
        if (fault !== null) throw new Sqlite.SqliteError('injected: secret detail of the file', fault);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
