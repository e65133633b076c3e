import fc from 'fast-check';
import t from 'tap';
import {
  type Clock,
  secondsToNextUtcMonth,
  secondsUntil,
  utcDay,
  utcMonth,
  utcDayStart,
} from '../../../src/platform/clock.js';
import { FREQUENCIES } from '../../../src/app/automation/schedule.js';
import { planSchedules, readSchedule, setSchedule } from '../../../src/app/automation/schedules.js';
import { LEASE_MS } from '../../../src/queue/jobs.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { makeSchedulesDue } from '../../support/fleet.js';
import { HeldScan } from '../../support/held-scan.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { BEGIN_MS, DAY_MS, openScene, SECOND_MS, step } from './clock-scene.js';

async function plan(db: Database, clock: Clock): Promise<void> {
  await planSchedules({ db, clock });
}

/** The same each time. */
const SEED = 20_260_228;

t.test('a wait that is told ends in the next day or month, and not a second later than it begins', async (t) => {
  const moment = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2032-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const limits = [
    { secondsToNext: (now: Date) => secondsUntil(now, utcDayStart(now, 1)), nameOf: utcDay },
    { secondsToNext: secondsToNextUtcMonth, nameOf: utcMonth },
  ];
  fc.assert(
    fc.property(moment, fc.constantFrom(...limits), (now, { secondsToNext, nameOf }) => {
      const waitS = secondsToNext(now);
      const after = new Date(now.getTime() + waitS * SECOND_MS);
      const before = new Date(after.getTime() - SECOND_MS);
      return Number.isInteger(waitS) && waitS >= 1 && nameOf(after) > nameOf(now) && nameOf(before) === nameOf(now);
    }),
    { seed: SEED },
  );
  t.pass('at any moment');
});

onEachDatabase(async (t, engine) => {
  t.test('each day and month has what was taken from it, wherever the clocks go', async (t) => {
    const db = await engine.openDb(t);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const scene = await openScene(db);
        for (const step of steps) await scene.take(step);
        await scene.close();
        if (scene.faults.length > 0) throw new Error(scene.faults.join('\n'));
      }),
      { seed: SEED, numRuns: engine.name === 'sqlite' ? 20 : 5 },
    );
  });

  t.test('a run that two workers have in hand, since their clocks differ, is stored once', async (t) => {
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
      await plan(db, clock);
      const performed: Promise<unknown>[] = [first.performDue()];
      await held.begun(1);
      other.time = new Date(other.time.getTime() + LEASE_MS - 10 * SECOND_MS);
      const lost = await second.claim();
      t.equal(lost.length, apartMs >= 10 * SECOND_MS ? 1 : 0, 'a clock that is ahead ends the lease early');
      performed.push(...lost.map((job) => second.perform(job)));
      await held.begun(1 + lost.length);
      for (const scan of held.started) scan.finish();
      await Promise.all(performed);
      t.same(await db.run(countRuns({})), [{ count: 1 }], `${apartMs} ms apart`);
    }
  });

  t.test('a schedule runs once for all times that it missed, and is never put off by a clock', async (t) => {
    const db = await engine.openDb(t);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }), { maxLength: 6 }),
        async (steps) => {
          const clock = new TestClock(new Date(BEGIN_MS));
          const { id: accountId } = await addAccount(db, 'SCALE', clock);
          const { id: siteId } = await addSite(db, accountId);
          await setSchedule({ db, clock }, { accountId, siteId }, 'DAILY');
          for (const ms of steps) {
            const nextRunAt = (await readSchedule(db, siteId))?.nextRunAt;
            clock.time = new Date(clock.time.getTime() + ms);
            const isDue = (nextRunAt ?? '') <= clock.time.toISOString();
            await plan(db, clock);
            const planned = (await jobsOf(db)).filter(({ key }) => key === siteId);
            await db.run(emptyQueue({}));
            const next = Date.parse((await readSchedule(db, siteId))?.nextRunAt ?? '') - clock.time.getTime();
            const isStray = next > FREQUENCIES.WEEKLY.periodMs + DAY_MS;
            if (planned.length !== (isDue ? 1 : 0) || next <= 0 || isStray) {
              throw new Error(`${ms} ms: planned ${planned.length}, next in ${next} ms`);
            }
          }
        },
      ),
      { seed: SEED, numRuns: engine.name === 'sqlite' ? 15 : 4 },
    );
  });
});

const countRuns = defineQuery<{ count: number }>((sql) => sql('runs').count({ count: '*' }));
const emptyQueue = defineQuery<never>((sql) => sql('jobs').delete());
