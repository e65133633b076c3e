import { onEitherDatabase } from '../../support/databases.js';
import { ANSWER } from '../../support/notes.js';
import { wordsOf } from '../../support/page-words.js';
import { openSitePages } from '../../support/site-pages.js';
import { recordStatements } from '../../support/statement-names.js';

onEitherDatabase(async (t, engine) => {
  t.test('a site page shows a run that ends while it is made', async (t) => {
    const store = await engine.openDb(t);
    const beforeJobs: (() => Promise<unknown>)[] = [];
    const { db } = recordStatements(store, async (name) => {
      if (name === 'select jobs') await beforeJobs.pop()?.();
    });
    const { run, page, path } = await openSitePages(t, db);
    beforeJobs.push(() => run([], { score: 75 }));
    const text = await page();
    t.same(beforeJobs, [], 'it ended before what is under way was asked for');
    t.match(text, '75');
    t.match(text, `href="${path}/runs/1.json"`);
  });

  t.test(
    'a site page says first which assistants can read the site; nothing for a run that does not say',
    async (t) => {
      const { run, page } = await openSitePages(t, await engine.openDb(t));
      await run([], { answer: ANSWER });
      const text = await page();
      t.match(wordsOf(text), ' ChatGPT No, blocked by line 7 of robots.txt Claude Yes');
      t.match(wordsOf(text), /Training [^:.]*: refused /);
      t.ok(text.indexOf('class="answer"') < text.indexOf('class="score"'), 'before the score');
      await run([]);
      t.notMatch(await page(), 'class="answer"');
      t.match(await page('/runs/1'), 'class="answer"');
    },
  );

  t.test('a site page asks for each thing once', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const { finish, member, site } = await openSitePages(t, db);
    for (let count = 1; count <= 2; count += 1) await finish();
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

  t.test('reading the latest run takes one statement, a run of the API six', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const { runs, at } = await openSitePages(t, db);
    for (let count = 1; count <= 2; count += 1) await runs.start({ ...at, trigger: 'API' });
    await runs.latest(at);
    asked.splice(0);
    await runs.latest(at);
    t.equal(asked.splice(0).length, 1);
    await runs.start({ ...at, trigger: 'API' });
    t.equal(asked.length, 6);
  });
});
