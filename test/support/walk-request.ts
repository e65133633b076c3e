import { migrateDatabase } from '../../src/store/migrate.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open-database.js';
import { watchStatements } from './changed-database.js';
import { type Operation, OPERATIONS } from './contract.js';
import { addCustomer, startLiveApi } from './live-api.js';
import { newDatabaseUrl } from './script.js';
import type { Scope } from './service.js';
import { watchExecution } from './watch-execution.js';
import { startWeb, TEST_PASSWORD } from './web.js';

/** What one request goes through. */
export interface Walk {
  /** Such as `GET /api/v1/sites/site_1/runs/1: 200`. */
  readonly request: string;
  /** The functions that ran, by file of src. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** In the order in which they ran. */
  readonly statements: readonly string[];
}

/** @throws Error that names all operations, for one that the document does not have */
export function operationCalled(name: string): Operation {
  const found = OPERATIONS.find(({ object }) => object.operationId === name);
  if (found) return found;
  throw new Error(`OP is one of ${OPERATIONS.map(({ object }) => object.operationId).join(', ')}.`);
}

/** Asks the API over a new SQLite for an operation, of a site that has runs; only the scan is a stand-in. */
export function walkRequest(scope: Scope, { path, method }: Operation): Promise<Walk> {
  return walk(scope, async (db) => {
    const api = await startLiveApi(scope, db);
    const { site, key } = await addCustomer(db);
    const headers = { authorization: `Bearer ${key}` };
    await api.send(`/api/v1/sites/${site.id}/runs`, { method: 'POST', headers });
    const address = path.replace('{siteId}', site.id).replaceAll(/{\w+}/g, '1');
    return { name: `${method} ${address}`, ask: () => api.send(address, { method, headers }) };
  });
}

/** Signs in by password over a new SQLite. */
export function walkSignIn(scope: Scope): Promise<Walk> {
  return walk(scope, async (db) => {
    const web = await startWeb(scope, db);
    const { email } = (await web.newMember()).account;
    const ask = () => web.newVisitor().post('/sign-in', { email, password: TEST_PASSWORD });
    return { name: 'POST /sign-in', ask };
  });
}

/** Watches one of the requests that `prepare` returns. */
async function walk(
  scope: Scope,
  prepare: (db: Database) => Promise<{ name: string; ask: () => Promise<{ readonly status: number }> }>,
): Promise<Walk> {
  const url = await newDatabaseUrl(scope, 'sqlite');
  await migrateDatabase(url);
  const db = await openDatabase(url);
  scope.teardown(() => db.close());
  const statements: string[] = [];
  const { name, ask } = await prepare(
    watchStatements(db, ({ statement }) => void statements.push(statement.sqlFor(db.dialect))),
  );
  // Once before it is watched: what is loaded or put together at a first use is not part of the way.
  await ask();
  statements.length = 0;
  let status = 0;
  const files = await watchExecution(async () => ({ status } = await ask()));
  return { request: `${name}: ${status}`, files, statements };
}
