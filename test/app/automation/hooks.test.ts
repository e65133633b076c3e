import type { Test } from 'tap';
import { ServiceError } from '../../../src/platform/errors.js';
import { createHook, createHookApp } from '../../../src/app/automation/deploy-hooks.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { labelFromPayload, type RunLabel } from '../../../src/app/runs/run.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { DOCUMENT } from '../../support/contract.js';
import { onSqlite } from '../../support/databases.js';
import { dailyRunsRow } from '../../support/daily-runs.js';
import { finishRun } from '../../support/finish-run.js';
import { codeOf, send } from '../../support/http-client.js';
import { insertRow, rowsOf } from '../../support/tables.js';
import { createTestLogger } from '../../support/test-logger.js';

const PUBLIC_URL = 'https://readiness.test';

/** Serves hooks on a free port of loopback until the test ends. @param served the database that calls use */
async function startHooks(t: Test, db: Database, { isVerified = true, served = db } = {}) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id, { isVerified });
  const token = await createHook({ db, clock }, { accountId: account.id, siteId: site.id });
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const { handle } = createHookApp({ db: served, clock, publicUrl: PUBLIC_URL, logger, lifecycle });
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return { port, site, account, token, path: `/hooks/deploy/${token}`, log };
}

const POST = { method: 'POST' } as const;

onSqlite(async (t, engine) => {
  t.test('a call is answered at once, with where to look', async (t) => {
    const { port, path, site, token } = await startHooks(t, await engine.openDb(t));
    const answer = await send(port, `${path}?wait=30`, POST);
    const address = `${PUBLIC_URL}/hooks/deploy/${token}`;
    t.equal(answer.status, 202);
    t.same(JSON.parse(answer.text), {
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
    const { state, latest } = JSON.parse((await send(port, path)).text) as Record<string, unknown>;
    for (const name of Object.keys({ ...(JSON.parse(answer.text) as object), state, latest })) {
      t.match(DOCUMENT.info.description, `\`${name}\``, 'the public reference describes it');
    }
    t.match(answer.headers, {
      location: address,
      'content-type': /^application\/json/,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': /^[\w-]{36}$/,
    });
  });

  t.test('a GET of the same address returns the state of the run', async (t) => {
    const { port, path } = await startHooks(t, await engine.openDb(t));
    t.same(JSON.parse((await send(port, path)).text), { state: 'idle', latest: null });
    await send(port, path, POST);
    const { status, headers, text } = await send(port, path);
    t.equal(status, 200);
    t.same(JSON.parse(text), { state: 'waiting', latest: null });
    t.equal(headers['cache-control'], 'no-store');
    const head = await send(port, path, { method: 'HEAD' });
    t.equal(head.status, 200);
    t.equal(head.text, '');
    t.equal(head.headers['content-length'], headers['content-length']);
  });

  t.test('wait is an integer from 0 to 600 seconds, 10 unless it is given', async (t) => {
    const db = await engine.openDb(t);
    const { port, path, site, account } = await startHooks(t, db);
    await finishRun({ db, clock: new TestClock() }, { accountId: account.id, siteId: site.id }, []);
    // A later call never moves the run to an earlier time.
    const good: [query: string, seconds: number][] = [
      ['?wait=0', 0],
      ['', 10],
      ['?other=1', 10],
      ['?wait=%330', 30],
      ['?wait=600', 600],
    ];
    for (const [query, seconds] of good) {
      const answer = await send(port, path + query, POST);
      t.equal(answer.status, 202, query);
      const runAfter = new Date(Date.parse('2026-03-15T12:00:00.000Z') + seconds * 1000).toISOString();
      t.match(JSON.parse(answer.text), { runAfter, after: 1 }, query);
    }
    for (const query of [
      '?wait=',
      '?wait=601',
      '?wait=-1',
      '?wait=1.5',
      '?wait=010',
      '?wait=1e2',
      '?wait=1&wait=1',
      '?wait=x',
    ]) {
      const answer = await send(port, path + query, POST);
      t.equal(answer.status, 400, query);
      t.equal(codeOf(answer), 'invalid_wait', query);
      t.match(answer.text, / 0 .* 600/);
    }
  });

  t.test('commit and label name the deployment, shortened if needed; no call is refused for them', async (t) => {
    const db = await engine.openDb(t);
    const { port, path } = await startHooks(t, db);
    const hundred = 'x'.repeat(100);
    const cases: [query: string, label: RunLabel | null][] = [
      ['?commit=4f2a1c9&label=v2.3%20(beta)', { commit: '4f2a1c9', label: 'v2.3 (beta)' }],
      [`?commit=&label=%20${hundred}y`, { commit: null, label: hundred }],
      ['?label=v%C3%BC%0A2&commit=%20', { commit: null, label: 'v 2' }],
      ['', { commit: null, label: null }],
    ];
    for (const [query, label] of cases) {
      t.equal((await send(port, path + query, POST)).status, 202, query);
      const [job] = (await rowsOf(db, 'jobs')) as { payload: string }[];
      t.same(labelFromPayload(job?.payload ?? null, new Date('2026-03-16')), label, query);
    }
  });

  t.test('the body is ignored, unless it is larger than 64 KiB', async (t) => {
    const { port, path } = await startHooks(t, await engine.openDb(t));
    const bodies = ['', '{"wait":500}', 'not JSON', [Buffer.alloc(30_000), Buffer.alloc(30_000)]];
    for (const body of bodies) t.equal((await send(port, path, { ...POST, body })).status, 202);
    for (const body of ['x'.repeat(65_537), [Buffer.alloc(40_000), Buffer.alloc(40_000)]]) {
      const answer = await send(port, path, { ...POST, body });
      t.equal(answer.status, 413);
      t.equal(codeOf(answer), 'payload_too_large');
    }
  });

  t.test('an unknown address is not found, by any method', async (t) => {
    const { port, path } = await startHooks(t, await engine.openDb(t));
    const paths = [
      ...['/hooks', '/hooks/', '/hooks/deploy', '/hooks/deploy/', '/hooks/other/x', `${path}/`, `${path}/x`],
      ...[`/hooks/deploy/${'A'.repeat(43)}`, '/hooks/deploy/x', '/hooks/deploy/%00', '/hooks/deploy/%'],
    ];
    for (const unknown of paths) {
      for (const method of ['GET', 'POST']) {
        const answer = await send(port, unknown, { method });
        t.equal(answer.status, 404, `${method} ${unknown}`);
        t.equal(codeOf(answer), 'not_found', unknown);
      }
    }
  });

  t.test('other methods get the list of allowed methods', async (t) => {
    const { port, path } = await startHooks(t, await engine.openDb(t));
    const options = await send(port, path, { method: 'OPTIONS' });
    t.equal(options.status, 204);
    t.equal(options.headers.allow, 'GET, HEAD, POST, OPTIONS');
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await send(port, path, { method });
      t.equal(answer.status, 405, method);
      t.equal(answer.headers.allow, 'GET, HEAD, POST, OPTIONS');
      t.equal(codeOf(answer), 'method_not_allowed');
    }
  });

  t.test('refusals have their code and Retry-After', async (t) => {
    const fails = (error: Error) => (db: Database) => failWhen(db, () => true, error);
    const cases: [status: number, code: string, retryAfter: string | undefined, serve: (db: Database) => Database][] = [
      [429, 'daily_runs_exceeded', '43200', (db) => db],
      [503, 'overloaded', '5', fails(new ServiceError('overloaded'))],
      [500, 'internal_error', undefined, fails(new Error('a secret of ours'))],
    ];
    for (const [status, code, retryAfter, serve] of cases) {
      const db = await engine.openDb(t);
      const { port, path, account } = await startHooks(t, db, { served: serve(db) });
      await insertRow(db, 'rate_windows', dailyRunsRow(account.id, 'shop.example.com', 'POST_DEPLOY', 24));
      const answer = await send(port, path, POST);
      t.equal(answer.status, status);
      t.equal(codeOf(answer), code);
      t.equal(answer.headers['retry-after'], retryAfter);
      t.notMatch(answer.text, 'a secret of ours');
    }
    const { port, path } = await startHooks(t, await engine.openDb(t), { isVerified: false });
    const answer = await send(port, path, POST);
    t.equal(answer.status, 409);
    t.equal(codeOf(answer), 'domain_not_verified');
  });

  t.test('no log line contains the secret', async (t) => {
    const { port, path, token, log } = await startHooks(t, await engine.openDb(t));
    for (const method of ['POST', 'GET', 'DELETE']) await send(port, path, { method });
    await send(port, `${path}?wait=x`, POST);
    await send(port, `${path}/x`, POST);
    t.match(log[0], { route: '/hooks/deploy/{token}' });
    t.notOk(JSON.stringify(log).includes(token));
  });
});
