import type { Test } from 'tap';
import type { operations } from '../../generated/contract.js';
import type { OperationId } from '../../src/api/operation.js';
import { ServiceError } from '../../src/platform/errors.js';
import { addSite } from '../support/accounts.js';
import { expectContract, OPERATIONS } from '../support/contract.js';
import { onSqlite } from '../support/databases.js';
import { addCustomer, GOOD, SITE_ID, startFakeApi, startLiveApi } from '../support/api.js';
import type { HttpAnswer, HttpRequest } from '../support/http-client.js';

type Ask = (t: Test) => Promise<HttpAnswer>;

/** A request for each status of each operation: the compiler misses none. */
type Requests = { readonly [Id in OperationId]: Readonly<Record<keyof operations[Id]['responses'], Ask | null>> };

onSqlite(async (t, engine) => {
  const db = await engine.openDb(t);
  const api = await startLiveApi(t, db, 30);
  const { account, site, key } = await addCustomer(db);
  const stranger = await addCustomer(db);
  const unverified = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });

  const pathOf = (siteId: string, end: string) => `/api/v1/sites/${siteId}/runs${end}`;
  const withKey = (given: string, more: HttpRequest = {}): HttpRequest => ({
    ...more,
    headers: { ...more.headers, Authorization: `Bearer ${given}` },
  });
  /** Statuses that every operation with a key has; `end` follows the address of a site's runs. */
  const refusals = (end: string, request: HttpRequest = {}) => ({
    401: () => api.send(pathOf(site.id, end), request),
    403: () => api.send(pathOf(site.id, end), withKey(stranger.key, request)),
    404: () => api.send(pathOf(`site_${'z'.repeat(20)}`, end), withKey(key, request)),
    429: async () => {
      const spender = await addCustomer(db);
      const send = () => api.send(pathOf(spender.site.id, end), withKey(spender.key, request));
      let answer = await send();
      for (let left = 100; left > 0 && answer.status !== 429; left -= 1) answer = await send();
      return answer;
    },
    500: (t: Test) => fail(t, new Error('a fault'), end, request),
    503: (t: Test) => fail(t, new ServiceError('overloaded'), end, request),
  });
  /** The same request where the runs fail in this way. */
  const fail = async (t: Test, error: Error, end: string, request: HttpRequest) => {
    const reject = () => Promise.reject(error);
    const failing = await startFakeApi(t, { runs: { start: reject, read: reject } });
    return failing.send(pathOf(SITE_ID, end), { ...request, headers: GOOD });
  };
  const again = async (path: string, request: HttpRequest = {}) => {
    const { etag = '' } = (await api.send(path, request)).headers;
    return api.send(path, { ...request, headers: { ...request.headers, 'If-None-Match': etag } });
  };
  const reads = (end: string) => ({
    200: () => api.send(pathOf(site.id, end), withKey(key)),
    304: () => again(pathOf(site.id, end), withKey(key)),
    ...refusals(end),
  });
  const start = { method: 'POST' };
  const requests: Requests = {
    createRun: {
      201: () => api.send(pathOf(site.id, ''), withKey(key, start)),
      409: () => api.send(pathOf(unverified.id, ''), withKey(key, start)),
      413: () => api.send(pathOf(site.id, ''), withKey(key, { ...start, body: 'x'.repeat(65 * 1024) })),
      ...refusals('', start),
    },
    getLatestRun: reads('/latest'),
    getRun: { ...reads('/1'), 400: () => api.send(pathOf(site.id, '/0'), withKey(key)) },
    description: {
      200: () => api.send('/api/v1/openapi.json'),
      304: () => again('/api/v1/openapi.json'),
      // Its text is made at the start: no request can bring a fault about.
      500: null,
    },
  };
  for (const [operationId, byStatus] of Object.entries(requests) as [OperationId, Record<string, Ask | null>][]) {
    for (const [status, ask] of Object.entries(byStatus)) {
      if (ask === null) continue;
      t.test(`${operationId} ${status}`, async (t) => {
        const answer = await ask(t);
        expectContract(t, operationId, answer);
        t.equal(answer.status, Number(status));
      });
    }
  }

  t.test('exactly the documented statuses have a request', async (t) => {
    const listed = Object.entries(requests).map(([id, byStatus]): [string, string[]] => [id, Object.keys(byStatus)]);
    t.same(
      Object.fromEntries(listed),
      Object.fromEntries(OPERATIONS.map(({ object }) => [object.operationId, Object.keys(object.responses)])),
    );
  });
});
