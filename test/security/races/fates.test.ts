import { ServiceError } from '../../../src/platform/errors.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { jobsOf } from '../../support/queue.js';
import { usedRuns } from '../../support/daily-runs.js';
import { openServices } from '../../support/services.js';

/** A database whose transactions take place, while the answers to their commits are lost. */
function loseAnswers(db: Database, isLosing: () => boolean): Database {
  return changeDatabase(db, {
    async transaction(work) {
      const isLost = isLosing();
      const result = await db.transaction(work);
      if (isLost) throw new ServiceError('overloaded', { cause: new Error('Connection terminated unexpectedly') });
      return result;
    },
  });
}

const storedRuns = defineQuery<{ count: number }>((sql) => sql('runs').count({ count: '*' }));

onEachDatabase(async (t, engine) => {
  t.test('a run that was stored although its commit was not answered counts: no more than five a day', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    let isLosing = false;
    const lossy = loseAnswers(db, () => isLosing);
    const { performRun } = openServices(lossy, { clock });
    const runs = createRuns({ db, clock, performRun });
    const start = () => runs.start({ accountId, siteId, trigger: 'API' });
    await start();
    isLosing = true;
    await t.rejects(start(), { code: 'overloaded' });
    isLosing = false;
    t.match(await usedRuns(db), [{ used: 2 }]);
    for (let count = 0; count < 3; count += 1) await start();
    await t.rejects(start(), { code: 'daily_runs_exceeded' });
    t.same(await db.run(storedRuns({})), [{ count: 5 }]);
  });

  t.test('a run whose transaction was undone gives the day its run back, whoever has its number by now', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    let isBroken = true;
    const performRun = createRunPerformer({
      ...{ db, clock, scan: async () => scanReport(), slots: new Slots(5) },
      async beforeCommit() {
        if (isBroken) throw new Error('undone');
      },
    });
    const runs = createRuns({ db, clock, performRun });
    await t.rejects(runs.start({ accountId, siteId, trigger: 'API' }), { message: 'undone' });
    t.match(await usedRuns(db), [{ used: 0 }]);
    isBroken = false;
    await t.resolveMatch(runs.start({ accountId, siteId, trigger: 'API' }), { number: 1 });
    t.match(await usedRuns(db), [{ used: 1 }]);
  });

  t.test('a run by hand is of one day, however long its admission takes', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    let nowMs = Date.parse('2026-03-15T23:59:59.900Z');
    const clock = { now: () => new Date((nowMs += 100)) };
    nowMs -= 100;
    await openServices(db, { clock }).manualRuns.start({ accountId, siteId });
    const [queued] = await jobsOf(db);
    t.equal(queued?.requested_at, '2026-03-15T23:59:59.900Z', 'by which a worker gives it back');
    t.match(await usedRuns(db), [{ day: '2026-03-15', used: 1 }]);
  });
});
