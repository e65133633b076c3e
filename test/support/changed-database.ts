import type { Database } from '../../src/store/database.js';

/** The same database, but for what is done in another way. */
export function changeDatabase(db: Database, changed: Partial<Pick<Database, 'run' | 'transaction'>>): Database {
  return {
    dialect: db.dialect,
    url: db.url,
    run: (query) => db.run(query),
    transaction: (work) => db.transaction(work),
    close: () => db.close(),
    ...changed,
  };
}

/** The same database, which counts its single statements. */
export function countStatements(db: Database): { readonly counted: Database; count: number } {
  const counter = {
    count: 0,
    counted: changeDatabase(db, {
      run(query) {
        counter.count += 1;
        return db.run(query);
      },
    }),
  };
  return counter;
}

/** The same database, whose single statements and transactions fail while it is down. */
export function failWhen(db: Database, isDown: () => boolean, error: () => Error): Database {
  return changeDatabase(db, {
    run: (query) => (isDown() ? Promise.reject(error()) : db.run(query)),
    transaction: (work) => (isDown() ? Promise.reject(error()) : db.transaction(work)),
  });
}
