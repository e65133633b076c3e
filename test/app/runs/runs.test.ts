import type { RunResponse } from '../../../src/app/runs/run.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { newId } from '../../../src/platform/ids.js';
import { Slots } from '../../../src/platform/slots.js';
import { OutOfSlots } from '../../../src/scanner/artifacts/resource.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { NotConnected } from '../../../src/store/database.js';
import { addSite, scanReport, TestClock, textOf } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { HeldTimers } from '../../support/held-timers.js';
import { openRuns } from '../../support/runs.js';
import { insertRow, rowsOf } from '../../support/tables.js';
import { usedRuns } from '../../support/daily-runs.js';

async function referenceOf(run: Promise<{ body: Uint8Array }>): Promise<string> {
  return (JSON.parse(textOf((await run).body)) as RunResponse).run.reference;
}

const TODAY = '2026-03-15';

onEachDatabase(async (t, engine) => {
  t.test('a started run is stored and read back byte for byte', async (t) => {
    const { runs, site, at, start } = await openRuns(await engine.openDb(t));
    const stored = await start();
    const [startedAt, finishedAt] = ['2026-03-15T11:59:30.000Z', '2026-03-15T12:00:00.000Z'];
    t.same(JSON.parse(textOf(stored.body)), {
      site: { id: site.id, hostname: 'shop.example.com' },
      run: { number: 1, reference: 'CR-000001', score: 100, trigger: 'API', startedAt, finishedAt },
      findings: scanReport().findings,
    });
    t.match(stored.etag, /^"[\w-]{43}"$/);
    for (const read of [await runs.read(at), await runs.read({ ...at, number: 1 })]) {
      t.match(read, { siteId: site.id, number: 1, etag: stored.etag });
      t.ok(Buffer.from(stored.body).equals(read.body), 'the same bytes');
    }
  });

  t.test('numbers follow the order in which runs finish', async (t) => {
    const held = new HeldScan();
    const { db, start } = await openRuns(await engine.openDb(t), { scan: held.scan });
    const runs = [start(), start()];
    await held.begun(2);
    held.started[1]?.finish(scanReport(null));
    const first = await Promise.race(runs);
    t.equal(first.number, 1, 'the one that finishes first');
    t.equal((JSON.parse(textOf(first.body)) as RunResponse).run.score, null, 'null is not zero');
    held.started[0]?.finish(scanReport(null));
    t.same((await Promise.all(runs)).map(({ number }) => number).sort(), [1, 2]);
    t.match(await rowsOf(db, 'runs'), [{ score: null }, { score: null }]);
  });

  t.test('of 30 starts at once, 5 run without a gap in numbers; each trigger has its own budget', async (t) => {
    const { db, start, at, runs } = await openRuns(await engine.openDb(t));
    const { id: siteId } = await addSite(db, at.accountId, { hostname: 'blog.example.com' });
    const ofOther = Array.from({ length: 20 }, () => runs.start({ ...at, siteId, trigger: 'SCHEDULED' }));
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => start()));
    const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.number] : []));
    t.same(numbers.sort(), [1, 2, 3, 4, 5]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    t.equal(refused.length, 25);
    for (const error of refused) {
      t.match(error, { code: 'daily_runs_exceeded', retryAfterS: 43_200, isChargeReturned: true });
    }
    for (let count = 0; count < 10; count += 1) await start('MANUAL');
    await t.rejects(start('MANUAL'), { code: 'daily_runs_exceeded' });
    await start('SCHEDULED');
    const others = (await Promise.all(ofOther)).map(({ number }) => number).sort((a, b) => a - b);
    t.same(others, [...Array(21).keys()].slice(1), 'those that finish on another site at the same time');
    const references = ((await rowsOf(db, 'runs')) as { reference: string }[]).map(({ reference }) => reference);
    t.equal(new Set(references).size, 5 + 10 + 1 + 20);
  });

  t.test('a failure of ours gives the run back to the day that was charged', async (t) => {
    const clock = new TestClock(new Date('2026-03-15T23:59:59.000Z'));
    const closed = new Slots(1);
    await closed.close();
    const failLate = (): Promise<ScanReport> => {
      clock.set('2026-03-16T00:00:10.000Z');
      throw new Error('a fault of ours');
    };
    for (const [about, options, refusal] of [
      ['no slot', { slots: closed }, { code: 'overloaded', isChargeReturned: true }],
      [
        'starved by others',
        { scan: () => Promise.reject(new ServiceError('overloaded', { cause: new OutOfSlots() })) },
        { code: 'overloaded', isChargeReturned: true },
      ],
      ['a fault, past midnight', { scan: failLate }, { message: 'a fault of ours' }],
    ] as const) {
      const { db, start } = await openRuns(await engine.openDb(t), { clock, ...options });
      await t.rejects(start(), refusal, about);
      t.same(await usedRuns(db), [{ trigger: 'API', day: TODAY, used: 0 }], about);
    }
  });

  t.test('a run that cannot be stored is given back to the day, when the database is back', async (t) => {
    const db = await engine.openDb(t);
    let isDown = false;
    const failing = failWhen(db, () => isDown, new ServiceError('overloaded', { cause: new NotConnected() }));
    const timers = new HeldTimers();
    const scan = async () => ((isDown = true), scanReport());
    const { start } = await openRuns(failing, { scan, startTimer: timers.start });
    await t.rejects(start(), { code: 'overloaded' });
    isDown = false;
    t.same(await usedRuns(db), [{ trigger: 'API', day: TODAY, used: 1 }]);
    await timers.settle();
    t.same(await usedRuns(db), [{ trigger: 'API', day: TODAY, used: 0 }]);
  });

  t.test('the reference counts through the sites of an account, and starts again after 999999', async (t) => {
    const { db, start, at, runs } = await openRuns(await engine.openDb(t));
    const other = await addSite(db, at.accountId, { hostname: 'blog.example.com' });
    t.equal(await referenceOf(start()), 'CR-000001');
    t.equal(await referenceOf(runs.start({ ...at, siteId: other.id, trigger: 'API' })), 'CR-000002');

    // The counter of an account that is there takes no leap.
    const old = newId('acc');
    const account = { id: old, email: 'old@example.com', name: 'Old', plan: 'MONITOR', created_at: '2020-01-01' };
    await insertRow(db, 'accounts', { ...account, reference_counter: 999_998 });
    const { id: siteId } = await addSite(db, old);
    for (const reference of ['CR-999999', 'CR-000001']) {
      t.equal(await referenceOf(runs.start({ accountId: old, siteId, trigger: 'API' })), reference);
    }
  });
});
