import { domainToUnicode } from 'node:url';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { NAMES_NOT_TRIED } from '../../../src/scanner/artifacts/agent-replies.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import { describeMissing } from '../../../src/app/sites/missing-proof.js';
import { VERIFIED_BY_WORDS } from '../../../src/web/pages/site-verify.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/visit-site.js';
import { addSite, RELEASE, scanReport } from '../../support/accounts.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding, findingFrom, NOTES } from '../../support/reports.js';
import { HeldScan } from '../../support/held-scan.js';
import { until } from '../../support/held-timers.js';
import { openSitePages } from '../../support/site-pages.js';
import { updateRows } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

/** Where each of the texts stands in the page: in this order, when the numbers go up. */
function isInOrder(html: string, ...texts: readonly string[]): boolean {
  const places = texts.map((text) => html.indexOf(text));
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}

const MD = (result: Finding['result'], fields: Partial<Finding> = {}): Finding =>
  finding({ checkId: 'C-MD-01', pillar: 'D', result, ...fields });
const BOT = (result: Finding['result']): Finding => finding({ checkId: 'C-BOT-01', pillar: 'B', result });

onEitherDatabase(async (t, engine) => {
  t.test('a missing proof and a lost ownership are said, with what to do; runs stay', async (t) => {
    const db = await engine.openDb(t);
    const { sites, site, member, page, path, finish, loseOwnership } = await openSitePages(t, db);
    await finish(MD('PASS'));
    const missing = { since: '2026-03-12T12:00:00.000Z', days: 3 };
    const marks = { proof_missing_since: missing.since, proof_missed_days: missing.days };
    await updateRows(db, 'sites', { id: site.id }, marks);
    t.match(readPage(await page()).notices[0], /3 days ago.*\b27 days/);
    t.ok(formTo(await page(), `${path}/runs`));
    const paths = ['/sites', path, `${path}/verify`];
    for (const path of paths) t.match((await member.get(path)).text, describeMissing(missing), path);
    await loseOwnership('2026-03-15T11:00:00.000Z');
    const text = await page();
    t.match(text, /No longer verified.*\b1 hour ago/s);
    t.notOk(formTo(text, `${path}/runs`));
    t.match(readPage(await page('/runs')).heading, /^1 .*\b100\b/);
    t.match(readPage((await member.get('/sites')).text).text, 'No longer');
    await sites.markVerified(site.id, 'dns');
    t.ok(formTo(await page(), `${path}/runs`));
    for (const path of paths) t.notMatch((await member.get(path)).text, describeMissing(missing), path);
  });

  t.test('a site is added by its host name or by any of its pages, and is to be verified next', async (t) => {
    const { member, sites } = await openSitePages(t, await engine.openDb(t));
    t.same(formTo((await member.get('/sites/new')).text, '/sites')?.fields, { site: '' });
    for (const [typed, hostname, notice] of [
      [' Blog.Example.com ', 'blog.example.com', 'added'],
      ['https://www.harborbooks.example/shop?x=1', 'www.harborbooks.example', 'added-from-page'],
    ] as const) {
      const added = await member.post('/sites', { site: typed });
      const site = (await sites.list(member.account.id)).find((one) => one.hostname === hostname);
      t.match(added, { status: 303, headers: { location: `/sites/${site?.id}/verify?notice=${notice}` } });
      const page = readPage((await member.get(added.headers.location ?? '')).text);
      t.match(page, { notices: [String], heading: hostname });
    }
  });

  t.test('what cannot be added is said next to the field, which keeps what was typed', async (t) => {
    const { member } = await openSitePages(t, await engine.openDb(t), {
      vetSite: (origin) => origin.hostname !== 'refused.example.com',
    });
    for (const typed of ['', 'shop.example.com', 'refused.example.com', 'x'.repeat(301)]) {
      const { status, text } = await member.post('/sites', { site: typed });
      t.match({ status, ...readPage(text) }, { status: 422, notices: [], invalid: ['site'] }, typed);
      t.match(text, /<title>Error: .*name="site"[^>]* aria-describedby="site-error[^>]* autofocus/s);
      t.same(formTo(text, '/sites')?.fields, { site: typed });
    }
  });

  t.test('the ways to prove ownership, and what a check saw', async (t) => {
    const db = await engine.openDb(t);
    const published: string[] = [];
    const { member, ownership } = await openSitePages(t, db, {
      resolveTxt: ownershipRecords(() => published),
      openVisit: async () => visitWithoutAnswers(),
    });
    const site = await addSite(db, member.account.id, { hostname: 'new.example.com', isVerified: false });
    const { token } = await ownership.instructions(site);
    for (const path of [`/sites/${site.id}`, `/sites/${site.id}/verify`]) {
      const { text } = await member.get(path);
      t.match(text, '_agent-readiness.new.example.com', path);
      t.match(text, 'https://new.example.com/.well-known/agent-readiness-verification.txt', path);
      t.match(text, `&lt;meta name=&quot;agent-readiness-verification&quot; content=&quot;${token}&quot;>`, path);
      t.equal(text.split('class="code"').length - 1, 7, 'each text to publish can be copied');
      t.ok(formTo(text, `/sites/${site.id}/verify`), path);
    }
    const address = await addSite(db, member.account.id, { hostname: '192.0.2.7', isVerified: false });
    t.notMatch((await member.get(`/sites/${address.id}`)).text, '_agent-readiness.', 'an address has no DNS record');
    const { attempts } = await ownership.verify(
      await findOwnSite(db, { accountId: member.account.id, siteId: site.id }),
    );
    const refused = await member.post(`/sites/${site.id}/verify`);
    t.match({ status: refused.status, ...readPage(refused.text) }, { status: 200, notices: [String] });
    for (const { seen } of attempts) t.match(readPage(refused.text).text, seen, 'what a check saw');

    published.push(token);
    const proved = await member.post(`/sites/${site.id}/verify`);
    t.same([proved.status, proved.headers.location], [303, `/sites/${site.id}?notice=verified`]);
    t.match((await member.get(`/sites/${site.id}/verify`)).text, `${VERIFIED_BY_WORDS.dns}.`);
  });

  t.test('a site is removed once its name is typed', async (t) => {
    const { member, site, finish, db } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'));
    const hard = await addSite(db, member.account.id, { hostname: 'xn--hxt89p819acga.example' });
    for (const [{ id, hostname }, word, others, runs] of [
      [site, 'shop.example.com', ['shop.example.org', ''], '1 run '],
      [hard, domainToUnicode(hard.hostname), [hard.id, hard.hostname], '0 runs '],
    ] as const) {
      const path = `/sites/${id}/remove`;
      const asked = (await member.get(path)).text;
      t.match(asked, `<bdi>${word}</bdi>`);
      t.match(readPage(asked).text, runs);
      t.match(readPage(asked).text, hostname, 'its ASCII name');
      for (const name of others) {
        const refused = await member.post(path, { name });
        t.match(refused, { status: 422, text: `<bdi>${word}</bdi>` });
        t.same(readPage(refused.text).invalid, ['name'], name);
        t.same(formTo(refused.text, path)?.fields, { name });
      }
      t.equal((await member.get(`/sites/${id}`)).status, 200, 'it is still there');
      const removed = await member.post(path, { name: ` ${word.toUpperCase()} ` });
      t.same([removed.status, removed.headers.location], [303, '/sites?notice=removed']);
      t.equal(readPage((await member.get('/sites?notice=removed')).text).notices.length, 1);
      t.equal((await member.get(`/sites/${id}`)).status, 404);
    }
  });

  t.test('the answer first: score, what changed, what to fix, then the rest', async (t) => {
    const { finish, page, path } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'), BOT('FAIL'));
    await finish(
      finding({ checkId: 'C-LLMS-01', pillar: 'A', result: 'PASS' }),
      finding({ checkId: 'C-SITE-01', pillar: 'A', result: 'UNDETERMINED', detail: 'It did not answer.' }),
      BOT('PASS'),
      finding({ checkId: 'C-SD-01', pillar: 'C', result: 'FAIL', errorType: 'NO_JSONLD' }),
      finding({ checkId: 'C-MD-01', pillar: 'D', result: 'FAIL', errorType: 'NO_NEGOTIATION' }),
      finding({ checkId: 'C-WK-01', pillar: 'D', result: 'FAIL', scored: false }),
      finding({ checkId: 'C-WK-02', pillar: 'D', result: 'FAIL' }),
      finding({ checkId: 'C-WK-03', pillar: 'D', result: 'NOT_APPLICABLE' }),
    );
    const html = await page();
    const words = wordsOf(html);
    t.match(words, /33 of 100 3 .*1 not scored .* 83 .*down 17 .* 2 of 6 /);
    const compared = readPage(html).links.filter(({ href }) => href === `${path}/compare?from=1&to=2`);
    t.match(compared, [{ text: /^1 new .* 1 fixed, down 17 / }]);
    const broken = ['<h3>Broken</h3>', 'id="C-WK-02"', 'id="C-WK-01"'];
    const missing = ['<h3>Missing</h3>', 'id="C-SD-01"', 'id="C-MD-01"'];
    const others = ['passed"', 'C-LLMS-01"', 'undetermined"', 'C-SITE-01"', 'do-not-apply"', 'C-WK-03"'];
    // The gravest come first, and of these what gains most.
    t.ok(isInOrder(html, ...broken, ...missing, ...others.map((id) => `id="${id}`)));
    t.match(html, `href="${path}/runs/2/checks/C-LLMS-01">title of C-LLMS-01</a>`, 'what passed has its page');
    t.match(words, ' +17 points C-MD-01');
    const forAgents = readPage(html).links.filter(({ href }) => href.startsWith(`${path}/runs/2/agent?check=`));
    t.equal(forAgents.length, 4, 'what did not fail needs no fix');
  });

  t.test('a site page promises no more than is known, and says what was not tested', async (t) => {
    const { run, finish, page } = await openSitePages(t, await engine.openDb(t));
    const untested = { result: 'NOT_APPLICABLE', detail: NAMES_NOT_TRIED.text } as const;
    const llms = finding({ checkId: 'C-LLMS-01', result: 'FAIL' });
    await run([MD('FAIL'), llms, BOT('PASS'), finding({ checkId: 'C-BOT-03', ...untested })], {
      gains: [{ checkId: 'C-MD-01', points: 33, isAtLeast: true }],
    });
    const html = await page();
    t.match(wordsOf(html), /Both fixed: 100 .* \+\d+ or more points C-MD-01/);
    t.match(html, /<details class="fold" id="not-tested" open>.*verify ownership.*id="passed">/s);
    await finish(MD('PASS'), BOT('PASS'));
    const passed = await page();
    t.match(passed, /<details class="fold" id="passed" open>/, 'there is nothing else');
    t.notMatch(passed, /id="fixed"| fixed: |>To fix/);
    for (let count = 0; count < 52; count += 1) await finish(MD('FAIL'), BOT(count < 51 ? 'PASS' : 'FAIL'));
    for (const remark of ['C-BOT-01 New in run 54', 'C-MD-01 for more than 50 runs'])
      t.match(wordsOf(await page()), remark);
    t.notMatch(wordsOf(await page('/runs/1')), ' fixed: ', 'an older run promises nothing');
  });

  t.test('null is not zero: no score says why, and is a gap in the chart', async (t) => {
    const { finish, page, member, path } = await openSitePages(t, await engine.openDb(t));
    await finish(MD('PASS'));
    await finish(MD('UNDETERMINED', { detail: 'The site did not answer.' }));
    const html = await page();
    t.equal(html.split('The site did not answer').length, 2, 'the cause, once');
    t.notMatch(wordsOf(html), / of \d+ checks/, 'no count that looks like a score');
    t.notMatch(html, /href="#C-|\/compare\?/, 'no finding to lead to, and nothing to compare with');
    t.notMatch(html, /role="img" aria-label="Score/, 'one score shows no way');
    t.match((await member.get('/sites')).text, 'No score, 1 run');
    await finish(MD('FAIL'));
    const scored = await page();
    t.match(wordsOf(scored), /\b0 of 100 .* down 100 /);
    t.match(scored, `${path}/compare?from=1&amp;to=3`, 'compared with the last run that has a score');
  });

  t.test('the page of a site with twelve failures, a fix for each server, stays below 60 kB', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    const findings = CHECKS.map((check, index) =>
      findingFrom(check, index < 12 ? { result: 'FAIL', detail: 'x'.repeat(300) } : { result: 'PASS' }),
    );
    for (let count = 0; count < 30; count += 1) await finish(...findings);
    for (const path of ['', '/runs/30', '/compare?from=1&to=2', '/runs']) {
      const bytes = Buffer.byteLength(await page(path));
      t.ok(bytes <= 60_000, `${path}: ${bytes} bytes`);
    }
  });

  t.test('a manual run shows progress without and with JavaScript, then its page, or that we failed', async (t) => {
    const held = new HeldScan();
    const { member, page, path, runsSettled } = await openSitePages(t, await engine.openDb(t), { scan: held.scan });
    t.match(readPage(await page()).heading, 'No runs yet');
    t.ok(formTo(await page(), `${path}/runs`));
    const started = await member.post(`${path}/runs`);
    t.same([started.status, started.headers.location], [303, path]);
    await held.begun(1);
    held.last.progress(7, [{ checkId: 'C-LLMS-01', result: 'PASS' }]);
    await until(async () => (await member.get(path)).text.includes('value="1"></progress>'));
    const { text } = await member.get(path);
    t.match(text, `<noscript><meta http-equiv="refresh" content="3;url=${path}"/></noscript>`);
    t.match(text, '<main id="main" tabindex="-1" data-live="true">');
    t.match(wordsOf(text), ` 1 of ${CHECKS.length} `);
    t.match(readPage(text).notices, [/^\D+$/], 'new words now and then only');
    t.equal((await member.post(`${path}/runs`)).status, 303, 'a second start joins the first');

    held.last.progress(20, [
      { checkId: 'C-LLMS-01', result: 'PASS' },
      { checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' },
    ]);
    const headline = headlineOf({ checkId: 'C-BOT-01', errorType: 'BLOCKED', title: null });
    await until(async () => (await member.get(path)).text.includes(headline));
    held.last.finish(scanReport());
    await runsSettled();
    t.match((await member.get(path)).text, /^(?!.*data-live).*of 100/s);
    await member.post(`${path}/runs`);
    await held.begun(2);
    held.last.fail(new Error('secret of the database'));
    await runsSettled();
    const failed = await member.get(path);
    t.match(readPage(failed.text), { notices: [/our side/, ''] });
    t.notMatch(failed.text, 'secret');
  });

  t.test('manual runs have a daily limit', async (t) => {
    const { member, path, runsSettled } = await openSitePages(t, await engine.openDb(t));
    for (let count = 0; count < 10; count += 1) {
      await member.post(`${path}/runs`);
      await runsSettled();
    }
    const refused = await member.post(`${path}/runs`);
    t.match(refused, { status: 429, headers: { 'retry-after': '43200' } });
    t.match(readPage(refused.text), { notices: [/00:00 UTC/, ''], text: /\b10 .* 00:00 UTC/ });
    t.notOk(formTo(refused.text, `${path}/runs`), 'no run can be started');
  });

  t.test('the page of a run: as it was, alongside the others', async (t) => {
    const { run, finish, page, member, path } = await openSitePages(t, await engine.openDb(t));
    await run([MD('FAIL')], { notes: NOTES });
    t.notMatch(await page('/runs/1'), /rel="(prev|next)"/, 'the only run has no neighbours');
    await finish(MD('PASS'));
    await finish(MD('PASS'));
    const first = await page('/runs/1');
    t.ok(isInOrder(first, NOTES[0].text, 'id="C-MD-01"', NOTES[1].text), 'advice after what counts');
    t.match(wordsOf(first), RELEASE, 'the version that judged it');
    t.match(readPage(first).heading, 'Run 1: ');
    t.match(first, `href="${path}/runs/2" rel="next"`);
    const second = await page('/runs/2');
    t.match(readPage(second).heading, 'Run 2: 1 fixed');
    t.match(second, `href="${path}/compare?from=1&amp;to=2"`);
    t.notMatch(await page('/runs/3'), /rel="next"|no change/, 'each fact once');
    for (const number of ['0', '01', '4', '1e0', '99999999999', '-1', 'x']) {
      t.equal((await member.get(`${path}/runs/${number}`)).status, 404, number);
    }
  });

  t.test('a run whose checks, pillars and error types no longer exist is shown', async (t) => {
    const { finish, page } = await openSitePages(t, await engine.openDb(t));
    const old = { pillar: 'Z', errorType: 'RETIRED' } as unknown as Partial<Finding>;
    const bare = { title: null, detail: null, explanation: null, fix: null };
    await finish(finding({ ...old, ...bare, checkId: 'C-OLD-01', result: 'FAIL' }), MD('PASS'));
    await finish(MD('PASS'));
    t.match(wordsOf(await page('/runs/1')), ' C-OLD-01 +50 points C-OLD-01 ');
    t.match(wordsOf(await page('/compare?from=1&to=2')), /Not comparable .* C-OLD-01/);
  });

  t.test('a coding agent can get all failures of a run, or one', async (t) => {
    const { member, finish, page, path } = await openSitePages(t, await engine.openDb(t));
    await finish(finding({ checkId: 'C-LLMS-01', result: 'FAIL' }), BOT('PASS'));
    const html = await page('/runs/1');
    t.match(html, `href="${path}/runs/1/agent" data-copy`);
    t.match(html, `href="${path}/runs/1/agent?check=C-LLMS-01" data-copy`);
    t.notMatch(html, 'check=C-BOT-01');
    const all = await member.get(`${path}/runs/1/agent`);
    t.match(all.headers, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    const headline = headlineOf({ checkId: 'C-LLMS-01', errorType: 'MISSING', title: null });
    t.match(all.text, /^# .* https:\/\/shop\.example\.com /);
    t.match(all.text, `\n## 1. ${headline}\n`);
    const { text: one } = await member.get(`${path}/runs/1/agent?check=C-LLMS-01`);
    t.ok(one.startsWith(`# ${headline}\n`));
    for (const check of ['C-BOT-01', 'C-NONE-01', '__proto__']) {
      t.equal((await member.get(`${path}/runs/1/agent?check=${check}`)).status, 404, check);
    }
  });
});
