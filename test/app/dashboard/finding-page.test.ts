import type { Test } from 'tap';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { finding } from '../../support/findings.js';
import { formTo } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';
import { recordStatements } from '../../support/statement-names.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED', detail: 'Line 6 bars them.' });
const OTHERS = [
  finding({ checkId: 'C-LLMS-01', result: 'PASS' }),
  finding({ checkId: 'C-WK-01', result: 'NOT_APPLICABLE', detail: 'No MCP server is announced.' }),
  finding({ checkId: 'C-SITE-01', result: 'FAIL', errorType: 'MISSING' }),
];

/** Opens a site of two runs: the check passed in the first one. */
async function prepare(t: Test, db: Database, failed = FAILED, evidence = evidenceFor(failed.checkId)) {
  const pages = await openSitePages(t, db);
  await pages.finish(finding({ checkId: failed.checkId, result: 'PASS' }), ...OTHERS);
  const fail = () => pages.run([failed, ...OTHERS], { startedAt: pages.clock.now(), evidence });
  await fail();
  const pageOf = (checkId: string, number = 2) => `${pages.path}/runs/${number}/checks/${checkId}`;
  return { ...pages, fail, pageOf };
}

onEitherDatabase(async (t, engine) => {
  t.test('one page tells all of a finding', async (t) => {
    const { member, site, pageOf } = await prepare(t, await engine.openDb(t));
    const { text } = await member.get(pageOf('C-BOT-01'));
    t.match(text, `<title>${headlineOf(FAILED)}, run 2, shop.example.com`);
    t.match(text, `<h1>${headlineOf(FAILED)}</h1><p class="lead">Line 6 bars them.</p>`);
    const parts = [
      ...['id="seen"', 'id="fix"', 'explanation of ', '(run 2, CR-'],
      ...['Evidence<', 'Control<', 'Related<', '<title>Run 1: passed</title>'],
      `action="/sites/${site.id}/runs/2/checks/C-BOT-01/accept"`,
    ];
    const places = parts.map((part) => text.indexOf(part));
    t.notOk(places.includes(-1), 'everything is there');
    t.same(
      places,
      [...places].sort((a, b) => a - b),
      'in this order',
    );
    t.match(text, `<a href="/sites/${site.id}/runs/1" tabIndex="-1"><title>`);
    t.notMatch(text, 'The same result since');
    const { text: other } = await member.get(pageOf('C-SITE-01'));
    t.match(other, `The same result since <a href="/sites/${site.id}/runs/1">run 1</a>.`);
  });

  t.test('the fix holds no path of the site', async (t) => {
    const at = { url: 'https://shop.example.com/llms.txt', firstLine: 1, named: 1 };
    const evidence = evidenceFor('C-LLMS-03', '- [Glazes](/glazes)', {
      ...at,
      gone: 'https://shop.example.com/glazes',
    });
    const fix = cLlms03.failures.DEAD_LINK?.fix ?? '';
    const failed = finding({ checkId: 'C-LLMS-03', result: 'FAIL', errorType: 'DEAD_LINK', fix });
    const { member, pageOf } = await prepare(t, await engine.openDb(t), failed, evidence);
    const { text } = await member.get(pageOf('C-LLMS-03'));
    const [, section = ''] = /aria-labelledby="fix">(.*?)<\/section>/s.exec(text) ?? [];
    t.match(section, 'return 301');
    t.notMatch(section, '/glazes');
  });

  t.test('a finding without evidence has its page too, which says why there is none', async (t) => {
    const { member, clock, pageOf, fail, loseOwnership } = await prepare(t, await engine.openDb(t));
    t.match(await member.get(pageOf('C-LLMS-01')), {
      status: 200,
      text: `<p class="lead">${cLlms01.answer}`,
    });
    t.match(await member.get(pageOf('C-WK-01')), {
      status: 200,
      text: /<p class="lead">No MCP server is announced/,
    });
    t.match(await member.get(pageOf('C-BOT-01', 1)), {
      status: 200,
      text: new RegExp(`role="note">.* run 1\\b.*href="${pageOf('C-BOT-01')}"`, 's'),
    });
    t.ok(formTo((await member.get(pageOf('C-BOT-01'))).text, pageOf('C-BOT-01')));
    t.notOk(formTo((await member.get(pageOf('C-BOT-01', 1))).text, pageOf('C-BOT-01', 1)), 'it is not made again');
    t.equal((await member.get(`${pageOf('C-SITE-01')}.har`)).status, 404);
    clock.set('2025-12-01T12:00:00.000Z');
    await fail();
    clock.set('2026-03-15T12:00:00.000Z');
    t.match((await member.get(pageOf('C-SITE-01', 3))).text, '90 days');
    await loseOwnership();
    const lost = await member.get(pageOf('C-BOT-01'));
    t.equal(lost.status, 200);
    t.notMatch(lost.text, /words of the site|\/accepted\/|class="ln"/, 'nothing is quoted, or can be done');
  });

  t.test('a check is made again on this page, and stays there', async (t) => {
    const { member, held, rechecks, pageOf, clock, site } = await prepare(t, await engine.openDb(t));
    const page = pageOf('C-BOT-01');
    t.match((await member.get(page)).text, '<div role="status"></div>', 'a region that is heard');
    t.match(await member.post(page), { status: 303, headers: { location: page } });
    await held.begun(1);
    t.match((await member.get(page)).text, /data-live.*<div class="note"><p>/s);
    held.last.finish({
      ...scanReport(100),
      findings: [finding({ checkId: 'C-BOT-01', result: 'PASS', detail: 'All may.' })],
    });
    await rechecks.settle();
    const { text } = await member.get(page);
    t.match(text, /class="note is-p"><p>.* All may\./s);
    t.ok(formTo(text, `/sites/${site.id}/runs`), 'a run counts it');
    t.match(await member.post(page), { status: 429, text: /<title>Error: .*class="note is-f"/s });
    clock.set('2026-03-15T12:01:00.000Z');
    t.match(await member.post(pageOf('C-BOT-01', 1)), { status: 422 });
    t.equal((await member.post(pageOf('C-LLMS-01'))).status, 422, 'what passed is not made again');
  });

  t.test('it asks for each thing once', async (t) => {
    const { db, asked } = recordStatements(await engine.openDb(t));
    const { member, pageOf } = await prepare(t, db);
    await member.get(pageOf('C-BOT-01'));
    asked.splice(0);
    t.equal((await member.get(pageOf('C-BOT-01'))).status, 200);
    t.same(asked.splice(0).sort(), [
      'select accepted_failures',
      'select rechecks',
      'select run_evidence',
      ...['select runs', 'select runs'],
      'select sessions',
      'select sites',
    ]);
  });
});
