import type { Test } from 'tap';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { formTo, readPage } from '../../support/page.js';
import { passedHeadline } from '../../../src/web/html/finding-view.js';
import { openSitePages } from '../../support/site-pages.js';
import { updateRows } from '../../support/tables.js';

const MD = finding({ checkId: 'C-MD-01', pillar: 'D', result: 'FAIL', errorType: 'NO_NEGOTIATION' });
const LLMS = finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING' });
const SITE = finding({ checkId: 'C-SITE-01', result: 'UNDETERMINED' });
const BOT = finding({ checkId: 'C-BOT-01', result: 'PASS' });

/** Opens a site whose run found two failures. */
async function prepare(t: Test, db: Database) {
  const pages = await openSitePages(t, db);
  const { member, path } = pages;
  await pages.finish(MD, LLMS, SITE, BOT);
  const row = async (checkId: string, page = path) =>
    new RegExp(`<(details|li)[^>]* id="${checkId}".*?</\\1>`, 's').exec((await member.get(page)).text)?.[0] ?? '';
  return { ...pages, row };
}

onEitherDatabase(async (t, engine) => {
  t.test('a recheck without script: the button, the progress, the result', async (t) => {
    const { member, path, row, held, rechecks, clock, finish } = await prepare(t, await engine.openDb(t));
    const again = `${path}/checks/C-MD-01`;
    t.match(await row('C-MD-01'), `<form method="post" action="${again}" data-in-place="true">`);
    t.match(await row('C-SITE-01'), `action="${path}/checks/C-SITE-01"`);
    t.notMatch(await row('C-BOT-01'), '<form', 'what passed needs no button');
    t.notMatch((await member.get(path)).text, 'http-equiv="refresh"');
    t.match(await member.post(again), { status: 303, headers: { location: `${path}#C-MD-01` } });
    await held.begun(1);
    // A browser does not reload for an address that differs only in the fragment.
    for (const [page, again] of [
      [path, `${path}?#C-MD-01`],
      [`${path}?`, `${path}#C-MD-01`],
      [`${path}/runs/1`, `${path}/runs/1`],
      [`${path}/runs/1/checks/C-MD-01`, `${path}/runs/1/checks/C-MD-01`],
    ] as const) {
      const { text } = await member.get(page);
      t.match(readPage(text).notices, [/checked/], page);
      t.match(text, `<noscript><meta http-equiv="refresh" content="3;url=${again}"/></noscript>`);
    }
    t.match((await member.get(path)).text, '<main id="main" tabindex="-1" data-live="true">');
    held.last.finish({ ...scanReport(null), findings: [{ ...MD, detail: 'It answers in HTML.' }] });
    await rechecks.settle();
    t.match(await row('C-MD-01'), / open>.*Still fails, .*just now.*It answers in HTML\./s);
    t.notMatch((await member.get(path)).text, 'data-live');
    const makeAgain = async (found: Finding | Error) => {
      clock.time = new Date(clock.time.getTime() + 120_000);
      const count = held.started.length;
      await member.post(again);
      await held.begun(count + 1);
      if (found instanceof Error) held.last.fail(found);
      else held.last.finish({ ...scanReport(null), findings: [found] });
      await rechecks.settle();
    };
    await makeAgain({ ...MD, result: 'PASS', errorType: null, detail: null });
    clock.time = new Date(clock.time.getTime() + 12_000);
    t.match(await row('C-MD-01'), /Passes now, .*just now/s);
    t.notMatch(await row('C-MD-01'), /#reason|fix of /, 'what passes now needs no fix');
    const passing = await member.get(`${path}/runs/1/checks/C-MD-01`);
    t.equal(readPage(passing.text).heading, passedHeadline(MD), 'it is not called by its failure');
    t.notMatch(passing.text, '<p class="lead">');
    const { text } = await member.get(path);
    t.match(readPage(text).notices, [/: It passes now$/]);
    t.match(readPage(text).text, /1 check fixed since run 1.*1 thing to fix.*Once fixed: \d+/);
    t.match(text, /To fix <[^>]*>1<.*id="C-LLMS-01".*>1<.*\/runs".*id="C-MD-01"/s);
    await makeAgain(new Error('a fault'));
    t.match(await row('C-MD-01'), /could not be checked.*not to blame/s);
    await makeAgain({ ...MD, errorType: 'WRONG_MIME' });
    t.match(await row('C-MD-01'), /It fails in another way: /);
    await finish(MD);
    t.notMatch(await row('C-MD-01'), 'checked again');
    t.notMatch(await row('C-MD-01', `${path}/runs/1`), '<form', 'an earlier run has no buttons');
  });

  t.test('a refused recheck says when to try again', async (t) => {
    const db = await engine.openDb(t);
    const { member, path, held, rechecks } = await prepare(t, db);
    await member.post(`${path}/checks/C-MD-01`);
    await held.begun(1);
    held.last.finish({ ...scanReport(null), findings: [MD] });
    await rechecks.settle();
    await updateRows(db, 'rate_windows', { scope: 'rechecks' }, { used: 60 });
    const refused = await member.post(`${path}/checks/C-MD-01`);
    t.match(refused, { status: 429, headers: { 'retry-after': /^\d+$/ } });
    t.match(refused.text, / 00:00 UTC\.<\/p><form method="post" action="[^"]*\/checks\/C-MD-01"/, 'at the button');
    const unlisted = await member.post(`${path}/checks/C-BOT-01`);
    t.match([unlisted.status, readPage(unlisted.text).notices[0]], [422, /did not fail/], 'at the top');
    t.equal((await member.post(`${path}/checks/%3Cb%3E`)).status, 422);
  });

  t.test('an accepted failure is listed separately, and the acceptance can be removed', async (t) => {
    const { member, path, row } = await prepare(t, await engine.openDb(t));
    const finding = `${path}/runs/1/checks/C-MD-01`;
    const accept = `${finding}/accept`;
    t.match((await member.get(path)).text, /To fix <[^>]*>2</);
    t.match(await row('C-MD-01'), `href="${finding}#reason"`);
    t.ok(formTo((await member.get(finding)).text, accept));
    for (const [reason, message] of Object.entries({ [' \u0000\n']: /why/, ['x'.repeat(301)]: / 300 .* 301/ })) {
      const { status, text } = await member.post(accept, { reason });
      t.match({ status, ...readPage(text) }, { status: 422, invalid: ['reason'], text: message });
    }
    t.equal((await member.post(accept, { reason: 'x'.repeat(300) })).status, 303);
    const posted = await member.post(accept, { reason: ' we serve\tpeople\n' });
    t.equal(posted.headers.location, `${finding}?notice=accepted`);
    for (const page of [path, `${path}/runs/1`]) {
      const { text } = await member.get(page);
      t.match(text, />25<.*Once fixed: 50<.*To fix <[^>]*>1<.*Accepted <[^>]*>1</s, 'its score is the same');
      t.match(await row('C-MD-01', page), '<bdi>we serve people</bdi>');
    }
    t.equal(readPage((await member.get(`${finding}?notice=accepted`)).text).notices.filter(Boolean).length, 1);
    const removed = await member.post(`${accept}/remove`);
    t.equal(removed.headers.location, `${finding}?notice=not-accepted`);
    t.match((await member.get(path)).text, /To fix <[^>]*>2</);
  });

  t.test('unknown failures and unverified sites are refused', async (t) => {
    const { member, path, row, loseOwnership, finish } = await prepare(t, await engine.openDb(t));
    for (const unknown of ['C-BOT-01', 'C-NONE-01', 'constructor']) {
      const accept = `${path}/runs/1/checks/${unknown}/accept`;
      t.equal((await member.post(accept, { reason: 'none' })).status, 404, unknown);
    }
    await finish({ ...MD, result: 'PASS', errorType: null }, LLMS);
    t.equal((await member.post(`${path}/runs/1/checks/C-MD-01/accept`, { reason: 'none' })).status, 422, 'it is fixed');
    await loseOwnership();
    t.notMatch(await row('C-MD-01', `${path}/runs/1`), '<form');
    t.equal((await member.post(`${path}/checks/C-MD-01`)).status, 409);
  });
});
