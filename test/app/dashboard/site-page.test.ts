import { addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { recordStatements } from '../../support/statement-names.js';
import { startWeb } from '../../support/web.js';

onEachDatabase(async (t, engine) => {
  t.test('a site page shows a run that ends while it is made', async (t) => {
    const store = await engine.openDb(t);
    const beforeJobs: (() => Promise<unknown>)[] = [];
    const { db } = await recordStatements(store, async (name) => {
      if (name === 'selectJobsOfSite') await beforeJobs.pop()?.();
    });
    const web = await startWeb(t, db, { scan: async () => scanReport(75) });
    const member = await web.newMember();
    const { id: siteId } = await addSite(db, member.account.id);
    beforeJobs.push(() => web.runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' }));
    const { text } = await member.get(`/sites/${siteId}`);
    t.same(beforeJobs, [], 'it ended before what is under way was asked for');
    t.match(text, /75/);
    t.match(text, /All runs|Score over the runs|Run 1/);
  });

  t.test('a site page asks for each thing once', async (t) => {
    const { db, asked } = await recordStatements(await engine.openDb(t));
    const web = await startWeb(t, db, { scan: async () => scanReport() });
    const member = await web.newMember();
    const site = await addSite(db, member.account.id);
    for (let count = 1; count <= 2; count += 1) {
      await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
    }
    // The texts of a release are read once by each process.
    t.equal((await member.get(`/sites/${site.id}`)).status, 200);
    asked.splice(0);
    t.match((await member.get(`/sites/${site.id}`)).text, /All runs|Score over the runs/);
    // What the run and those before it say is held until a collection of garbage.
    t.same(
      asked
        .splice(0)
        .filter((name) => name !== 'selectRunResults')
        .sort(),
      [
        'selectAccepted',
        'selectDailyRuns',
        'selectEvidence',
        'selectJobsOfSite',
        'selectRechecks',
        'selectRunToShow',
        'selectSchedule',
        'selectSession',
        'selectSiteOfAccount',
      ],
    );
    await member.get(`/sites/${site.id}/runs/2`);
    t.equal(asked.filter((name) => name === 'selectSiteOfAccount').length, 1);
  });

  t.test('reading the latest run takes one statement, a run of the API fifteen', async (t) => {
    const { db, asked } = await recordStatements(await engine.openDb(t));
    const { runs, newMember } = await startWeb(t, db, { scan: async () => scanReport() });
    const { account } = await newMember();
    const at = { accountId: account.id, siteId: (await addSite(db, account.id)).id };
    for (let count = 1; count <= 2; count += 1) await runs.start({ ...at, trigger: 'API' });
    await runs.latest(at);
    asked.splice(0);
    await runs.latest(at);
    t.same(asked.splice(0), ['findRuns']);
    await runs.start({ ...at, trigger: 'API' });
    t.equal(asked.length, 15);
  });
});
