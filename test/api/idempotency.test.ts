import { request } from 'node:http';
import type { Test } from 'tap';
import type { RunRow } from '../../src/app/runs/run-rows.js';
import { onEachDatabase, type TestEngine } from '../support/databases.js';
import { HeldScan } from '../support/held-scan.js';
import { until } from '../support/held-timers.js';
import type { HttpRequest } from '../support/http-client.js';
import { rowsOf } from '../support/tables.js';
import { usedRuns } from '../support/daily-runs.js';
import { openCustomerApi } from './customer-api.js';

async function prepare(t: Test, engine: TestEngine, held?: HeldScan) {
  const db = await engine.openDb(t);
  const api = await openCustomerApi(t, db, held && { scan: () => held.scan(undefined as never) });
  return {
    ...api,
    start: (value: string, { headers, ...more }: HttpRequest = {}) =>
      api.start({ headers: { 'Idempotency-Key': value, ...headers }, ...more }),
    used: async () => ((await rowsOf(db, 'key_usage')) as { used: number }[])[0]?.used ?? 0,
  };
}

onEachDatabase(async (t, engine) => {
  t.test('X-Run-Label names a new run, and is in no response', async (t) => {
    const { db, start } = await prepare(t, engine);
    const named = (value: string) => ({ headers: { 'X-Run-Label': value } });
    const answer = await start('build-1', named(` v2.3 \u00fcber ${'x'.repeat(100)}`));
    t.equal(answer.status, 201);
    t.notMatch(answer.text, 'v2.3');
    t.equal((await start('build-1', named('v2.4'))).text, answer.text);
    t.equal((await start('build-2', named(' \u00fc '))).status, 201);
    const labels = (await rowsOf(db, 'runs')) as RunRow[];
    t.match(labels, [
      { label: `v2.3  ber ${'x'.repeat(90)}`, commit_id: null },
      { label: null, commit_id: null },
    ]);
  });

  t.test('a client that disconnects and retries five times gets one run', async (t) => {
    const held = new HeldScan();
    const { db, port, path, headers: own, start, used } = await prepare(t, engine, held);
    for (let count = 1; count <= 5; count += 1) {
      const headers = { ...own, 'Idempotency-Key': 'build-1' };
      const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
      outgoing.on('error', () => undefined);
      outgoing.end();
      await until(async () => (await used()) === count);
      await held.begun(1);
      outgoing.destroy();
    }
    const patient = start('build-1');
    await until(async () => (await used()) === 6);
    held.last.finish();
    const [answer, replay] = [await patient, await start('build-1')];
    t.equal(answer.status, 201);
    t.equal(replay.status, 201);
    t.equal(replay.text, answer.text);
    for (const { headers } of [answer, replay]) t.equal(headers['idempotent-replayed'], 'true', 'joined or stored');
    for (const name of ['etag', 'location', 'cache-control', 'content-type'])
      t.equal(replay.headers[name], answer.headers[name], name);
    t.same(
      [answer, replay].map(({ headers }) => headers['x-ratelimit-remaining']),
      ['9994', '9993'],
      'each counts',
    );
    t.equal(held.started.length, 1);
    t.equal((await rowsOf(db, 'runs')).length, 1);
    t.match(await usedRuns(db), [{ used: 1 }]);
  });

  t.test('any Idempotency-Key is accepted', async (t) => {
    const { db, start, log, path } = await prepare(t, engine);
    const latin = Array.from({ length: 128 }, (_, index) => String.fromCharCode(128 + index)).join('');
    const values = ['x'.repeat(12_000), 'x'.repeat(12_001), latin, '"a", "b"'];
    for (const [index, value] of values.entries()) {
      const location = `https://readiness.test${path}/${index + 1}`;
      for (const [answer, replayed] of [
        [await start(value), undefined],
        [await start(`  ${value}\t`), 'true'],
      ] as const) {
        t.match(answer, { status: 201, headers: { location } });
        t.equal(answer.headers['idempotent-replayed'], replayed, 'only the run of another request is a replay');
      }
    }
    t.equal((await rowsOf(db, 'idempotency_keys')).length, values.length);
    t.notMatch(JSON.stringify(log), /xxx/);
  });

  t.test('an empty Idempotency-Key counts as none, and other operations ignore it', async (t) => {
    const { db, read, start } = await prepare(t, engine);
    for (const [index, value] of ['', '  '].entries())
      t.match(JSON.parse((await start(value)).text), { run: { number: index + 1 } });
    const known = { 'Idempotency-Key': 'build-1' };
    for (const end of ['1', 'latest', '2']) t.equal((await read(end, known)).status, 200);
    t.same(await rowsOf(db, 'idempotency_keys'), []);
  });
});
