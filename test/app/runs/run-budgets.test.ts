import { returnDailyRun, takeDailyRun } from '../../../src/app/limits/daily-runs.js';
import { defineQuery } from '../../../src/store/query.js';
import { onEachDatabase } from '../../support/databases.js';

const selectDailyRuns = defineQuery<
  { used: number },
  { account_id: string; host: string; day: string; trigger: string }
>((sql, { account_id, host, day, trigger }) =>
  sql('run_budgets').select('used').where({ account_id, host, day, trigger }),
);

onEachDatabase(async (t, engine) => {
  t.test('a day gets back no more runs than were taken from it', async (t) => {
    const db = await engine.openDb(t);
    const budget = { account_id: 'acc_a', host: 'a.example.com', day: '2026-03-15', trigger: 'API' };
    const used = async () => (await db.one(selectDailyRuns(budget)))?.used;

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
    const budget = { account_id: 'acc_a', host: 'a.example.com', day: '2026-03-15', trigger: 'API' };
    const others = [
      { ...budget, account_id: 'acc_b' },
      { ...budget, host: 'b.example.com' },
      { ...budget, day: '2026-03-14' },
      { ...budget, trigger: 'MANUAL' },
    ];
    for (const taken of [budget, ...others]) await db.run(takeDailyRun({ ...taken, limit: 5 }));
    await db.run(returnDailyRun(budget));
    t.same(await db.run(selectDailyRuns(budget)), [{ used: 0 }]);
    for (const kept of others) t.same(await db.run(selectDailyRuns(kept)), [{ used: 1 }], JSON.stringify(kept));
  });
});
