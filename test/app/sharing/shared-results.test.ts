import { ResultPreviewHandler } from '../../../src/app/sharing/preview-handlers.js';
import type { SharedReport } from '../../../src/app/sharing/shared-report.js';
import { cleanUpSharedResults } from '../../../src/app/sharing/shared-result-statements.js';
import { SharedResults } from '../../../src/app/sharing/shared-results.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import type { Database } from '../../../src/store/database.js';
import { TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { jobsOf, TestWorker } from '../../support/queue.js';
import { rowsOf } from '../../support/tables.js';

const CLIENT = '192.0.2.1';

function resultOf(hostname: string, finishedAt = '2026-03-15T11:59:00.000Z'): SharedReport {
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'PASS' })];
  return { hostname, origin: `https://${hostname}`, score: 72, finishedAt, findings, gains: [] };
}

function prepare(db: Database) {
  const clock = new TestClock();
  const draw = ({ hostname }: SharedReport) => Promise.resolve(Buffer.from(`picture of ${hostname}`));
  const handlers = { RESULT_PREVIEW: new ResultPreviewHandler({ db, clock, draw }) };
  return {
    clock,
    results: new SharedResults({ db, clock, rateLimits: createRateLimits({ db, clock }) }),
    worker: new TestWorker([{ name: 'previews', concurrency: 1, handlers }], { db, clock }),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a result that is shared is there for seven days, with its preview, and then gone', async (t) => {
    const db = await engine.openDb(t);
    const { results, worker, clock } = prepare(db);
    const token = await results.share(resultOf('shop.example.com'), CLIENT);
    const found = await results.find(token);
    t.same(found, { report: resultOf('shop.example.com'), expiresAt: '2026-03-22T12:00:00.000Z', pictureTag: null });
    t.equal(await results.picture(token), null);
    await worker.performAll();
    t.equal(Buffer.from((await results.picture(token))?.png ?? []).toString(), 'picture of shop.example.com');
    clock.set('2026-03-22T11:59:59.000Z');
    await db.run(cleanUpSharedResults(clock.now()));
    t.ok(await results.find(token));
    clock.set('2026-03-22T12:00:00.000Z');
    t.equal(await results.find(token), null, 'before it is cleaned up, too');
    t.equal(await results.picture(token), null);
    await db.run(cleanUpSharedResults(clock.now()));
    t.same(await rowsOf(db, 'shared_results'), []);
    for (const other of ['A'.repeat(43), '', 'x']) t.equal(await results.find(other), null);
  });

  t.test('one result has one address, whoever shares it, and counts once', async (t) => {
    const db = await engine.openDb(t);
    const { results } = prepare(db);
    const shared = resultOf('shop.example.com');
    const all = await Promise.all(Array.from({ length: 8 }, () => results.share(shared, CLIENT)));
    t.equal(new Set(all).size, 1);
    t.equal((await jobsOf(db, 'previews')).length, 1);
    t.not(await results.share(resultOf('shop.example.com', '2026-03-15T11:00:00.000Z'), CLIENT), all[0]);
  });

  t.test('an address shares ten results an hour, everybody a hundred', async (t) => {
    const { results, clock } = prepare(await engine.openDb(t));
    const share = (count: number, from: string) => results.share(resultOf(`s${count}.example.com`), from);
    for (let count = 0; count < 10; count += 1) await share(count, '2001:db8::1');
    await t.rejects(share(10, '2001:db8::2'), { name: 'TooSoonError', retryAfterS: 3600 }, 'of the same /64');
    await share(0, '2001:db8::2');
    for (let count = 10; count < 100; count += 1) await share(count, `192.0.2.${count}`);
    await t.rejects(share(100, '198.51.100.1'), { name: 'TooSoonError', message: /^Others/ });
    clock.set('2026-03-15T13:00:00.000Z');
    await share(100, '2001:db8::1');
  });
});
