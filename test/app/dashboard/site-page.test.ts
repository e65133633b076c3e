import { publish } from '../../../src/app/publications/publications.js';
import { TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { ANSWER, finding } from '../../support/reports.js';
import { wordsOf } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';
import { recordStatements } from '../../support/changed-database.js';

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
    t.match(text, `<a href="${path}/runs/1">Run 1</a>`);
  });

  t.test('a site page says first which assistants can read the site, if the run says so', async (t) => {
    const { run, page } = await openSitePages(t, await engine.openDb(t));
    await run([], { answer: ANSWER });
    const text = await page();
    t.match(wordsOf(text), ' ChatGPT No, blocked by line 7 of robots.txt Claude Yes');
    t.match(wordsOf(text), /Training [^:.]*: refused /);
    t.ok(text.indexOf('class="answer"') < text.indexOf('class="score"'), 'before the score');
    await run([]);
    t.notMatch(await page(), 'class="answer"');
    t.match(await page('/runs/1'), 'class="answer"');
  });

  t.test('each page of a site asks for each thing once, however many runs there are', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const { finish, page, runs, at, newVisitor } = await openSitePages(t, db);
    for (let count = 1; count <= 60; count += 1)
      await finish(finding({ checkId: 'C-MD-01', result: count % 2 ? 'FAIL' : 'PASS' }));
    const token = await publish({ db, clock: new TestClock() }, at, { kind: 'report', number: null });
    const report = async () => (await newVisitor().get(`/reports/${token}`)).text;
    const [session, site, run] = ['select sessions', 'select sites', 'select runs'];
    const ofRun = ['select accepted_failures', 'select rechecks', 'select run_evidence', run, run, session, site];
    const cases: [below: string, ...names: string[]][] = [
      ['', 'select jobs', 'select rate_windows', ...ofRun],
      ['/runs/60', ...ofRun],
      ['/runs/60/checks/C-MD-01', ...ofRun],
      ['/runs', run, session, site],
      ['/runs?before=40', run, session, site],
      ['/compare?from=1&to=60', run, run, run, run, session, site],
    ];
    for (const [below, ...names] of cases) {
      await page(below);
      asked.splice(0);
      await page(below);
      t.same(asked.splice(0).sort(), names.toSorted(), below);
    }
    await report();
    asked.splice(0);
    t.match(await report(), 'Published by its verified owner');
    t.equal(asked.splice(0).length, 1, 'a public report');
    await runs.start({ ...at, trigger: 'API' });
    t.equal(asked.splice(0).length, 6, 'a run');
    await runs.read(at);
    t.equal(asked.splice(0).length, 1, 'the latest run');
  });
});
