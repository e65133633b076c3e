import type { Test } from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import type { EarlyResult } from '../../../src/scanner/report/progress.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { onSqlite, type TestEngine } from '../../support/databases.js';
import { ANSWER, finding, MOVE_NOTE, NOTES } from '../../support/reports.js';
import { HeldScan } from '../../support/held-scan.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { formTo, readPage } from '../../support/page.js';
import { startWeb, type WebOptions } from '../../support/web.js';

const FINDINGS: readonly Finding[] = CHECKS.map(({ id, pillar, title }, index) =>
  finding({ checkId: id, pillar, title, result: index === 0 ? 'FAIL' : 'PASS', detail: index === 0 ? 'Gone.' : null }),
);

/** The pages over real free scans, which the test advances. */
async function prepare(t: Test, engine: TestEngine, options: WebOptions = {}) {
  const db = await engine.openDb(t);
  const clock = new TestClock();
  const held = new HeldScan();
  const vetSite = ({ hostname }: URL) => hostname !== 'nas.internal';
  const web = await startWeb(t, db, { scanFree: held.scan, vetSite, clock, ...options });
  const visitor = web.newVisitor();
  const scan = (site: string, headers = {}) => visitor.post('/scan', { site }, headers);
  const finish = () =>
    held.last.finish({ ...scanReport(94), finishedAt: clock.now(), findings: FINDINGS, answer: ANSWER });
  /** Returns a page once its scan has ended. */
  const result = async (path: string): Promise<HttpAnswer> => {
    for (;;) {
      const page = await visitor.get(path);
      if (!page.text.includes('data-live')) return page;
    }
  };
  /** The result page of a scan with this report. */
  const resultOf = async (report: Partial<ScanReport>, site = 'example.com'): Promise<HttpAnswer> => {
    await scan(site);
    await held.begun(1);
    held.last.finish({ ...scanReport(null), finishedAt: clock.now(), ...report });
    return result(`/scan/${site.replace('http://', '')}`);
  };
  return { ...web, visitor, held, clock, scan, finish, result, resultOf };
}

/** The results of seven checks that end early. */
const EARLY: readonly EarlyResult[] = [
  { checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' },
  { checkId: 'C-BOT-03', result: 'NOT_APPLICABLE' },
  ...['C-LLMS-01', 'C-LLMS-02', 'C-LLMS-03', 'C-LLMS-04', 'C-SITE-01'].map(
    (checkId) => ({ checkId, result: 'PASS' }) as const,
  ),
];

onSqlite(async (t, engine) => {
  t.test('the form starts a scan, and leads to the page that shows how it goes and what it comes to', async (t) => {
    const { visitor, scan, held, finish, result, clock } = await prepare(t, engine);
    const started = await scan('https://shop.example.com/a/page?q=1');
    t.match(started, { status: 303, headers: { location: '/scan/shop.example.com' } });
    await held.begun(1);
    held.last.progress(12, EARLY);
    const running = await visitor.get('/scan/shop.example.com');
    t.equal((await visitor.get('/scan/shop.example.com/agent')).status, 404, 'it still runs');
    t.match(running, { status: 200, text: `max="${CHECKS.length}" value="7"></progress>` });
    const { text, notices } = readPage(running.text);
    t.match(text, `1 failure${headlineOf({ checkId: 'C-BOT-01', errorType: 'BLOCKED', title: null })}`);
    t.match(text, 'Access2 of 3 done');
    t.match(notices, [`6 of ${CHECKS.length} `]);
    t.match(running.text, '<main id="main" tabindex="-1" data-live="true">', 'script polls the page');
    t.match(running.text, '<noscript><meta http-equiv="refresh" content="3;url=/scan/shop.example.com"');
    finish();
    const done = await result('/scan/shop.example.com');
    t.match(done, { status: 200, text: '<meta name="robots" content="noindex"' });
    t.match(
      done.text,
      /class="answer".*<b class="num">94<\/b>.*>To fix <span class="soft num">1<.*Passed <[^>]*>\d+</s,
    );
    t.match(readPage(done.text).text, /ChatGPTNo.*line 7 of robots\.txtClaude.*PerplexityNo.* 403Google/);
    const markdown = await visitor.get('/scan/shop.example.com/markdown');
    t.match(markdown.headers, { 'content-type': 'text/markdown; charset=utf-8', 'x-robots-tag': 'noindex' });
    t.match(markdown.text, /^# [^\n]* shop\.example\.com: 94 of 100\n.*\n- ChatGPT: \*\*No\*\*, blocked by line 7 /s);
    clock.set('2026-03-15T13:00:00.000Z');
    t.equal((await visitor.get('/scan/shop.example.com')).status, 404);
  });

  t.test('what cannot be scanned stays in the form, with what to do', async (t) => {
    const { scan, held, resultOf } = await prepare(t, engine);
    for (const [site, message] of Object.entries({ '': 'host name', 'nas.internal': '.internal' })) {
      const { status, text } = await scan(site);
      t.match({ status, ...readPage(text) }, { status: 422, invalid: ['site'], text: message });
      t.same(formTo(text, '/scan')?.fields, { site });
    }
    t.equal(held.started.length, 0);
    // That a host name does not exist is known after the scan.
    const detail = 'The home page cannot be read: the host name does not exist in DNS. Check the host name.';
    const findings = CHECKS.map(({ id }) => finding({ checkId: id, result: 'UNDETERMINED', detail }));
    const { status, text } = await resultOf({ findings }, 'exmaple.com');
    t.match({ status, ...readPage(text) }, { status: 404, invalid: ['site'] });
    t.same(formTo(text, '/scan')?.fields, { site: 'exmaple.com' });
  });

  t.test('over a limit the page says when to come back', async (t) => {
    const { scan, clock, finish, held } = await prepare(t, engine, { trustProxy: 1 });
    clock.set('2026-03-15T12:40:00.000Z');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let count = 0; count < 10; count += 1) {
      t.equal((await scan(`s${count}.example.com`, from('192.0.2.1'))).status, 303);
      await held.begun(count + 1);
      finish();
    }
    const refused = await scan('one-more.example.com', from('192.0.2.1'));
    t.match(refused, { status: 429, headers: { 'retry-after': '1200' }, text: 'value="one-more.example.com"' });
    t.match(readPage(refused.text).text, / 10 .* 20 minutes/);
    t.equal((await scan('s3.example.com', from('192.0.2.1'))).status, 303, 'an earlier result is free');
    t.equal((await scan('one-more.example.com', from('192.0.2.2'))).status, 303);
    await held.begun(11);
    finish();
  });

  t.test('looking starts no scan', async (t) => {
    const { visitor, held } = await prepare(t, engine);
    const none = await visitor.get('/scan/example.com');
    t.match(none, { status: 404, text: 'value="example.com"' });
    t.same(readPage(none.text).invalid, []);
    for (const path of ['%00', '%zz', 'EXAMPLE.com', 'a%2Fb', 'x'.repeat(3000), '%00/agent', 'example.com/agent'])
      t.equal((await visitor.get(`/scan/${path}`)).status, 404, path.slice(0, 40));
    for (const path of ['/scan', '/scan?site=example.com']) {
      t.match(await visitor.get(path), { status: 200, text: /<input [^>]*name="site"[^>]* value\/>/ }, path);
    }
    t.equal(held.started.length, 0);
  });

  t.test('a scan that failed by a fault of ours says so, and the next one may begin at once', async (t) => {
    const { scan, held, result } = await prepare(t, engine);
    await scan('example.com');
    await held.begun(1);
    held.last.fail(new Error('a secret'));
    const { text } = await result('/scan/example.com');
    t.match(text, 'not counted');
    t.match(text, 'value="example.com"');
    t.notMatch(text, 'a secret');
    t.equal((await scan('example.com')).status, 303);
    await held.begun(2);
    held.last.finish();
  });

  t.test('a result asks where the site runs, and shows the fixes for it', async (t) => {
    const { visitor, resultOf } = await prepare(t, engine);
    const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'WRONG_MIME', fix: null })];
    const { text } = await resultOf({ findings }, 'shop.example.com');
    t.match(text, /id="findings".*<select [^>]*name="platform".*id="C-LLMS-01"/s, 'before the first fix');
    t.match(text, '<form action="/scan/shop.example.com#findings"', 'the fixes have the focus then');
    t.notMatch(text, '>Fixes for ');
    const chosen = (await visitor.get('/scan/shop.example.com?platform=Shopify')).text;
    t.match(chosen, 'Shopify writes /llms.txt itself.');
    t.match(chosen, '<option value="Shopify" selected>');
    t.match(readPage(chosen).notices, ['Fixes for Shopify']);
    t.notMatch(chosen, /Choose your platform|data-name="nginx"/);
    t.match((await visitor.get('/scan/shop.example.com?platform=Geocities')).text, 'data-name="nginx"');
  });

  t.test('what is copied from a result has the fixes for the chosen platform', async (t) => {
    const { visitor, resultOf } = await prepare(t, engine);
    const fix = 'Publish it.\n\nIn nginx:\n\nAdd a block.\n\nIn Apache:\n\nAdd a line.';
    const findings = [finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING', fix })];
    await resultOf({ findings }, 'shop.example.com');
    const { text } = await visitor.get('/scan/shop.example.com?platform=Vercel+and+Netlify');
    const own = '/scan/shop.example.com/agent?platform=Vercel%20and%20Netlify';
    t.match(text, `href="${own}" data-copy`);
    t.match(text, `href="${own}&amp;check=C-LLMS-01" data-copy`);
    for (const path of ['agent?platform=nginx', 'agent?platform=nginx&check=C-LLMS-01', 'markdown?platform=nginx']) {
      const copied = (await visitor.get(`/scan/shop.example.com/${path}`)).text;
      t.match(copied, 'Add a block.', path);
      t.notMatch(copied, 'Apache', path);
    }
    const ofShopify = await visitor.get('/scan/shop.example.com/agent?platform=Shopify');
    t.match(ofShopify.text, 'Shopify writes /llms.txt itself.');
    const { text: all } = await visitor.get('/scan/shop.example.com/agent');
    t.match(
      all,
      /^# [^\n]*https:\/\/shop\.example\.com [^\n]*\n\n1 thing to fix\.\n.*nginx.*Apache/s,
      'all of them without one',
    );
  });

  t.test('a result offers to add the site, and an account keeps it', async (t) => {
    const { visitor, newMember, resultOf } = await prepare(t, engine, { isSignUpOpen: true });
    const { text } = await resultOf({ findings: FINDINGS }, 'shop.example.com');
    const add = encodeURIComponent('/sites/new?site=shop.example.com');
    for (const way of ['sign-in', 'sign-up']) t.match(text, `href="/${way}?next=${add}"`);
    t.equal((await visitor.get('/sites/new?site=shop.example.com')).headers.location, `/sign-in?next=${add}`);
    const member = await newMember();
    t.match((await member.get('/sites/new?site=shop.example.com')).text, 'value="shop.example.com"');
    t.same(formTo((await member.get('/scan/shop.example.com')).text, '/sites')?.fields, { site: 'shop.example.com' });
  });

  t.test('the forms of a result on another port name its scheme', async (t) => {
    const { newMember, resultOf } = await prepare(t, engine, { isSignUpOpen: true });
    const site = 'http://shop.example.com:8080';
    const { text } = await resultOf({ findings: FINDINGS }, site);
    t.match(text, `/sign-up?next=${encodeURIComponent(`/sites/new?site=${encodeURIComponent(site)}`)}`);
    t.same(formTo(text, '/scan')?.fields, { site });
    t.same(formTo((await (await newMember()).get('/scan/shop.example.com:8080')).text, '/sites')?.fields, { site });
  });

  t.test('no score is not zero', async (t) => {
    const { resultOf } = await prepare(t, engine);
    const detail = 'The site is down.';
    const findings = CHECKS.map(({ id }) => finding({ checkId: id, result: 'UNDETERMINED', detail }));
    const { text } = await resultOf({ findings, notes: NOTES });
    t.match(text, new RegExp(`role="note"><p>${NOTES[0].text.replace(/[().]/g, '\\$&')}`));
    t.match(text, />1<.*href="https:\/\/llmstxt.org\/".*href="\/checks#c-llms-02"/s);
    t.notMatch(text, 'name="platform"', 'nothing failed');
    t.match(text, '<b class="words">No score</b><span><strong>');
    t.equal(text.split('The site is down.').length, 2, 'the cause is named once');
  });

  t.test('a site that moved says so once, at its head, with a link to a scan of where it is now', async (t) => {
    const { resultOf, visitor } = await prepare(t, engine);
    const findings = CHECKS.map(({ id }) => finding({ checkId: id, result: 'NOT_APPLICABLE' }));
    const { text } = await resultOf({ findings, notes: [MOVE_NOTE], movedTo: 'www.new.example' });
    t.match(text, /role="note"><p>[^<]* redirects .*<a href="\/scan\/www\.new\.example">/);
    t.equal(text.split('redirects to').length, 2);
    t.notMatch(text, 'To fix', 'there is nothing to fix');
    t.match((await visitor.get('/scan/www.new.example')).text, 'value="www.new.example"');
  });
});
