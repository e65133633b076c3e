import type { Database } from '../../src/store/database.js';
import { addSite } from '../support/accounts.js';
import { addCustomer, startLiveApi } from '../support/api.js';
import { watchStatements } from '../support/changed-database.js';
import { type Operation, OPERATIONS } from '../support/contract.js';
import type { HttpAnswer, Visitor } from '../support/http-client.js';
import { openNewDatabase } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { watchExecution } from '../support/watch-execution.js';
import { TEST_PASSWORD } from '../support/passwords.js';
import { startWeb } from '../support/web.js';

/** The source that one request runs. */
export interface Walk {
  /** Such as `GET /api/v1/sites/site_1/runs/1: 200`. */
  readonly request: string;
  /** The functions that ran, by file of src. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly statements: readonly string[];
}

function operationCalled(name: string): Operation {
  const found = OPERATIONS.find(({ object }) => object.operationId === name);
  if (found) return found;
  const names = [...Object.keys(PAGES), ...OPERATIONS.map(({ object }) => object.operationId)];
  throw new Error(`OP is one of ${names.join(', ')}.`);
}

/** Walks an operation of the API, for a site with a run. */
function walkRequest(scope: Scope, { path, method }: Operation): Promise<Walk> {
  return walk(scope, async (db) => {
    const api = await startLiveApi(scope, db);
    const { site, key } = await addCustomer(db);
    const headers = { authorization: `Bearer ${key}` };
    await api.send(`/api/v1/sites/${site.id}/runs`, { method: 'POST', headers });
    const address = path.replace('{siteId}', site.id).replaceAll(/{\w+}/g, '1');
    return { name: `${method} ${address}`, ask: () => api.send(address, { method, headers }) };
  });
}

/** Requests of a signed-in member who has a site with a run, by name. */
const PAGES: Readonly<Record<string, readonly [name: string, ask: (context: PageContext) => Promise<HttpAnswer>]>> = {
  'sign-in': [
    'POST /sign-in',
    ({ newVisitor, email }) => newVisitor().post('/sign-in', { email, password: TEST_PASSWORD }),
  ],
  'site-page': ['GET /sites/:siteId', ({ member, path }) => member.get(path)],
  'save-tags': ['POST /sites/:siteId/tags', ({ member, path }) => member.post(`${path}/tags`, { tags: 'shop' })],
};

interface PageContext {
  readonly newVisitor: () => Visitor;
  readonly member: Visitor;
  readonly email: string;
  readonly path: string;
}

/** Walks a request to a page, or an operation of the API. */
export function walkNamed(scope: Scope, requested: string): Promise<Walk> {
  const page = PAGES[requested];
  if (page === undefined) return walkRequest(scope, operationCalled(requested));
  const [name, ask] = page;
  return walk(scope, async (db) => {
    const web = await startWeb(scope, db);
    const member = await web.newMember();
    const { id: accountId, email } = member.account;
    const site = await addSite(db, accountId);
    await web.runs.start({ accountId, siteId: site.id, trigger: 'SCHEDULED' });
    const context = { newVisitor: web.newVisitor, member, email, path: `/sites/${site.id}` };
    return { name, ask: () => ask(context) };
  });
}

async function walk(
  scope: Scope,
  prepare: (db: Database) => Promise<{ name: string; ask: () => Promise<{ readonly status: number }> }>,
): Promise<Walk> {
  const db = await openNewDatabase(scope);
  const statements: string[] = [];
  const { name, ask } = await prepare(
    watchStatements(db, ({ statement }) => void statements.push(statement.sqlFor(db.dialect))),
  );
  // The first request also loads and builds what later ones reuse.
  await ask();
  statements.length = 0;
  let status = 0;
  const files = await watchExecution(async () => ({ status } = await ask()));
  return { request: `${name}: ${status}`, files, statements };
}
