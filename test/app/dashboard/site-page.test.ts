import { addSite, scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { ANSWER } from '../../support/notes.js';
import { wordsOf } from '../../support/page-words.js';
import { recordStatements } from '../../support/statement-names.js';
import { startWeb } from '../../support/web.js';

onEitherDatabase(async (t, engine) => {
  t.test('a site page shows a run that ends while it is made', async (t) => {
    const store = await engine.openDb(t);
    const beforeJobs: (() => Promise<unknown>)[] = [];
    const { db } = recordStatements(store, async (name) => {
      if (name === 'select jobs') await beforeJobs.pop()?.();
    });
    const web = await startWeb(t, db, { scan: async () => scanReport(75) });
    const member = await web.newMember();
    const { id: siteId } = await addSite(db, member.account.id);
    beforeJobs.push(() => web.runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' }));
    const { text } = await member.get(`/sites/${siteId}`);
    t.same(beforeJobs, [], 'it ended before what is under way was asked for');
    t.match(text, '75');
    t.match(text, `href="/sites/${siteId}/runs/1.json"`);
  });

  t.test(
    'a site page says first which assistants can read the site; nothing for a run that does not say',
    async (t) => {
      const db = await engine.openDb(t);
      const reports = [{ ...scanReport(75), answer: ANSWER }, scanReport(75)];
      const web = await startWeb(t, db, { scan: async () => reports.shift() ?? scanReport() });
      const member = await web.newMember();
      const { id: siteId } = await addSite(db, member.account.id);
      const run = () => web.runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' });
      await run();
      const { text } = await member.get(`/sites/${siteId}`);
      t.match(wordsOf(text), ' ChatGPT No, blocked by line 7 of robots.txt Claude Yes');
      t.match(wordsOf(text), /Training [^:.]*: refused /);
      t.ok(text.indexOf('class="answer"') < text.indexOf('class="score"'), 'before the score');
      await run();
      t.notMatch((await member.get(`/sites/${siteId}`)).text, 'class="answer"');
      t.match((await member.get(`/sites/${siteId}/runs/1`)).text, 'class="answer"');
    },
  );

  t.test('a site page asks for each thing once', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const web = await startWeb(t, db, { scan: async () => scanReport() });
    const member = await web.newMember();
    const site = await addSite(db, member.account.id);
    for (let count = 1; count <= 2; count += 1) {
      await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
    }
    asked.splice(0);
    t.equal((await member.get(`/sites/${site.id}`)).status, 200);
    t.same(asked.splice(0).sort(), [
      'select accepted_failures',
      'select jobs',
      'select rate_windows',
      'select rechecks',
      'select run_evidence',
      'select runs',
      'select runs',
      'select sessions',
      'select sites',
    ]);
    await member.get(`/sites/${site.id}/runs/2`);
    t.equal(asked.filter((name) => name === 'select sites').length, 1);
  });

  t.test('reading the latest run takes one statement, a run of the API five', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const { runs, newMember } = await startWeb(t, db, { scan: async () => scanReport() });
    const { account } = await newMember();
    const at = { accountId: account.id, siteId: (await addSite(db, account.id)).id };
    for (let count = 1; count <= 2; count += 1) await runs.start({ ...at, trigger: 'API' });
    await runs.latest(at);
    asked.splice(0);
    await runs.latest(at);
    t.equal(asked.splice(0).length, 1);
    await runs.start({ ...at, trigger: 'API' });
    t.equal(asked.length, 5);
  });
});
