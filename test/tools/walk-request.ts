import type { Database } from '../../src/store/database.js';
import { addSite } from '../support/accounts.js';
import { addCustomer, startLiveApi } from '../support/api.js';
import { watchStatements } from '../support/changed-database.js';
import { type Operation, OPERATIONS } from '../support/contract.js';
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

interface Prepared {
  readonly name: string;
  readonly ask: () => Promise<{ readonly status: number }>;
}

/** Requests of a signed-in member who has a site with a run, by name. */
const PAGES: Readonly<Record<string, (scene: Awaited<ReturnType<typeof openPages>>) => Prepared>> = {
  'sign-in': ({ web, member: { account } }) => ({
    name: 'POST /sign-in',
    ask: () => web.newVisitor().post('/sign-in', { email: account.email, password: TEST_PASSWORD }),
  }),
  'site-page': ({ member, path }) => ({ name: 'GET /sites/:siteId', ask: () => member.get(path) }),
  'save-tags': ({ member, path }) => ({
    name: 'POST /sites/:siteId/tags',
    ask: () => member.post(`${path}/tags`, { tags: 'shop' }),
  }),
};

async function openPages(scope: Scope, db: Database) {
  const web = await startWeb(scope, db);
  const member = await web.newMember();
  const accountId = member.account.id;
  const site = await addSite(db, accountId);
  await web.runs.start({ accountId, siteId: site.id, trigger: 'SCHEDULED' });
  return { web, member, path: `/sites/${site.id}` };
}

/** Prepares an operation of the API, for a site with a run. */
async function openOperation(scope: Scope, db: Database, { path, method }: Operation): Promise<Prepared> {
  const api = await startLiveApi(scope, db);
  const { site, key } = await addCustomer(db);
  const headers = { authorization: `Bearer ${key}` };
  await api.send(`/api/v1/sites/${site.id}/runs`, { method: 'POST', headers });
  const address = path.replace('{siteId}', site.id).replaceAll(/{\w+}/g, '1');
  return { name: `${method} ${address}`, ask: () => api.send(address, { method, headers }) };
}

/** Walks a request to a page, or an operation of the API. */
export async function walkNamed(scope: Scope, requested: string): Promise<Walk> {
  const page = PAGES[requested];
  const operation = OPERATIONS.find(({ object }) => object.operationId === requested);
  if (!page && !operation) {
    const names = [...Object.keys(PAGES), ...OPERATIONS.map(({ object }) => object.operationId)];
    throw new Error(`OP is one of ${names.join(', ')}.`);
  }
  const db = await openNewDatabase(scope);
  const statements: string[] = [];
  const watched = watchStatements(db, ({ statement }) => void statements.push(statement.sqlFor(db.dialect)));
  const { name, ask } = operation
    ? await openOperation(scope, watched, operation)
    : page!(await openPages(scope, watched));
  // The first request also loads and builds what later ones reuse.
  await ask();
  statements.length = 0;
  let status = 0;
  const files = await watchExecution(async () => ({ status } = await ask()));
  return { request: `${name}: ${status}`, files, statements };
}
