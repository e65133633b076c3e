import type { Test } from 'tap';
import { addSite, scanReport } from '../support/accounts.js';
import { addCustomer } from '../support/api.js';
import { onEachDatabase, type TestEngine } from '../support/databases.js';
import { codeOf, type HttpAnswer } from '../support/http-client.js';
import { openCustomerApi } from './customer-api.js';

/** Seconds from noon of 15 March to the end of the month, and of the day. */
const TO_MONTH_END = 1_425_600;
const TO_DAY_END = 43_200;

function limitsOf({ headers }: HttpAnswer) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, text]) => (name.includes('ratelimit') ? [[name, text]] : [])),
  );
}

/** Returns the headers for the remaining requests and, where known, the remaining runs of the day. */
function limits(remaining: number, runs?: number, quota = 10_000) {
  const day = runs === undefined ? ['', ''] : [', "day";q=5;w=86400', `, "day";r=${runs};t=${TO_DAY_END}`];
  return {
    'x-ratelimit-limit': String(quota),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(TO_MONTH_END),
    'ratelimit-policy': `"month";q=${quota};w=2678400${day[0]}`,
    ratelimit: `"month";r=${remaining};t=${TO_MONTH_END}${day[1]}`,
  };
}

async function prepare(t: Test, engine: TestEngine, quota: number | null = null) {
  let scan = async () => scanReport();
  const api = await openCustomerApi(t, await engine.openDb(t), { quota, scan: () => scan() });
  return { ...api, onScan: (act: typeof scan) => void (scan = act) };
}

onEachDatabase(async (t, engine) => {
  t.test('every response after admission has the limits of the month, and createRun those of the day', async (t) => {
    const { db, account, start, read, onScan } = await prepare(t, engine);
    const { site: theirs } = await addCustomer(db);
    const unverified = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    const retry = { headers: { 'Idempotency-Key': 'build-1' } };
    const first = await start(retry);
    t.same(limitsOf(first), limits(9999, 4));
    t.same(limitsOf(await start(retry)), limits(9998, 4), 'a run that was known');
    t.same(limitsOf(await read()), limits(9997));
    t.same(limitsOf(await read('1', { 'If-None-Match': '*' })), limits(9996), 'a 304');
    t.same(limitsOf(await read('01')), limits(9995), 'a 400');
    t.same(limitsOf(await read('7')), limits(9994), 'a 404');
    t.same(limitsOf(await start({}, theirs.id)), limits(9993), 'a 403');
    t.same(limitsOf(await start({}, unverified.id)), limits(9992), 'a 409');
    t.same(limitsOf(await start({ body: 'x'.repeat(65_537) })), limits(9991), 'a 413');
    onScan(() => Promise.reject(new Error('a fault of ours')));
    t.same(limitsOf(await start()), limits(9991), 'a 500');
    onScan(async () => scanReport());
    for (const left of [3, 2, 1, 0]) t.same(limitsOf(await start()), limits(9987 + left, left));
    const refused = await start();
    t.equal(codeOf(refused), 'daily_runs_exceeded');
    t.same(limitsOf(refused), limits(9987, 0));
    t.equal(refused.headers['retry-after'], String(TO_DAY_END));
    t.same(limitsOf(await start(retry)), limits(9986, 0));
  });

  t.test('a spent quota has rate limit headers; a refusal before admission has none', async (t) => {
    const { send, db, path, start } = await prepare(t, engine, 1);
    // Not even a known Idempotency-Key gets past it.
    const retried = { headers: { 'Idempotency-Key': 'build-1' } };
    await start(retried);
    const spent = await start(retried);
    t.equal(codeOf(spent), 'monthly_quota_exceeded');
    t.same(limitsOf(spent), limits(0, undefined, 1));
    t.equal(spent.headers['retry-after'], String(TO_MONTH_END));
    const { key } = await addCustomer(db, 'FREE');
    for (const headers of [{}, { Authorization: 'Bearer ars_x' }, { Authorization: `Bearer ${key}` }])
      t.same(limitsOf(await send(path, { method: 'POST', headers })), {});
  });

  t.test('seconds count from the response to the end of the charged window', async (t) => {
    const { clock, start, onScan } = await prepare(t, engine);
    onScan(async () => (clock.set('2026-03-15T12:00:10.500Z'), scanReport()));
    t.match((await start()).headers, {
      'x-ratelimit-reset': '1425590',
      ratelimit: '"month";r=9999;t=1425590, "day";r=4;t=43190',
    });
    clock.set('2026-02-28T23:59:59.000Z');
    onScan(async () => (clock.set('2026-03-01T00:00:09.000Z'), scanReport()));
    t.match((await start()).headers, {
      'x-ratelimit-reset': '0',
      'ratelimit-policy': '"month";q=10000;w=2419200, "day";q=5;w=86400',
      ratelimit: '"month";r=9999;t=0, "day";r=4;t=0',
    });
  });
});
