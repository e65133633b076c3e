import type { Test } from 'tap';
import { createHook, createHookApp, readHook } from '../../../src/app/automation/deploy-hooks.js';
import type { RunRow } from '../../../src/app/runs/run-rows.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { onJobsAdded } from '../../../src/queue/jobs.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { DOCUMENT } from '../../support/contract.js';
import { usedRuns } from '../../support/daily-runs.js';
import { onEitherDatabase } from '../../support/databases.js';
import { codeOf, type HttpRequest, send } from '../../support/http-client.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { rowsOf } from '../../support/tables.js';
import { createTestLogger } from '../../support/test-logger.js';

const PUBLIC_URL = 'https://readiness.test';
const NOW_MS = Date.parse('2026-03-15T12:00:00.000Z');
const HUNDRED = 'x'.repeat(100);

/** Serves the hook of a site on a free port of loopback until the test ends. @param served the database that calls use */
async function start(t: Test, db: Database, { isVerified = true, served = db } = {}) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id, { isVerified });
  const at = { accountId: account.id, siteId: site.id };
  const create = () => createHook({ db, clock }, at);
  const token = await create();
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const { handle } = createHookApp({ db: served, clock, publicUrl: PUBLIC_URL, logger, lifecycle });
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  const scan = { during: () => Promise.resolve() };
  const worker = createRunWorker({ db, clock, scan: () => scan.during().then(() => scanReport()) });
  const path = `/hooks/deploy/${token}`;
  const ask = (method: string, query = '', more: HttpRequest = {}) => send(port, path + query, { method, ...more });
  return {
    ...{ port, site, at, token, path, log, clock, create, scan, ask },
    /** Calls the hook, which accepts it. */
    async call(query = '?wait=0') {
      const { status, text } = await ask('POST', query);
      t.equal(status, 202, query);
      return JSON.parse(text) as Readonly<Record<string, unknown>>;
    },
    state: async () => JSON.parse((await ask('GET')).text) as Readonly<Record<string, unknown>>,
    jobs: () => jobsOf(db),
    used: async () => (await usedRuns(db)).filter(({ trigger }) => trigger === 'POST_DEPLOY').at(-1)?.used ?? 0,
    /** Performs what is due after this time. */
    async perform(afterMs = 1000) {
      clock.time = new Date(clock.time.getTime() + afterMs);
      await worker.performDue();
    },
    /** Returns the commit and label of each run that has one. */
    async names() {
      const rows = (await rowsOf(db, 'runs')) as RunRow[];
      const named = rows.filter(({ label, commit_id }) => label !== null || commit_id !== null);
      return Object.fromEntries(named.map(({ number, label, commit_id }) => [number, [commit_id, label]]));
    },
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a call queues a run, and the address returns its state', async (t) => {
    const db = await engine.openDb(t);
    const { ask, call, state, perform, site, token } = await start(t, db);
    const announced: string[] = [];
    onJobsAdded(db, 'runs', () => announced.push('runs'));
    t.same(await state(), { state: 'idle', latest: null });
    t.same(await readHook(db, site.id), { createdAt: '2026-03-15T12:00:00.000Z', lastUsedAt: null });
    const answer = await ask('POST', '?wait=30');
    const body = JSON.parse(answer.text) as object;
    t.equal(answer.status, 202);
    t.same(body, {
      status: 'queued',
      site: { id: site.id, hostname: 'shop.example.com' },
      runAfter: '2026-03-15T12:00:30.000Z',
      after: 0,
      lookAt: {
        page: `${PUBLIC_URL}/sites/${site.id}`,
        latest: `${PUBLIC_URL}/api/v1/sites/${site.id}/runs/latest`,
      },
    });
    t.notMatch(answer.text, token, 'pipelines print the body');
    t.match(answer.headers, {
      location: `${PUBLIC_URL}/hooks/deploy/${token}`,
      'content-type': /^application\/json/,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': /^[\w-]{36}$/,
    });
    t.same(announced, ['runs'], 'workers are notified');
    const waiting = await ask('GET');
    t.same(JSON.parse(waiting.text), { state: 'waiting', latest: null });
    for (const name of Object.keys({ ...body, ...(JSON.parse(waiting.text) as object) })) {
      t.match(DOCUMENT.info.description, `\`${name}\``, 'the public reference describes it');
    }
    const head = await ask('HEAD');
    t.match(head, { status: 200, text: '' });
    t.equal(head.headers['content-length'], waiting.headers['content-length']);
    await perform(30_000);
    const run = { number: 1, score: 100, trigger: 'POST_DEPLOY', finishedAt: '2026-03-15T12:00:30.000Z', failures: [] };
    t.same(await state(), { state: 'idle', latest: run });
    t.match(await call(), { after: 1 });
  });

  t.test('wait is an integer from 0 to 600 seconds, 10 unless it is given', async (t) => {
    const { ask, call } = await start(t, await engine.openDb(t));
    // A later call never moves the run to an earlier time.
    for (const [query, seconds] of Object.entries({ '?wait=0': 0, '': 10, '?wait=%330': 30, '?wait=600': 600 })) {
      t.match(await call(query), { runAfter: new Date(NOW_MS + seconds * 1000).toISOString() }, query);
    }
    for (const wait of ['', '601', '-1', '1.5', '010', '1e2', '1&wait=1', 'x']) {
      const answer = await ask('POST', `?wait=${wait}`);
      t.match([answer.status, codeOf(answer), answer.text], [400, 'invalid_wait', / 0 .* 600/], wait);
    }
  });

  t.test('commit and label name the run of the last deployment that is live, shortened if needed', async (t) => {
    const { call, perform, names, scan, jobs, clock } = await start(t, await engine.openDb(t));
    await call('?wait=0&label=v1');
    await call('?wait=0&commit=4f2a1c9&label=v2.3%20(beta)');
    scan.during = async () => {
      scan.during = () => Promise.resolve();
      await call(`?wait=0&commit=&label=%20${HUNDRED}y`);
    };
    await perform();
    await perform();
    t.same(await names(), { 1: ['4f2a1c9', 'v2.3 (beta)'], 2: [null, HUNDRED] }, 'a call during a run names the next');
    await call('?wait=0&label=v%C3%BC%0A2&commit=%20');
    await perform();
    t.same((await names())[3], [null, 'v 2']);
    await call('?wait=0&label=v4');
    await call('?wait=0');
    await perform();
    t.equal((await names())[4], undefined, 'a deployment without a name leaves the run without one');
    await call('?wait=0&label=v5');
    clock.time = new Date(clock.time.getTime() + 1000);
    await call('?wait=600&label=v6');
    await perform(0);
    t.equal((await names())[5], undefined, 'the last call is not live yet');
    await call('?wait=10&label=v7');
    await perform(601_000);
    t.same((await names())[6], [null, 'v7']);
    t.same(await jobs(), []);
  });

  t.test('a run starts after each deployment is live, whatever is queued', async (t) => {
    const { call, clock, jobs, used, perform } = await start(t, await engine.openDb(t));
    const callFor = async (waitS: number) => {
      const runAfter = new Date(clock.now().getTime() + waitS * 1000).toISOString();
      t.match(await call(`?wait=${waitS}`), { runAfter }, `a deployment that is live in ${waitS} s`);
    };
    await callFor(600);
    clock.set('2026-03-15T12:00:30.000Z');
    await callFor(600);
    t.match(await jobs(), [{ run_after: '2026-03-15T12:10:00.000Z', again_after: '2026-03-15T12:10:30.000Z' }]);
    t.equal(await used(), 2, 'the first cannot be postponed further, so another follows');
    clock.set('2026-03-15T12:10:00.000Z');
    await perform(0);
    t.match(await jobs(), [{ run_after: '2026-03-15T12:10:30.000Z', again_after: null }]);
    clock.set('2026-03-15T12:10:10.000Z');
    await callFor(60);
    t.equal(await used(), 2, 'and can be postponed');
    t.match(await jobs(), [{ run_after: '2026-03-15T12:11:10.000Z' }]);
  });

  t.test('a site has 24 runs of its hook a day; calls that join a waiting run are not counted', async (t) => {
    const { ask, call, clock, jobs, used, perform } = await start(t, await engine.openDb(t));
    await Promise.all(Array.from({ length: 30 }, () => call('?wait=10')));
    t.equal((await jobs()).length, 1);
    for (let count = 1; count < 24; count += 1) {
      await perform(10_000);
      await Promise.all([call(), call()]);
    }
    await perform();
    t.equal(await used(), 24);
    const refused = await ask('POST', '?wait=0');
    t.match([refused.status, codeOf(refused)], [429, 'daily_runs_exceeded']);
    t.equal(refused.headers['retry-after'], String(43_200 - 231), 'until the next day');
    t.match(refused.text, 'Deploy hooks have started 24 runs of this site today');
    t.same(await jobs(), [], 'a refused call queues nothing');
    clock.set('2026-03-16T00:00:00.000Z');
    await call();
    t.equal(await used(), 1);
  });

  t.test('the secret is stored as a digest; a new one replaces the old', async (t) => {
    const db = await engine.openDb(t);
    const { ask, call, create, token, at, clock, port } = await start(t, db);
    await call();
    clock.set('2026-03-15T12:01:00.000Z');
    const second = await create();
    t.match(second, /^[\w-]{43}$/);
    t.same(await readHook(db, at.siteId), { createdAt: '2026-03-15T12:01:00.000Z', lastUsedAt: null });
    for (const method of ['GET', 'POST']) t.equal((await ask(method)).status, 404);
    t.equal((await send(port, `/hooks/deploy/${second}`, { method: 'POST' })).status, 202);
    t.notMatch(JSON.stringify(await rowsOf(db, 'deploy_hooks')), new RegExp(`${token}|${second}`));
  });

  t.test('the body is ignored, unless it is larger than 64 KiB', async (t) => {
    const { ask } = await start(t, await engine.openDb(t));
    const bodies = ['', '{"wait":500}', 'not JSON', [Buffer.alloc(30_000), Buffer.alloc(30_000)]];
    for (const body of bodies) t.equal((await ask('POST', '', { body })).status, 202);
    for (const body of ['x'.repeat(65_537), [Buffer.alloc(40_000), Buffer.alloc(40_000)]]) {
      const answer = await ask('POST', '', { body });
      t.match([answer.status, codeOf(answer)], [413, 'payload_too_large']);
    }
  });

  t.test('unknown addresses and methods', async (t) => {
    const { port, path, ask } = await start(t, await engine.openDb(t));
    const paths = [
      ...['/hooks', '/hooks/', '/hooks/deploy', '/hooks/deploy/', '/hooks/other/x', `${path}/`, `${path}/x`],
      ...[`/hooks/deploy/${'A'.repeat(43)}`, '/hooks/deploy/x', '/hooks/deploy/%00', '/hooks/deploy/%'],
    ];
    for (const unknown of paths) {
      for (const method of ['GET', 'POST']) {
        const answer = await send(port, unknown, { method });
        t.match([answer.status, codeOf(answer)], [404, 'not_found'], `${method} ${unknown}`);
      }
    }
    const allow = 'GET, HEAD, POST, OPTIONS';
    t.match(await ask('OPTIONS'), { status: 204, headers: { allow } });
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await ask(method);
      t.match(answer, { status: 405, headers: { allow } }, method);
      t.equal(codeOf(answer), 'method_not_allowed');
    }
  });

  t.test('an unverified site and faults of ours', async (t) => {
    const cases: [code: string, status: number, retryAfter?: string | undefined, fault?: Error][] = [
      ['domain_not_verified', 409],
      ['overloaded', 503, '5', new ServiceError('overloaded')],
      ['internal_error', 500, undefined, new Error('a secret of ours')],
    ];
    for (const [code, status, retryAfter, fault] of cases) {
      const db = await engine.openDb(t);
      const served = fault ? failWhen(db, () => true, fault) : db;
      const { ask, jobs } = await start(t, db, { isVerified: fault !== undefined, served });
      const answer = await ask('POST');
      t.match([answer.status, codeOf(answer)], [status, code]);
      t.equal(answer.headers['retry-after'], retryAfter, code);
      t.notMatch(answer.text, 'a secret of ours');
      t.same(await jobs(), []);
    }
  });

  t.test('no log line contains the secret', async (t) => {
    const { ask, token, log } = await start(t, await engine.openDb(t));
    for (const method of ['POST', 'GET', 'DELETE']) await ask(method);
    for (const rest of ['?wait=x', '/x']) await ask('POST', rest);
    t.match(log[0], { route: '/hooks/deploy/{token}' });
    t.notOk(JSON.stringify(log).includes(token));
  });
});
