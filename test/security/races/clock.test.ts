import fc from 'fast-check';
import t from 'tap';
import { setSchedule, queueDueRuns } from '../../../src/app/automation/schedules.js';
import { Runs } from '../../../src/app/runs/runs.js';
import { secondsToNextUtcMonth, secondsUntil, utcDay, utcDayStart, utcMonth } from '../../../src/platform/clock.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { LEASE_MS } from '../../../src/queue/jobs.js';
import { addAccount, addKey, addSite, TestClock } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { usedRuns } from '../../support/daily-runs.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { createRunWorker, jobsOf, makeSchedulesDue } from '../../support/queue.js';
import { openServices } from '../../support/services.js';
import { rowsOf } from '../../support/tables.js';

const SECOND_MS = 1000;

t.test('a reported wait ends in the first second of the next day or month', async (t) => {
  const [min, max] = [new Date('2024-01-01T00:00:00Z'), new Date('2032-01-01T00:00:00Z')];
  const limits = [
    { secondsToNext: (now: Date) => secondsUntil(now, utcDayStart(now, 1)), nameOf: utcDay },
    { secondsToNext: secondsToNextUtcMonth, nameOf: utcMonth },
  ];
  const moment = fc.date({ min, max, noInvalidDate: true });
  fc.assert(
    fc.property(moment, fc.constantFrom(...limits), (now, { secondsToNext, nameOf }) => {
      const waitS = secondsToNext(now);
      const after = new Date(now.getTime() + waitS * SECOND_MS);
      const before = new Date(after.getTime() - SECOND_MS);
      return Number.isInteger(waitS) && waitS >= 1 && nameOf(after) > nameOf(now) && nameOf(before) === nameOf(now);
    }),
    { seed: 20_260_228 },
  );
  t.pass('at any moment');
});

onEachDatabase(async (t, engine) => {
  t.test('each day and month is charged for its own requests, also if a clock goes back', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock(new Date('2026-02-28T23:59:57.500Z'));
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    const authorization = `Bearer ${await addKey(db, accountId)}`;
    const held = new HeldScan();
    const { access, runs } = openServices(db, { clock, scan: held.scan, monthlyQuotaOverride: 2 });
    const begin = async () => {
      const ended = runs.start({ accountId, siteId, trigger: 'API' });
      await held.begun(held.started.length + 1);
      return { ended, scan: held.last };
    };
    const inHand = [];
    for (let count = 0; count < 5; count += 1) inHand.push(await begin());
    const early = await access.admit(authorization);
    clock.set('2026-03-01T00:00:01.000Z');
    inHand.push(await begin());
    await access.admit(authorization);
    await access.admit(authorization);
    clock.set('2026-02-28T23:59:58.250Z');
    const start = () => runs.start({ accountId, siteId, trigger: 'API' });
    await t.rejects(start(), { code: 'daily_runs_exceeded', retryAfterS: 2 }, 'the day of before is spent');
    t.match(await access.admit(authorization), { rateLimit: { remaining: 0 } });
    await t.rejects(access.admit(authorization), { code: 'monthly_quota_exceeded', retryAfterS: 2 });
    t.match(await early.refund(), { remaining: 1 });
    clock.set('2026-03-31T23:59:59.000Z');
    inHand[0]?.scan.fail(new Error('a fault of ours'));
    for (const { scan } of inHand) scan.finish();
    await Promise.allSettled(inHand.map(({ ended }) => ended));
    await t.rejects(access.admit(authorization), { code: 'monthly_quota_exceeded', retryAfterS: 1 });
    await access.settle();
    t.match(await usedRuns(db), [
      { day: '2026-02-28', used: 4 },
      { day: '2026-03-01', used: 1 },
    ]);
    const usage = (await rowsOf(db, 'key_usage')) as { month: string; used: number }[];
    t.strictSame(usage.map(({ month, used }) => `${month}: ${used}`).sort(), ['2026-02: 1', '2026-03: 2']);
  });

  t.test('a run that two workers perform, because their clocks differ, is stored once', async (t) => {
    for (const apartMs of [-90, -20, 20, 90].map((seconds) => seconds * SECOND_MS)) {
      const db = await engine.openDb(t);
      const clock = new TestClock();
      const other = new TestClock(new Date(clock.time.getTime() + apartMs));
      const { id: accountId } = await addAccount(db, 'MONITOR', clock);
      const { id: siteId } = await addSite(db, accountId);
      await setSchedule({ db, clock }, { accountId, siteId }, 'WEEKLY');
      await makeSchedulesDue(db);
      const held = new HeldScan();
      const first = createRunWorker({ db, clock, scan: held.scan });
      const second = createRunWorker({ db, clock: other, scan: held.scan });
      await queueDueRuns({ db, clock });
      const performed: Promise<unknown>[] = [first.performDue()];
      await held.begun(1);
      other.time = new Date(other.time.getTime() + LEASE_MS - 10 * SECOND_MS);
      const lost = await second.claim();
      t.equal(lost.length, apartMs >= 10 * SECOND_MS ? 1 : 0, 'a clock that is ahead ends the lease early');
      performed.push(...lost.map((job) => second.perform(job)));
      await held.begun(1 + lost.length);
      for (const scan of held.started) scan.finish();
      await Promise.all(performed);
      t.equal((await rowsOf(db, 'runs')).length, 1, `${apartMs} ms apart`);
    }
  });

  t.test('a manual run counts for one day, however long its admission takes', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    let nowMs = Date.parse('2026-03-15T23:59:59.800Z');
    const clock = { now: () => new Date((nowMs += 100)) };
    await openServices(db, { clock }).manualRuns.start({ accountId, siteId });
    const [queued] = await jobsOf(db);
    t.equal(queued?.requested_at, '2026-03-15T23:59:59.900Z', 'by which a worker gives it back');
    t.match(await usedRuns(db), [{ day: '2026-03-15', used: 1 }]);
  });

  t.test('a run that was stored although its commit got no answer counts for the day', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    let isLosing = false;
    const lossy = changeDatabase(db, {
      async transaction(work) {
        const result = await db.transaction(work);
        if (isLosing) throw new ServiceError('overloaded', { cause: new Error('Connection terminated unexpectedly') });
        return result;
      },
    });
    const { performRun, clock } = openServices(lossy);
    const runs = new Runs({ db, clock, performRun });
    const start = () => runs.start({ accountId, siteId, trigger: 'API' });
    await start();
    isLosing = true;
    await t.rejects(start(), { code: 'overloaded' });
    isLosing = false;
    t.match(await usedRuns(db), [{ used: 2 }]);
    for (let count = 0; count < 3; count += 1) await start();
    await t.rejects(start(), { code: 'daily_runs_exceeded' });
    t.equal((await rowsOf(db, 'runs')).length, 5);
  });
});
