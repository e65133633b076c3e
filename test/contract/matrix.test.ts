import { createSiteRemoval } from '../../src/app/data/removal.js';
import { newApiKey } from '../../src/platform/ids.js';
import { createAccounts } from '../../src/app/accounts/accounts.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { openDatabase } from '../../src/store/open.js';
import { addSite, scanReport, TestClock } from '../support/accounts.js';
import { expectContract, CONTRACT_OPERATIONS, type Operation } from '../support/contract.js';
import { onEachDatabase } from '../support/databases.js';
import { codeOf, type HttpAnswer } from '../support/http-client.js';
import { openCustomerApi } from '../api/customer-api.js';
import { addCustomer, addRevokedKey, type LiveApi, startLiveApi } from '../support/api.js';
import { updateRows } from '../support/tables.js';

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
  for (const operation of [...CONTRACT_OPERATIONS].sort(
    (a, b) => Number(b.method === 'POST') - Number(a.method === 'POST'),
  )) {
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
  const { start, read, path, site } = await openCustomerApi(t, await engine.openDb(t));

  t.test('sites and runs that are not there', async (t) => {
    const none = await read();
    t.strictSame([none.status, codeOf(none)], [404, 'no_completed_run']);
    for (const siteId of [`site_${'z'.repeat(20)}`, 'site_', 'x', '%00', '..%2F..', '%F0%9F%90%98', 'x'.repeat(8000)]) {
      for (const answer of [await start({}, siteId), await read('latest', {}, siteId), await read('1', {}, siteId)]) {
        t.strictSame([answer.status, codeOf(answer)], [404, 'site_not_found'], siteId);
      }
    }
    for (const number of ['1', '2147483647', '2147483648', '9007199254740993', '9'.repeat(400)]) {
      const answer = await read(number);
      t.strictSame([answer.status, codeOf(answer)], [404, 'run_not_found'], number);
    }
  });

  t.test('five runs a day; the sixth is refused and costs nothing', async (t) => {
    const created: HttpAnswer[] = [];
    for (let count = 0; count < 5; count += 1) created.push(await start());
    for (const [index, answer] of created.entries()) {
      t.equal(answer.status, 201);
      t.equal(answer.headers.location, `https://readiness.test${path}/${index + 1}`);
    }
    const before = remaining(await read());
    const sixth = await start();
    t.strictSame([sixth.status, codeOf(sixth)], [429, 'daily_runs_exceeded']);
    t.equal(sixth.headers['retry-after'], String(12 * 3600), 'until the next day in UTC');
    t.equal(remaining(sixth), before);
    t.equal(remaining(await read()), before - 1);
  });

  t.test('a run is the same bytes at its start, by number and as the latest', async (t) => {
    const [first, latest] = [await read('1'), await read()];
    t.equal(latest.text, (await read('5')).text);
    t.not(first.headers.etag, latest.headers.etag);
    t.match(JSON.parse(first.text), { site: { id: site.id }, run: { number: 1, trigger: 'API' } });
    t.equal((await read('1', { 'If-None-Match': first.headers.etag ?? '' })).status, 304);
  });
});

onEachDatabase(async (t, engine) => {
  t.test('of two reasons to refuse, the earlier step wins', async (t) => {
    const db = await engine.openDb(t);
    const api = await startLiveApi(t, db, QUOTA);
    const { account, key } = await addCustomer(db);
    const { site: theirs } = await addCustomer(db);
    const unverified = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    const free = await addCustomer(db, 'FREE');
    const spender = await addCustomer(db);
    await spend(api, spender);
    const absent = `site_${'z'.repeat(20)}`;
    const tooLarge = 'x'.repeat(65_537);
    const steps: [code: string, method: string, path: string, key: string | null, body?: string][] = [
      ['not_found', 'GET', `${theirs.id}/runs/0/`, null],
      ['method_not_allowed', 'DELETE', `${theirs.id}/runs/0`, null],
      ['invalid_api_key', 'GET', `${theirs.id}/runs/0`, newApiKey()],
      ['plan_without_api', 'GET', `${theirs.id}/runs/0`, free.key],
      ['monthly_quota_exceeded', 'GET', `${theirs.id}/runs/0`, spender.key],
      ['monthly_quota_exceeded', 'POST', `${theirs.id}/runs`, spender.key, tooLarge],
      ['invalid_run_number', 'GET', `${theirs.id}/runs/0`, key],
      ['invalid_run_number', 'GET', `${absent}/runs/0`, key],
      ['payload_too_large', 'POST', `${theirs.id}/runs`, key, tooLarge],
      ['payload_too_large', 'POST', `${absent}/runs`, key, tooLarge],
      ['payload_too_large', 'POST', `${unverified.id}/runs`, key, tooLarge],
      ['site_not_owned', 'GET', `${theirs.id}/runs/1`, key],
      ['site_not_owned', 'GET', `${theirs.id}/runs/latest`, key],
      ['domain_not_verified', 'POST', `${unverified.id}/runs`, key],
    ];
    for (const [code, method, path, bearer, body] of steps) {
      const headers: Record<string, string> = bearer === null ? {} : { Authorization: `Bearer ${bearer}` };
      const request = { method, headers, ...(body === undefined ? {} : { body }) };
      t.equal(codeOf(await api.send(`/api/v1/sites/${path}`, request)), code, `${method} ${path}`);
    }
  });

  t.test('changes during a run', async (t) => {
    const db = await engine.openDb(t);
    let change: () => Promise<unknown> = () => Promise.resolve();
    const api = await startLiveApi(t, db, null, async () => {
      await change();
      return scanReport();
    });
    const deps = { db, clock: new TestClock() };
    const start = async (customer: Awaited<ReturnType<typeof addCustomer>>) => {
      const headers = { Authorization: `Bearer ${customer.key}` };
      const answer = await api.send(`/api/v1/sites/${customer.site.id}/runs`, { method: 'POST', headers });
      expectContract(t, 'createRun', answer);
      return answer;
    };

    const keyLost = await addCustomer(db);
    const [apiKey] = await createKeys(deps).list(keyLost.account.id);
    change = () => createKeys(deps).revoke(apiKey?.id ?? '');
    t.equal((await start(keyLost)).status, 201, 'a key that is revoked had its run admitted');
    t.equal((await start(keyLost)).status, 401, 'and has no other');

    const planLost = await addCustomer(db);
    change = () => createAccounts({ ...deps }).setPlan(planLost.account.id, 'FREE');
    t.equal((await start(planLost)).status, 201, 'so had a plan that is lowered');
    t.equal((await start(planLost)).status, 403);

    const siteLost = await addCustomer(db);
    change = () => createSiteRemoval({ ...deps }).remove(siteLost.site.id);
    const gone = await start(siteLost);
    t.equal(codeOf(gone), 'site_not_found', 'a site that is removed is not there any more');
    t.equal(remaining(gone), 10_000, 'and the charge is given back');

    const reader = await addCustomer(db);
    const seen: HttpAnswer[] = [];
    change = async () => {
      const headers = { Authorization: `Bearer ${reader.key}` };
      seen.push(await api.send(`/api/v1/sites/${reader.site.id}/runs/latest`, { headers }));
    };
    await start(reader);
    await start(reader);
    t.equal(seen[0] && codeOf(seen[0]), 'no_completed_run', 'a run that goes on is not a run yet');
    t.match(JSON.parse(seen[1]?.text ?? ''), { run: { number: 1 } }, 'nor is it the latest');
  });
});

onEachDatabase(async (t, engine) => {
  t.test('one statement admits and charges a read, and finds the run too on PostgreSQL', async (t) => {
    const asked: string[] = [];
    const watched = await openDatabase(await engine.newMigratedUrl(t), (kind) => asked.push(kind));
    t.teardown(() => watched.close());
    const { start, read } = await openCustomerApi(t, watched);
    // Otherwise the time of its last use would be written too, once a minute and alongside the request.
    await updateRows(watched, 'api_keys', {}, { last_used_at: new TestClock().now().toISOString() });
    await start();
    // The first read of all asks for the texts of the registry, too.
    await read('1');
    for (const end of ['1', 'latest']) {
      asked.length = 0;
      t.equal((await read(end)).status, 200);
      t.same(asked, engine.name === 'postgres' ? ['write'] : ['write', 'read'], end);
    }
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
