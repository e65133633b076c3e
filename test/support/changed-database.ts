import { createSql, type Database, type Tx } from '../../src/store/database.js';
import type { Query } from '../../src/store/query.js';

export function changeDatabase(db: Database, changed: Partial<Pick<Database, 'run' | 'transaction'>>): Database {
  return {
    ...createSql(changed.run ?? ((query) => db.run(query))),
    dialect: db.dialect,
    url: db.url,
    transaction: changed.transaction ?? ((work, durability) => db.transaction(work, durability)),
    close: () => db.close(),
  };
}

/** Calls `before` with each statement. An error of it replaces the statement. */
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

/** Counts statements outside of transactions. */
export function countStatements(db: Database): { readonly counted: Database; count: number } {
  const counter = {
    count: 0,
    counted: watchStatements(db, (_, tx) => {
      if (tx === null) counter.count += 1;
    }),
  };
  return counter;
}

export function failWhen(db: Database, isDown: () => boolean, error: Error): Database {
  return changeDatabase(db, {
    run: (query) => (isDown() ? Promise.reject(error) : db.run(query)),
    transaction: (work) => (isDown() ? Promise.reject(error) : db.transaction(work)),
  });
}

/** Returns the verb and the first table of a statement, such as `select badges`. */
function nameOf({ statement }: Query<unknown>): string {
  const sql = statement.sqlFor('sqlite');
  const [verb = ''] = sql.split(' ');
  return `${verb.toLowerCase()} ${/\b(?:from|into|update)\W+(\w+)/i.exec(sql)?.[1] ?? sql}`;
}

/** Records the names of statements. @param before called before a statement outside of a transaction */
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
