import { DAYS, RunDays } from '../../../src/app/runs/run-days.js';
import { addJobs } from '../../../src/queue/jobs.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';

onEachDatabase(async (t, engine) => {
  t.test('runs of all accounts are counted by day, those without a score too, and kept for ten seconds', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    let readCount = 0;
    const counted = failWhen(
      db,
      () => {
        readCount += 1;
        return false;
      },
      () => new Error('never'),
    );
    const runDays = new RunDays({ db: counted, clock });
    const finish = async (at: string, score: number | null): Promise<void> => {
      const account = await addAccount(db);
      const site = await addSite(db, account.id);
      clock.set(at);
      const times = { startedAt: new Date(at), finishedAt: new Date(at) };
      const scan = () => Promise.resolve({ ...scanReport(score), ...times });
      const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1) });
      await performRun({ accountId: account.id, siteId: site.id, origin: 'https://a.example', trigger: 'SCHEDULED' });
    };
    await finish('2026-03-01T00:00:00.000Z', 100);
    await finish('2026-03-14T23:59:59.999Z', null);
    await finish('2026-03-14T09:00:00.000Z', 100);
    clock.set('2026-03-15T12:00:00.000Z');

    const { days, running } = await runDays.read();
    t.equal(days.length, DAYS);
    t.equal(days.at(-1)?.day, '2026-03-15');
    t.same(
      days.filter(({ finished }) => finished > 0),
      [
        { day: '2026-03-01', finished: 1, withoutScore: 0 },
        { day: '2026-03-14', finished: 2, withoutScore: 1 },
      ],
    );
    t.equal(running, 0);
    const before = readCount;
    await runDays.read();
    t.equal(readCount, before, 'not asked again at once');
    clock.set('2026-03-15T12:01:00.000Z');
    await runDays.read();
    t.ok(readCount > before, 'but later');
  });

  t.test('what waits is counted, and a failure is not kept', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const account = await addAccount(db);
    const site = await addSite(db, account.id);
    let isDown = true;
    const runDays = new RunDays({
      db: failWhen(
        db,
        () => isDown,
        () => new Error('away'),
      ),
      clock,
    });
    await t.rejects(runDays.read(), { message: 'away' });
    isDown = false;
    await db.transaction(() =>
      addJobs(
        [
          {
            queue: 'runs',
            kind: 'SCHEDULED',
            key: site.id,
            accountId: account.id,
            siteId: site.id,
            runAfter: clock.now(),
          },
        ],
        clock.now(),
      ),
    );
    t.match(await runDays.read(), { waiting: 1, running: 0 });
  });
});
