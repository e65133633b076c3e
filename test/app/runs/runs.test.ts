import { siteRemoval } from '../../support/removal.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { newId } from '../../../src/platform/ids.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { OutOfSlots } from '../../../src/scanner/artifacts/out-of-resources.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { refuseOverload } from '../../../src/wiring/services.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, scanReport, TestClock, textOf } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { openRuns } from '../../support/run-scene.js';

const usedRuns = defineQuery<{ used: number }, { day: string }>((sql, { day }) =>
  sql('run_budgets').where({ day, trigger: 'API' }).select('used'),
);

/** An account that has had so many runs: the counter of one that is there takes no leap. */
const insertOldAccount = defineQuery<never, { id: string; runs: number }>((sql, { id, runs }) =>
  sql('accounts').insert({
    ...{ id, email: 'old@example.com', name: 'Old', plan: 'MONITOR', created_at: '2020-01-01T00:00:00.000Z' },
    reference_counter: runs,
  }),
);

function removeSite(db: Database, siteId: string) {
  return siteRemoval({ db, clock: new TestClock() }).remove(siteId);
}

onEachDatabase(async (t, engine) => {
  t.test('a started run is stored and read back byte for byte', async (t) => {
    const db = await engine.openDb(t);
    const { runs, site, at, start } = await openRuns(db);
    const stored = await start();
    const { findings } = scanReport();
    t.same(JSON.parse(textOf(stored.body)), {
      site: { id: site.id, hostname: 'shop.example.com' },
      run: {
        number: 1,
        reference: 'CR-000001',
        score: 100,
        trigger: 'API',
        startedAt: '2026-03-15T11:59:30.000Z',
        finishedAt: '2026-03-15T12:00:00.000Z',
      },
      findings,
    });
    t.match(stored.etag, /^"[\w-]{43}"$/);
    for (const read of [await runs.latest(at), await runs.byNumber({ ...at, number: 1 })]) {
      t.equal(read.siteId, site.id);
      t.equal(read.number, 1);
      t.equal(read.etag, stored.etag);
      t.ok(Buffer.from(stored.body).equals(read.body), 'the same bytes');
    }
  });

  t.test('a null score stays null', async (t) => {
    const db = await engine.openDb(t);
    const { start } = await openRuns(db, { scan: async () => scanReport(null) });
    const { run } = JSON.parse(textOf((await start()).body)) as RunResponse;
    t.equal(run.score, null);
    t.same(await db.run(defineQuery((sql) => sql('runs').select('score', 'number'))({})), [{ score: null, number: 1 }]);
  });

  t.test('the latest run is the one of the highest number', async (t) => {
    const db = await engine.openDb(t);
    const { runs, at, start } = await openRuns(db);
    await start();
    await start();
    t.equal((await runs.latest(at)).number, 2);
    t.equal((await runs.byNumber({ ...at, number: 1 })).number, 1);
  });

  t.test('numbers follow the order in which runs finish', async (t) => {
    const db = await engine.openDb(t);
    const finishes: (() => void)[] = [];
    const { start } = await openRuns(db, {
      scan: () => new Promise((resolve) => finishes.push(() => resolve(scanReport()))),
    });
    const runs = [start(), start()];
    while (finishes.length < 2) await new Promise((resolve) => setImmediate(resolve));
    finishes[1]?.();
    const second = await Promise.race(runs);
    t.equal(second.number, 1, 'the one that finishes first');
    finishes[0]?.();
    t.same((await Promise.all(runs)).map(({ number }) => number).sort(), [1, 2]);
  });

  t.test('refusals in their order', async (t) => {
    const db = await engine.openDb(t);
    const { runs, at } = await openRuns(db);
    const stranger = await addAccount(db);
    const unverified = await addSite(db, at.accountId, { hostname: 'new.example.com', isVerified: false });
    const absent = `site_${'a'.repeat(20)}`;
    const start = (accountId: string, siteId: string) => runs.start({ accountId, siteId, trigger: 'API' });
    const own = at.accountId;
    const cases: [name: string, call: () => Promise<unknown>, code: string][] = [
      ['start: an absent site', () => start(own, absent), 'site_not_found'],
      ['start: an id off its grammar', () => start(own, 'site_x'), 'site_not_found'],
      ['start: another account', () => start(stranger.id, at.siteId), 'site_not_owned'],
      ['start: another account, not verified', () => start(stranger.id, unverified.id), 'site_not_owned'],
      ['start: not verified', () => start(own, unverified.id), 'domain_not_verified'],
      ['latest: no run yet', () => runs.latest(at), 'no_completed_run'],
      ['latest: an absent site', () => runs.latest({ ...at, siteId: absent }), 'site_not_found'],
      ['latest: another account', () => runs.latest({ ...at, accountId: stranger.id }), 'site_not_owned'],
      ['byNumber: no such run', () => runs.byNumber({ ...at, number: 1 }), 'run_not_found'],
      ['byNumber: an absent site', () => runs.byNumber({ ...at, siteId: absent, number: 1 }), 'site_not_found'],
      [
        'byNumber: another account',
        () => runs.byNumber({ ...at, accountId: stranger.id, number: 1 }),
        'site_not_owned',
      ],
    ];
    for (const [name, call, code] of cases) await t.rejects(call(), { code }, name);
  });

  t.test('what cannot exist costs no query', async (t) => {
    const db = await engine.openDb(t);
    const { at } = await openRuns(db);
    const noQuery = () => Promise.reject(new Error('a query was made'));
    const runs = createRuns({
      db: { ...db, run: noQuery, transaction: noQuery },
      clock: new TestClock(),
      performRun: () => Promise.reject(new Error('a run was performed')),
    });
    for (const number of [2_147_483_648, 1e21, Infinity, NaN]) {
      await t.rejects(runs.byNumber({ ...at, number }), { code: 'run_not_found' }, String(number));
    }
    for (const siteId of ['', 'site_', `site_${'A'.repeat(20)}`, `key_${'a'.repeat(20)}`]) {
      await t.rejects(runs.latest({ ...at, siteId }), { code: 'site_not_found' }, siteId);
    }
  });

  t.test('of 30 starts at once with a budget of 5, exactly 5 run', async (t) => {
    const db = await engine.openDb(t);
    const { start, at } = await openRuns(db);
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => start()));
    const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.number] : []));
    t.same(numbers.sort(), [1, 2, 3, 4, 5], 'numbers without a gap');
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    t.equal(refused.length, 25);
    for (const error of refused) {
      t.match(error, { code: 'daily_runs_exceeded', retryAfterS: 43_200, isChargeReturned: true });
    }
    t.ok(at);
  });

  t.test('runs of a person have a budget of their own, scheduled ones none', async (t) => {
    const db = await engine.openDb(t);
    const { start } = await openRuns(db);
    for (let count = 0; count < 10; count += 1) await start('MANUAL');
    await t.rejects(start('MANUAL'), { code: 'daily_runs_exceeded' });
    for (let count = 0; count < 12; count += 1) await start('SCHEDULED');
    await start('API');
  });

  t.test('the budget starts again with the UTC day', async (t) => {
    const db = await engine.openDb(t);
    const { start, clock } = await openRuns(db);
    clock.set('2026-03-15T23:59:59.500Z');
    for (let count = 0; count < 5; count += 1) await start();
    await t.rejects(start(), { code: 'daily_runs_exceeded', retryAfterS: 1 });
    clock.set('2026-03-16T00:00:00.000Z');
    t.equal((await start()).number, 6);
  });

  t.test('a failure of ours gives the run back to the day that was charged', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock(new Date('2026-03-15T23:59:59.000Z'));
    const { start } = await openRuns(db, {
      clock,
      scan: async () => {
        clock.set('2026-03-16T00:00:10.000Z');
        throw new Error('a fault of ours');
      },
    });
    await t.rejects(start(), { message: 'a fault of ours' });
    t.same(await db.run(usedRuns({ day: '2026-03-15' })), [{ used: 0 }]);
    t.same(await db.run(usedRuns({ day: '2026-03-16' })), []);
  });

  t.test('a run that cannot be stored is given back to the day, when the database is back', async (t) => {
    const db = await engine.openDb(t);
    let isDown = false;
    const failing = failWhen(
      db,
      () => isDown,
      () => new ServiceError('overloaded', { cause: new NotConnected() }),
    );
    const { start, refunds } = await openRuns(failing, { scan: async () => ((isDown = true), scanReport()) });
    await t.rejects(start(), { code: 'overloaded' });
    isDown = false;
    t.same(await db.run(usedRuns({ day: '2026-03-15' })), [{ used: 1 }]);
    await refunds.settle();
    t.same(await db.run(usedRuns({ day: '2026-03-15' })), [{ used: 0 }]);
  });

  t.test('a start that finds no slot gives the run back', async (t) => {
    const db = await engine.openDb(t);
    const slots = new Slots(1);
    await slots.close();
    const { start } = await openRuns(db, { slots });
    await t.rejects(start(), { code: 'overloaded', isChargeReturned: true });
    t.same(await db.run(usedRuns({ day: '2026-03-15' })), [{ used: 0 }]);
  });

  t.test('a run that others starved is given back', async (t) => {
    const db = await engine.openDb(t);
    const { start } = await openRuns(db, { scan: () => refuseOverload(Promise.reject(new OutOfSlots())) });
    for (let time = 1; time <= 6; time += 1) {
      await t.rejects(start(), { code: 'overloaded', isChargeReturned: true });
      t.same(await db.run(usedRuns({ day: '2026-03-15' })), [{ used: 0 }]);
    }
  });

  t.test('a site that is removed while its scan runs: 404, and the charge is given back', async (t) => {
    const db = await engine.openDb(t);
    const prepared: { siteId?: string } = {};
    const { start, at, runs } = await openRuns(db, {
      scan: async () => {
        await removeSite(db, prepared.siteId ?? '');
        return scanReport();
      },
    });
    prepared.siteId = at.siteId;
    await t.rejects(start(), { code: 'site_not_found', isChargeReturned: true });
    await t.rejects(runs.latest(at), { code: 'site_not_found' });
  });

  t.test('a removed site takes its runs with it; added again it starts at 1 with a new id', async (t) => {
    const db = await engine.openDb(t);
    const { start, at, runs } = await openRuns(db);
    await start();
    await removeSite(db, at.siteId);
    await t.rejects(runs.byNumber({ ...at, number: 1 }), { code: 'site_not_found' });
    t.same(await db.run(defineQuery((sql) => sql('runs').select('number'))({})), []);
    const again = await addSite(db, at.accountId);
    t.not(again.id, at.siteId);
    t.equal((await runs.start({ ...at, siteId: again.id, trigger: 'API' })).number, 1);
  });

  t.test('the reference counts through the sites of an account, and starts again after 999999', async (t) => {
    const db = await engine.openDb(t);
    const { start, at, runs } = await openRuns(db);
    const other = await addSite(db, at.accountId, { hostname: 'blog.example.com' });
    const referenceOf = async (runs: Promise<{ body: Uint8Array }>) =>
      (JSON.parse(textOf((await runs).body)) as RunResponse).run.reference;
    t.equal(await referenceOf(start()), 'CR-000001');
    t.equal(await referenceOf(runs.start({ ...at, siteId: other.id, trigger: 'API' })), 'CR-000002');

    const old = newId('acc');
    await db.run(insertOldAccount({ id: old, runs: 999_998 }));
    const { id: siteId } = await addSite(db, old);
    const startOld = () => runs.start({ accountId: old, siteId, trigger: 'API' });
    t.equal(await referenceOf(startOld()), 'CR-999999');
    t.equal(await referenceOf(startOld()), 'CR-000001');
  });

  t.test('numbers have no gap when many runs finish at once on several sites', async (t) => {
    const db = await engine.openDb(t);
    const { start, at, runs } = await openRuns(db);
    const other = await addSite(db, at.accountId, { hostname: 'blog.example.com' });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 ? start('SCHEDULED') : runs.start({ ...at, siteId: other.id, trigger: 'SCHEDULED' }),
      ),
    );
    const stored = await db.run(storedNumbers({}));
    for (const siteId of [at.siteId, other.id]) {
      const numbers = stored.filter((run) => run.site_id === siteId).map(({ number }) => number);
      t.same(
        numbers,
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    }
    t.equal(new Set(stored.map(({ reference }) => reference)).size, 40, 'every reference once');
  });

  t.test('a transaction that fails leaves nothing: the next run takes the number', async (t) => {
    const db = await engine.openDb(t);
    let isBroken = true;
    const brokenReport = {
      ...scanReport(),
      findings: null,
      get score() {
        throw new Error('broken report');
      },
    };
    const { start } = await openRuns(db, {
      scan: async () => (isBroken ? (brokenReport as unknown as ScanReport) : scanReport()),
    });
    await t.rejects(start(), { message: 'broken report' });
    isBroken = false;
    const stored = await start();
    t.equal(stored.number, 1);
    t.equal((await db.one(storedNumbers({})))?.reference, 'CR-000001');
  });
});

const storedNumbers = defineQuery<{ site_id: string; number: number; reference: string }>((sql) =>
  sql('runs').select('site_id', 'number', 'reference').orderBy(['site_id', 'number']),
);
