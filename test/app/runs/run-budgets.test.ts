import { runOne } from '../../../src/store/database.js';
import { returnDailyRun, selectDailyRuns, takeDailyRun } from '../../../src/app/limits/run-budget-statements.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';

onEachDatabase(async (t, engine) => {
  t.test('a day gets back no more runs than were taken from it', async (t) => {
    const db = await engine.openDb(t);
    const { id: site_id } = await addSite(db, (await addAccount(db)).id);
    const budget = { site_id, day: '2026-03-15', trigger: 'API' };
    const used = async () => (await runOne(db, selectDailyRuns(budget)))?.used;

    await db.run(returnDailyRun(budget));
    t.equal(await used(), undefined, 'nothing was taken yet');
    await db.run(takeDailyRun({ ...budget, limit: 2 }));
    for (let count = 0; count < 3; count += 1) await db.run(returnDailyRun(budget));
    t.equal(await used(), 0);
    const taken = [1, 2, 3].map(() => db.run(takeDailyRun({ ...budget, limit: 2 })));
    t.same((await Promise.all(taken)).map(({ length }) => length).sort(), [0, 1, 1], 'two runs, as on any day');
  });

  t.test('a run goes back to its own site, day and trigger', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    const [site, other] = [await addSite(db, accountId), await addSite(db, accountId, { hostname: 'b.example.com' })];
    const budget = { site_id: site.id, day: '2026-03-15', trigger: 'API' };
    const others = [
      { ...budget, site_id: other.id },
      { ...budget, day: '2026-03-14' },
      { ...budget, trigger: 'MANUAL' },
    ];
    for (const taken of [budget, ...others]) await db.run(takeDailyRun({ ...taken, limit: 5 }));
    await db.run(returnDailyRun(budget));
    t.same(await db.run(selectDailyRuns(budget)), [{ used: 0 }]);
    for (const kept of others) t.same(await db.run(selectDailyRuns(kept)), [{ used: 1 }], JSON.stringify(kept));
  });
});
