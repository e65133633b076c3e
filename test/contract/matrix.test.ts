import { newApiKey } from '../../src/domain/api-key.js';
import { expectContract, OPERATIONS, type Operation } from '../support/contract.js';
import { onEachDatabase } from '../support/databases.js';
import { codeOf, type HttpAnswer } from '../support/http-client.js';
import { addCustomer, addRevokedKey, startLiveApi, type LiveApi } from '../support/live-api.js';

/** What a request comes with, and what an operation that asks for a key answers. */
interface Row {
  readonly about: string;
  readonly authorization: string | undefined;
  readonly status: number | 'success';
  readonly code?: string;
}

const QUOTA = 50;

onEachDatabase(async (t, engine) => {
  const db = await engine.openDb(t);
  const api = await startLiveApi(t, db, QUOTA);
  const { account, site, key } = await addCustomer(db);
  const stranger = await addCustomer(db);
  const free = await addCustomer(db, 'FREE');
  const spender = await addCustomer(db);
  await spend(api, spender);
  const revoked = await addRevokedKey(db, account.id);

  const rows: Row[] = [
    { about: 'no key', authorization: undefined, status: 401, code: 'missing_api_key' },
    { about: 'another scheme', authorization: 'Basic dTpw', status: 401, code: 'missing_api_key' },
    { about: 'a scheme alone', authorization: 'Bearer', status: 401, code: 'missing_api_key' },
    { about: 'malformed', authorization: 'Bearer ars_short', status: 401, code: 'invalid_api_key' },
    { about: 'two keys', authorization: `Bearer ${key} ${key}`, status: 401, code: 'invalid_api_key' },
    { about: 'unknown', authorization: `Bearer ${newApiKey()}`, status: 401, code: 'invalid_api_key' },
    { about: 'revoked', authorization: `Bearer ${revoked}`, status: 401, code: 'invalid_api_key' },
    { about: 'other account', authorization: `Bearer ${stranger.key}`, status: 403, code: 'site_not_owned' },
    { about: 'plan without API', authorization: `Bearer ${free.key}`, status: 403, code: 'plan_without_api' },
    { about: 'quota spent', authorization: `Bearer ${spender.key}`, status: 429, code: 'monthly_quota_exceeded' },
    { about: 'good', authorization: `Bearer ${key}`, status: 'success' },
    { about: 'good, scheme in lower case', authorization: `bearer ${key}`, status: 'success' },
  ];

  // createRun comes first, so that there is a run to read.
  for (const operation of [...OPERATIONS].sort((a, b) => Number(b.method === 'POST') - Number(a.method === 'POST'))) {
    const { operationId, security, responses } = operation.object;
    const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
    for (const { about, authorization, status, code } of rows) {
      const answer = await ask(api, operation, site.id, authorization);
      const title = `${operationId}, ${about}`;
      const isOpen = security?.length === 0;
      expectContract(t, operationId, answer, title);
      t.equal(answer.status, isOpen || status === 'success' ? success : status, title);
      if (!isOpen && code !== undefined) t.equal(codeOf(answer), code, title);
    }
  }
  t.notMatch(JSON.stringify(api.log), /ars_/, 'no key is in the log');
});

onEachDatabase(async (t, engine) => {
  const db = await engine.openDb(t);
  const api = await startLiveApi(t, db);
  const { site, key } = await addCustomer(db);
  const headers = { Authorization: `Bearer ${key}` };
  const runs = `/api/v1/sites/${site.id}/runs`;
  const read = (path: string) => api.send(path, { headers });
  const start = (path = runs) => api.send(path, { method: 'POST', headers });

  t.test('sites and runs that are not there', async (t) => {
    const none = await read(`${runs}/latest`);
    expectContract(t, 'getLatestRun', none);
    t.equal(none.status, 404);
    t.equal(codeOf(none), 'no_completed_run');
    for (const siteId of [`site_${'z'.repeat(20)}`, 'site_', 'x', '%00', '..%2F..', '%F0%9F%90%98', 'x'.repeat(8000)]) {
      const answers = {
        createRun: await start(`/api/v1/sites/${siteId}/runs`),
        getLatestRun: await read(`/api/v1/sites/${siteId}/runs/latest`),
        getRun: await read(`/api/v1/sites/${siteId}/runs/1`),
      };
      for (const [operationId, answer] of Object.entries(answers)) {
        expectContract(t, operationId as keyof typeof answers, answer, siteId);
        t.equal(answer.status, 404, siteId);
        t.equal(codeOf(answer), 'site_not_found', siteId);
      }
    }
    for (const number of ['1', '2147483647', '2147483648', '9007199254740993', '9'.repeat(400)]) {
      const answer = await read(`${runs}/${number}`);
      expectContract(t, 'getRun', answer, number);
      t.equal(answer.status, 404, number);
      t.equal(codeOf(answer), 'run_not_found', number);
    }
  });

  t.test('five runs a day; the sixth is refused and costs nothing', async (t) => {
    const created: HttpAnswer[] = [];
    for (let count = 0; count < 5; count += 1) created.push(await start());
    for (const [index, answer] of created.entries()) {
      expectContract(t, 'createRun', answer);
      t.equal(answer.status, 201);
      t.equal(answer.headers.location, `https://readiness.test${runs}/${index + 1}`);
    }
    const before = remaining(await read(`${runs}/latest`));
    const sixth = await start();
    expectContract(t, 'createRun', sixth);
    t.equal(sixth.status, 429);
    t.equal(codeOf(sixth), 'daily_runs_exceeded');
    t.equal(sixth.headers['retry-after'], String(12 * 3600), 'until the next day in UTC');
    t.equal(remaining(sixth), before);
    t.equal(remaining(await read(`${runs}/latest`)), before - 1);
  });

  t.test('a run is the same bytes at its start, by number and as the latest', async (t) => {
    const first = await read(`${runs}/1`);
    const latest = await read(`${runs}/latest`);
    t.equal(latest.text, (await read(`${runs}/5`)).text);
    t.not(first.headers.etag, latest.headers.etag);
    t.match(JSON.parse(first.text), { site: { id: site.id }, run: { number: 1, trigger: 'API' } });
    const held = await api.send(`${runs}/1`, { headers: { ...headers, 'If-None-Match': first.headers.etag ?? '' } });
    expectContract(t, 'getRun', held);
    t.equal(held.status, 304);
  });
});

async function spend(api: LiveApi, { site, key }: Awaited<ReturnType<typeof addCustomer>>): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  for (let count = 0; count < QUOTA; count += 1) await api.send(`/api/v1/sites/${site.id}/runs/1`, { headers });
}

function ask(api: LiveApi, { path, method }: Operation, siteId: string, authorization: string | undefined) {
  const address = path.replace('{siteId}', siteId).replace('{number}', '1');
  return api.send(address, { method, headers: authorization === undefined ? {} : { Authorization: authorization } });
}

function remaining(answer: HttpAnswer): number {
  return Number(answer.headers['x-ratelimit-remaining']);
}
