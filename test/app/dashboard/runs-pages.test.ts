import { headlineOf, titleOf } from '../../../src/scanner/report/failures.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { onEitherDatabase } from '../../support/databases.js';
import { ALL_OPEN, CHATGPT_BLOCKED, finding } from '../../support/reports.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';

const MD = (result: Finding['result']): Finding => finding({ checkId: 'C-MD-01', pillar: 'D', result });
const BOT = (result: Finding['result']): Finding => finding({ checkId: 'C-BOT-01', pillar: 'B', result });
const OLD = finding({ checkId: 'C-OLD-01', result: 'PASS' });

onEitherDatabase(async (t, engine) => {
  t.test('the history goes by number, a page at a time', async (t) => {
    const { finish, page, path } = await openSitePages(t, await engine.openDb(t));
    t.match(readPage(await page('/runs')), { heading: 'No runs yet', rows: [] });
    await finish(MD('FAIL'));
    const one = await page('/runs');
    t.match(readPage(one).heading, /^1 run, now at 0$/);
    t.equal(readPage(one).rows.length, 2, 'a head and a run');
    t.notMatch(one, 'type="checkbox"', 'there is nothing to compare');
    t.equal(formTo(one, `${path}/runs`)?.buttonCount, 0);
    for (let count = 1; count < 104; count += 1) await finish(MD('PASS'));
    const first = await page('/runs');
    t.match(readPage(first).heading, /^104 .* 100$/);
    t.equal(readPage(first).rows.length, 51);
    t.match(first, `href="${path}/runs?before=55" rel="next">Older<`);
    const second = await page('/runs?before=55');
    t.match(second, `href="${path}/runs" rel="prev">`, 'the newest page has one address');
    t.match(second, 'Older');
    const third = await page('/runs?before=5');
    t.notMatch(third, 'Older');
    t.match(third, `href="${path}/runs?before=55" rel="prev">`);
    t.equal(readPage(await page('/runs?before=x&show=y')).rows.length, 51, 'what is not known is ignored');
  });

  t.test('a row names what is gravest, and counts the rest', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    const of = (result: Finding['result'], ...ids: readonly string[]) =>
      ids.map((checkId) => finding({ checkId, result }));
    const broke = ['C-LLMS-01', 'C-LLMS-02', 'C-LLMS-03', 'C-LLMS-04'];
    const fixed = ['C-SITE-01', 'C-SITE-02'];
    const gone = ['C-SD-01', 'C-SD-02'];
    await finish(...of('PASS', ...broke, ...gone), ...of('FAIL', ...fixed));
    await finish(...of('FAIL', ...broke), ...of('PASS', ...fixed), ...of('NOT_APPLICABLE', ...gone));
    const [first = '', second = ''] = broke.map(titleOf);
    const news = ` Broke: ${first}, ${second} and 2 more Fixed: ${fixed.map(titleOf).join(', ')} 2 more changed `;
    t.match(wordsOf(await page('/runs')), news);
  });

  t.test('an older run leads to the latest, and has no failure open', async (t) => {
    const { finish, page, path } = await openSitePages(t, await engine.openDb(t));
    const openIn = (html: string) =>
      [...html.matchAll(/<details[^>]*>/g)].filter(([tag]) => tag.includes('class="finding"') && / open\b/.test(tag));
    await finish(MD('FAIL'), BOT('FAIL'));
    t.equal(openIn(await page('/runs/1')).length, 1);
    await finish(MD('PASS'), BOT('FAIL'));
    const older = await page('/runs/1');
    t.match(older, `<a href="${path}/runs/2">See run 2`);
    t.equal(openIn(older).length, 0);
  });

  t.test('a row of the sheet: pins, score, what changed, when and how', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'), BOT('NOT_APPLICABLE'));
    await finish(MD('UNDETERMINED'), BOT('UNDETERMINED'));
    await finish(MD('FAIL'), BOT('FAIL'));
    await finish(MD('PASS'), BOT('FAIL'));
    const html = await page('/runs');
    const rows = [...html.matchAll(/<tr>.*?<\/tr>/gs)].slice(1).map(([row]) => wordsOf(row).trim());
    t.same(rows, [
      `Run 4 50 up 50 Fixed: ${titleOf('C-MD-01')} 15 Mar, 12:00, by schedule`,
      `Run 3 0 down 100 Broke: ${titleOf('C-MD-01')} Newly checked: ${titleOf('C-BOT-01')} 15 Mar, 12:00, by schedule`,
      'Run 2 No score 15 Mar, 12:00, by schedule',
      'Run 1 100 15 Mar, 12:00, by schedule',
    ]);
    t.match(html, 'aria-label="Checks: 1 passed, 1 failed"');
    t.equal(html.match(/<span class="move down"/g)?.length, 1, 'red where something broke');
    t.match(html, 'name="run" value="4" aria-label="Pick run 4"/>');
  });

  t.test('a score that fell because more is judged has a grey arrow, and did not get worse', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'), BOT('NOT_APPLICABLE'));
    await finish(MD('PASS'), BOT('FAIL'));
    await finish(MD('PASS'), BOT('NOT_APPLICABLE'));
    const html = await page('/runs');
    t.match(html, '<span class="move soft"');
    t.notMatch(html, /class="(move )?down"/);
    t.match(await page('/compare?from=1&to=2'), '<span class="move soft"');
    t.match(wordsOf(await page('/compare?from=2&to=3')), 'Does not apply now 1 ');
  });

  t.test('only the latest run can be run again on its page', async (t) => {
    const { run, finish, page, path, loseOwnership } = await openSitePages(t, await engine.openDb(t));
    const unread = { ...MD('UNDETERMINED'), detail: 'The home page returns status 503 to this scanner.' };
    const finishUnread = () => run([unread], { gap: { status: 503 } });
    await finishUnread();
    t.ok(formTo(await page('/runs/1'), `${path}/runs`));
    await finish(MD('PASS'));
    const older = await page('/runs/1');
    t.notOk(formTo(older, `${path}/runs`));
    t.match(older, `<a class="btn" href="${path}">`, 'it leads to the page of the site');
    await finishUnread();
    await loseOwnership();
    t.match(await page('/runs/3'), `<a class="btn" href="${path}/verify">Verify the domain</a>`);
  });

  t.test('two runs are compared: broke, fixed, more changed, not comparable, still failing', async (t) => {
    const { finish, page, path } = await openSitePages(t, await engine.openDb(t));
    const still = finding({ checkId: 'C-SD-01', pillar: 'C', result: 'FAIL' });
    await finish(MD('FAIL'), BOT('PASS'), OLD, still);
    await finish(MD('PASS'), BOT('FAIL'), still);
    await finish(MD('UNDETERMINED'), BOT('FAIL'), still);
    const html = await page('/compare?from=1&to=2');
    const words = wordsOf(html);
    t.match(readPage(html).heading, '1 new failure, 1 fixed');
    t.match(words, /Broke 1 .*C-BOT-01 .*Run 1: passed Run 2: failed/);
    t.match(words, /Fixed 1 .*C-MD-01 Run 1: failed .* passed/, 'without a severity');
    t.match(words, /Still failing 1 .*C-SD-01, since run 1 Not comparable .*C-OLD-01/);
    t.match(html, `href="${path}/runs/2#C-BOT-01"`, 'leads to its fix');
    t.match(
      words,
      / 50 Run 1 .* by schedule .*Access 1 of 1 .* 33 down 17 Run 2 .* by schedule .*Access 0 of 1 .*Broke /,
    );
    t.match(wordsOf(await page('/compare?from=2&to=3')), ' Undetermined now 1 ');
    t.match(readPage(await page('/compare?from=3&to=1')).heading, '1 new failure, 1 fixed', 'in either direction');
    t.match(wordsOf(await page('/compare?from=3&to=2')), ' up 33 ');
    await finish(MD('PASS'), BOT('FAIL'), still);
    const same = await page('/compare?from=2&to=4');
    t.match(readPage(same).heading, 'Nothing has changed');
    t.match(wordsOf(same), /Run 2 .* Run 4 .*Still failing 2 .*\b1 check passed/);
  });

  t.test('a comparison tells unscored failures from scored ones, and links both runs', async (t) => {
    const { finish, page, path } = await openSitePages(t, await engine.openDb(t));
    const unscored = finding({ checkId: 'C-SD-01', result: 'FAIL', scored: false });
    for (let count = 0; count < 2; count += 1) await finish(MD('FAIL'), BOT('NOT_APPLICABLE'), OLD, unscored);
    const html = await page('/compare?from=1&to=2');
    t.match(
      wordsOf(html),
      /Still failing 2, 1 of them not scored .* 1 check passed in both runs, 1 applied in neither\./,
    );
    t.match(html, 'class="mark is-n outline"');
    for (const run of [1, 2]) t.match(html, `<a href="${path}/runs/${run}">Run ${run}</a>`);
  });

  t.test('assistants that can read less are named, even if no check changed', async (t) => {
    const { run, page } = await openSitePages(t, await engine.openDb(t));
    for (const answer of [ALL_OPEN, CHATGPT_BLOCKED, ALL_OPEN]) await run([MD('PASS')], { answer });
    const sentence = 'ChatGPT can no longer read the site: robots.txt, line 7';
    const html = await page('/compare?from=1&to=2');
    t.equal(readPage(html).heading, sentence);
    t.match(wordsOf(html), `${sentence}. 1 check passed`);
    t.match(readPage(await page('/compare?from=1&to=3')).heading, 'Nothing has changed');
    const words = wordsOf(await page('/runs'));
    t.match(words, sentence);
    t.match(words, ' ChatGPT can read the site again ');
  });

  t.test('two runs are ticked in the list, the earlier first; anything else leads back to its ticks', async (t) => {
    const { finish, page, member, path } = await openSitePages(t, await engine.openDb(t));
    for (let count = 0; count < 60; count += 1) await finish(MD('PASS'));
    t.match(await page('/compare?run=12&run=9'), /<title>Run 9 [^<]* 12,/);
    const wrong = ['', '?from=&to=', '?run=3', '?run=3&run=4&run=11', '?run=3&run=61', '?run=3&run=3', '?from=0&to=2'];
    for (const query of [...wrong, '?from=2&to=x']) {
      const answer = await member.get(`${path}/compare${query}`);
      t.match(answer, { status: 422, text: `href="${path}/runs">Tick them` }, query);
    }
    t.match(await page('/runs?before=55'), '<input type="hidden" name="before" value="55"/>');
    const two = await member.get(`${path}/runs?before=55&run=12&run=9&compare=two`);
    t.match([two.status, two.headers.location], [303, `${path}/compare?run=12&run=9`]);
    for (const [ticked, words] of [
      [[], 'None are ticked.'],
      [[9], '1 is ticked.'],
      [[12, 9, 7], '3 are ticked.'],
    ] as const) {
      const query = ticked.map((run) => `&run=${run}`).join('');
      const { status, text } = await member.get(`${path}/runs?before=55${query}&compare=two`);
      t.match([status, wordsOf(text)], [422, `Tick two runs to compare. ${words}`]);
      const kept = [...text.matchAll(/<input [^>]*value="(\d+)"[^>]* checked/g)];
      t.equal(kept.map(([, run]) => run).join(), ticked.join());
    }
  });

  t.test('a run without a score found out nothing, so another stands for it, or nothing is compared', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('UNDETERMINED'));
    await finish(MD('PASS'));
    await finish(MD('UNDETERMINED'));
    await finish(MD('FAIL'));
    t.match(wordsOf(await page('/compare?from=3&to=4')), / Run 3 has no score\. Run 2,/);
    for (const query of ['from=2&to=3', 'from=1&to=2'])
      t.match(
        wordsOf(await page(`/compare?${query}`)),
        ` Run ${query === 'from=2&to=3' ? 3 : 1} has no score to compare`,
      );
  });

  t.test('a run that was named says so wherever it stands', async (t) => {
    const { run, finish, page } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'));
    const label = { label: '<b>v2</b>', commit: '4f2a1c9d'.repeat(5) };
    await run([MD('FAIL')], {}, { trigger: 'POST_DEPLOY', label });
    for (const below of ['', '/runs', '/runs/2', '/compare?from=1&to=2'])
      t.match(await page(below), 'after a deploy: &lt;b>v2&lt;/b>, 4f2a1c9', below);
  });

  t.test('what fails in both runs, and in another way now, has changed', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    const failing = (errorType: 'MISSING' | 'FORMAT') => finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType });
    await finish(failing('MISSING'));
    await finish(failing('MISSING'));
    await finish(failing('FORMAT'));
    const before = headlineOf({ checkId: 'C-LLMS-01', errorType: 'MISSING', title: null });
    const compared = await page('/compare?from=2&to=3');
    t.match(readPage(compared).heading, '1 failing differently');
    t.match(wordsOf(compared).split(' Still failing 1 ')[1], before);
    t.match(readPage(await page('/runs/3')).heading, 'Run 3: 1 failing differently');
    t.match(wordsOf(await page('/runs')), ` Fails differently: ${titleOf('C-LLMS-01')}`);
  });
});
