import { createSql, type Database, type Tx } from '../../src/store/database.js';
import type { Query } from '../../src/store/query.js';

/** The same database, with some methods replaced. */
export function changeDatabase(db: Database, changed: Partial<Pick<Database, 'run' | 'transaction'>>): Database {
  return {
    ...createSql(changed.run ?? ((query) => db.run(query))),
    dialect: db.dialect,
    url: db.url,
    transaction: changed.transaction ?? ((work, durability) => db.transaction(work, durability)),
    close: () => db.close(),
  };
}

/** The same database, which calls `before` with each statement. What it throws is thrown in place of the statement. */
export function watchStatements(
  db: Database,
  before: (query: Query<unknown>, tx: Tx | null) => void | Promise<void>,
): Database {
  return changeDatabase(db, {
    run: async (query) => {
      await before(query, null);
      return db.run(query);
    },
    transaction: (work, durability) =>
      db.transaction((tx) => {
        const sql = createSql(async (query) => {
          await before(query, tx);
          return tx.run(query);
        });
        return work({ ...tx, ...sql });
      }, durability),
  });
}

/** The same database, which counts its single statements. */
export function countStatements(db: Database): { readonly counted: Database; count: number } {
  const counter = {
    count: 0,
    counted: watchStatements(db, (_, tx) => {
      if (tx === null) counter.count += 1;
    }),
  };
  return counter;
}

/** The same database, whose single statements and transactions fail while it is down. */
export function failWhen(db: Database, isDown: () => boolean, error: Error): Database {
  return changeDatabase(db, {
    run: (query) => (isDown() ? Promise.reject(error) : db.run(query)),
    transaction: (work) => (isDown() ? Promise.reject(error) : db.transaction(work)),
  });
}

/** Such as `select badges`: the verb and the first table of a statement. */
function nameOf({ statement }: Query<unknown>): string {
  const sql = statement.sqlFor('sqlite');
  const [verb = ''] = sql.split(' ');
  return `${verb.toLowerCase()} ${/\b(?:from|into|update)\W+(\w+)/i.exec(sql)?.[1] ?? sql}`;
}

/** A database that notes the names of the statements that it is asked for. @param before what happens before one that is alone */
export function recordStatements(
  db: Database,
  before?: (name: string) => Promise<void>,
): { readonly db: Database; readonly asked: string[] } {
  const asked: string[] = [];
  const recorded = watchStatements(db, (query, tx) => {
    const name = nameOf(query);
    asked.push(name);
    return tx === null ? before?.(name) : undefined;
  });
  return { db: recorded, asked };
}
