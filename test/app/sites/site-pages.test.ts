import type { Test } from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Note } from '../../../src/scanner/verdict/note.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { gainsOf } from '../../../src/scanner/report/gains-of.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import { queueFirstRun } from '../../../src/app/runs/manual-runs.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { createSites } from '../../../src/app/sites/sites.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addSite, RELEASE, scanReport, TestClock } from '../../support/accounts.js';
import { dropGuards } from '../../support/drop-guards.js';
import { openStream, wordsOf } from '../../support/page-words.js';
import { runStatements } from '../../support/raw-connection.js';
import { insertRow } from '../../support/tables.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding, findingFrom } from '../../support/findings.js';
import { HeldScan } from '../../support/held-scan.js';
import { until } from '../../support/held-timers.js';
import { NOTES } from '../../support/notes.js';
import { startWeb, type WebOptions } from '../../support/web.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';

/** A member with a verified site, whose scans find what a test says. */
async function prepare(t: Test, db: Database, options: WebOptions = {}) {
  let findings: readonly Finding[] = [];
  let notes: readonly Note[] = [];
  const scan: Scanner = async () => ({ ...reportOf(findings), notes });
  const web = await startWeb(t, db, { scan, ...options });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id);
  const finish = async (...found: readonly Finding[]) => {
    findings = found;
    await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
  };
  /** Has the scans to come advise so. */
  const advise = (given: readonly Note[]) => (notes = given);
  /** A page, which must be there. */
  const page = async (path = '') => {
    const answer = await member.get(`/sites/${site.id}${path}`);
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
    return answer.text;
  };
  return { ...web, member, site, path: `/sites/${site.id}`, finish, advise, page };
}

function reportOf(findings: readonly Finding[]): ScanReport {
  const startedAt = new Date('2026-03-15T11:59:30.000Z');
  return { ...scanReport(scoreOf(findings)), startedAt, findings, gains: gainsOf([], findings, {}) };
}

/** Where each of the texts stands in the page: in this order, when the numbers go up. */
function isInOrder(html: string, ...texts: readonly string[]): boolean {
  const places = texts.map((text) => html.indexOf(text));
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}

const MD = (result: Finding['result'], fields: Partial<Finding> = {}): Finding =>
  finding({ checkId: 'C-MD-01', pillar: 'D', result, ...fields });
const BOT = (result: Finding['result']): Finding => finding({ checkId: 'C-BOT-01', pillar: 'B', result });

const lose = defineQuery<never, { id: string; at: string }>((sql, { id, at }) =>
  sql('sites').where({ id }).update({ verified_at: null, verified_by: null, ownership_lost_at: at }),
);

const setDue = defineQuery<never, { id: string; due_at: string }>((sql, { id, due_at }) =>
  sql('sites').where({ id }).update({ proof_due_at: due_at }),
);
const setSeen = defineQuery<never, { id: string; is_absent: number; is_gone: number }>(
  (sql, { id, is_absent, is_gone }) => sql('unread_proofs').where({ site_id: id }).update({ is_absent, is_gone }),
);

const setUnreadDays = defineQuery<never, { id: string; days: number }>((sql, { id, days }) =>
  sql('unread_proofs').where({ site_id: id }).update({ days }),
);

onEachDatabase(async (t, engine) => {
  t.test('a site whose ownership was lost says so, and what to do; its runs stay', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const { id } = await addSite(web.db, member.account.id);
    await web.runs.start({ accountId: member.account.id, siteId: id, trigger: 'MANUAL' });
    await web.db.run(lose({ id, at: '2026-03-15T11:00:00.000Z' }));
    const page = await member.get(`/sites/${id}`);
    t.match(
      page.text,
      /No longer verified since .*1 hour ago.*could not find the proof that the domain is yours.*Its runs are kept/s,
    );
    t.match(page.text, 'A DNS record');
    t.notMatch(page.text, 'Run now');
    t.match((await member.get(`/sites/${id}/runs`)).text, /1 run, 100 of 100/);
    t.match((await member.get('/sites')).text, /No longer verified: verify again/);
    await web.sites.markVerified(id, 'dns');
    t.match((await member.get(`/sites/${id}`)).text, 'Run now');
    t.match((await member.get(`/sites/${id}/verify`)).text, /looked for again every 30 days/);
  });

  t.test('a site whose proof is not found says for how long, what that means, and what to publish', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const { id } = await addSite(web.db, member.account.id, { isVerified: false });
    await web.sites.markVerified(id, 'file');
    const due_at = '2026-03-16T12:00:00.000Z';
    await web.db.run(setDue({ id, due_at }));
    const row = { site_id: id, due_at, since: '2026-03-12T12:00:00.000Z', last_day: '2026-03-15', is_gone: 0 };
    await insertRow(web.db, 'unread_proofs', { ...row, days: 3, gone_days: 0, told: 1 });
    const page = wordsOf((await member.get(`/sites/${id}`)).text);
    t.match(page, /We could not read your proof for 3 days\. We first missed it 3 days ago/);
    t.match(
      page,
      /After 7 days without it, runs do not try the names of AI agents.*after 30 the site is no longer verified/,
    );
    t.match(page, /TXT record, which no firewall hides.*_agent-readiness\.shop\.example\.com/);
    t.match(page, 'Run now');
    for (const path of ['/sites', `/sites/${id}/verify`]) {
      t.match(wordsOf((await member.get(path)).text), 'We could not read your proof for 3 days', path);
    }
    await web.db.run(setSeen({ id, is_absent: 1, is_gone: 0 }));
    const absent = wordsOf((await member.get(`/sites/${id}`)).text);
    t.match(
      absent,
      /Your proof is not there\..*If it is still not there when we look a day later, the site is no longer/,
    );
    await web.db.run(setSeen({ id, is_absent: 0, is_gone: 1 }));
    const gone = wordsOf((await member.get(`/sites/${id}`)).text);
    t.match(
      gone,
      /the DNS says that the name does not exist\..*If the name does not exist on 3 more days, the site is no/,
    );
    t.notMatch(absent + gone, 'could not read');
    await web.db.run(setSeen({ id, is_absent: 0, is_gone: 0 }));
    await web.db.run(setUnreadDays({ id, days: 7 }));
    t.match(wordsOf((await member.get(`/sites/${id}`)).text), /Until we find it, runs do not.* In 23 days/);
    await web.sites.markVerified(id, 'file');
    for (const path of ['/sites', `/sites/${id}`, `/sites/${id}/verify`]) {
      t.notMatch((await member.get(path)).text, 'could not read', path);
    }
    await web.sites.markVerified(id, 'domain');
    await web.db.run(setDue({ id, due_at }));
    t.match(
      wordsOf((await member.get(`/sites/${id}`)).text),
      /TXT record again, which verified your sites of example\.com:.*_agent-readiness\.example\.com.*subdomains/,
      'the record that was published',
    );
  });

  t.test('a site is added by its host name, and is to be verified next', async (t) => {
    const db = await engine.openDb(t);
    const { member, sites } = await prepare(t, db);
    t.match((await member.get('/sites/new')).text, /name="site"/);
    const added = await member.post('/sites', { site: ' Blog.Example.com ' });
    t.equal(added.status, 303);
    const site = (await sites.list(member.account.id)).find(({ hostname }) => hostname === 'blog.example.com');
    t.equal(added.headers.location, `/sites/${site?.id}/verify?notice=added`);
    t.match(wordsOf((await member.get(added.headers.location ?? '')).text), /Added as blog\. example\. com\./);
  });

  t.test('what cannot be added is said next to the field, which keeps what was typed', async (t) => {
    const { member } = await prepare(t, await engine.openDb(t), {
      vetSite: (origin) => origin.hostname !== 'refused.example.com',
    });
    const cases: [typed: string, message: RegExp][] = [
      ['', /Give the site as a host name/],
      ['shop.example.com', /has this site already/],
      ['refused.example.com', /Only public sites on the usual ports/],
      ['"><script>alert(1)</script>', /not a host name/],
      ['x'.repeat(301), /too long/],
    ];
    for (const [typed, message] of cases) {
      const { status, text } = await member.post('/sites', { site: typed });
      t.equal(status, 422, typed);
      t.match(text, message, typed);
      t.match(
        text,
        /<input [^>]*name="site"[^>]* aria-describedby="site-error[^>]* autofocus/,
        'the field has the focus',
      );
      t.equal(text.match(message)?.length, 1);
      t.notMatch(text, 'role="alert"', 'nothing says it a second time');
      t.match(text, /<title>Error: Add a site/);
      const escaped = typed.replaceAll('"', '&quot;').replaceAll('<', '&lt;');
      t.ok(text.includes(`value="${escaped}"`) || typed === '', `${typed} is kept`);
      t.notMatch(text, '<script>alert');
    }
  });

  t.test('the ways to prove ownership, and what a check saw', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const published: string[] = [];
    const ownership = createOwnership({
      sites: createSites({ db, clock, vetSite: () => true }),
      rateLimits: createRateLimits({ db, clock }),
      onFirstProof: queueFirstRun,
      resolveTxt: async () => published,
      openVisit: async () => ({
        visit: {
          fetch: async () => ({ failure: 'reset' }),
          userAgent: 'test',
          pause: async () => undefined,
          requestCount: 0,
          siteRequestCount: 0,
          deadline: new AbortController().signal,
          isStarved: false,
          keepPace: () => undefined,
          noteMove: () => undefined,
          read: () => Promise.reject(new Error('nothing large is read')),
          refuses: () => false,
        },
        close: async () => undefined,
      }),
    });
    const held = new HeldScan();
    const { member, runsSettled } = await prepare(t, db, { ownership, scan: held.scan });
    const site = await addSite(db, member.account.id, { hostname: 'new.example.com', isVerified: false });
    const { token } = await ownership.instructions(site.id);
    for (const path of [`/sites/${site.id}`, `/sites/${site.id}/verify`]) {
      const { text } = await member.get(path);
      t.match(text, '_agent-readiness.new.example.com', path);
      t.match(text, 'https://new.example.com/.well-known/agent-readiness-verification.txt', path);
      t.match(text, `&lt;meta name=&quot;agent-readiness-verification&quot; content=&quot;${token}&quot;>`, path);
      t.equal(text.split('class="code"').length - 1, 7, 'each text to publish can be copied');
      t.match(text, 'Check ownership now', path);
      t.match(wordsOf(text), /Add the site, done Show that it is yours See the first run It starts at once/, path);
    }
    const address = await addSite(db, member.account.id, { hostname: '192.0.2.7', isVerified: false });
    const ofAddress = wordsOf((await member.get(`/sites/${address.id}`)).text);
    t.match(ofAddress, 'A meta tag');
    t.notMatch(ofAddress, 'DNS');
    published.push('what a stranger wrote');
    const refused = await member.post(`/sites/${site.id}/verify`);
    t.equal(refused.status, 200);
    t.match(
      wordsOf(refused.text),
      new RegExp(
        `None of these was found .* Check ownership now .*A DNS record .*${token} Seen: TXT records of this name, but none with this value`,
      ),
    );
    t.notMatch(refused.text, 'stranger wrote', 'what the site sent is not repeated');
    t.match(refused.text, /<title>Error: Verify ownership/);

    published.push(token);
    const proved = await member.post(`/sites/${site.id}/verify`);
    t.same([proved.status, proved.headers.location], [303, `/sites/${site.id}?notice=verified`]);
    t.match(
      wordsOf((await member.get(`/sites/${site.id}?notice=verified`)).text),
      /checks done .*First run .*The domain is yours, verified .*You may leave this page/,
      'its first run has started by itself',
    );
    await held.begun(1);
    held.last.finish();
    await runsSettled();
    const verified = wordsOf((await member.get(`/sites/${site.id}/verify`)).text);
    t.match(verified, /The domain was verified .* by a DNS record/);
    t.notMatch(verified, 'Runs start once');

    const own = await findOwnSite(db, { accountId: member.account.id, siteId: site.id });
    for (let count = 0; count < 58; count += 1) await ownership.verify(own);
    const tooSoon = await member.post(`/sites/${site.id}/verify`);
    t.equal(tooSoon.status, 429);
    t.equal(tooSoon.headers['retry-after'], '3600');
    t.match(wordsOf(tooSoon.text), /This account has had 60 checks in an hour\. Check again in 60 minutes/);
    t.match(tooSoon.text, /<title>Error: Verify ownership/);
  });

  t.test('a site is removed once its name is typed', async (t) => {
    const { member, path, finish, page } = await prepare(t, await engine.openDb(t));
    await finish(MD('PASS'));
    await finish(MD('PASS'));
    t.match(wordsOf(await page('/remove')), /2 runs with all findings.*Its id .*Id and runs start afresh/);
    const wrong = await member.post(`${path}/remove`, { name: 'shop.example.org' });
    t.equal(wrong.status, 422);
    t.match(wrong.text, /That does not match\. Nothing was removed\./);
    t.match(wrong.text, 'value="shop.example.org"');
    t.equal((await member.get(path)).status, 200, 'it is still there');
    const removed = await member.post(`${path}/remove`, { name: ' Shop.example.com ' });
    t.same([removed.status, removed.headers.location], [303, '/sites?notice=removed']);
    t.match((await member.get('/sites?notice=removed')).text, /The site and its runs were removed/);
    t.equal((await member.get(path)).status, 404);
  });

  t.test(
    'a site whose name is hard to type is removed by the end of its id, and its name in ASCII is said',
    async (t) => {
      const { member, db } = await prepare(t, await engine.openDb(t));
      const { id } = await addSite(db, member.account.id, { hostname: 'xn--hxt89p819acga.example' });
      const path = `/sites/${id}`;
      const asked = wordsOf((await member.get(`${path}/remove`)).text);
      const word = id.slice(-6);
      t.match(asked, /Remove .*example \? xn--hxt89p819acga\.example This cannot be undone/);
      t.match(asked, `Type the end of its id to confirm ${word}`);
      for (const name of [id.slice(0, 6), `${word}x`, '']) {
        const refused = wordsOf((await member.post(`${path}/remove`, { name })).text);
        t.match(refused, `Type the end of its id to confirm ${word} That does not match. Nothing was removed.`, name);
      }
      t.equal((await member.post(`${path}/remove`, { name: word })).headers.location, '/sites?notice=removed');
    },
  );

  t.test('the page of a site without a run says what a run is', async (t) => {
    const { page } = await prepare(t, await engine.openDb(t));
    const words = wordsOf(await page());
    t.match(words, /No run yet A run visits the site .*Run now.*Next.*Run it every week.*By hand today 0 of 10 used/);
  });

  t.test('the answer first: score, what changed, what to fix, then the rest', async (t) => {
    const { finish, page, path } = await prepare(t, await engine.openDb(t));
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
    t.match(words, /33 of 100 3 things to fix, and 1 not scored All three fixed: 83 down 17 since run 1/);
    t.match(words, /Run 2, just now .*, by schedule 1 new failure, 1 fixed, 6 not comparable since run 1: compare/);
    t.match(words, '2 of 6 checks that apply pass');
    t.match(html, `${path}/compare?from=1&amp;to=2`);
    t.ok(
      isInOrder(
        html,
        'To fix <span class="soft num">3</span>',
        '<h3>Broken</h3>',
        'id="C-WK-02"',
        'id="C-WK-01"',
        '<h3>Missing</h3>',
        'id="C-SD-01"',
        'id="C-MD-01"',
        'id="passed"',
        'id="C-LLMS-01"',
        'id="undetermined"',
        'id="C-SITE-01"',
        'id="do-not-apply"',
        'id="C-WK-03"',
      ),
      'the gravest come first, and of these what gains most',
    );
    t.match(words, /Pages are not offered as Markdown It answers 404\. \+16 67 → 83 C-MD-01/);
    t.match(words, 'All three fixed: 83');
    t.match(words, /The site names an MCP server that is not there It answers 404\. not scored C-WK-01/);
    t.match(words, /New in run 2/);
    t.equal(html.split('<span>For your agent').length - 1, 4, 'what did not fail needs no fix');
    t.notMatch(html, / style=|<script(?! type="module" src=)/, 'nothing that the policy would refuse');
  });

  t.test('where nothing is left to fix, one press sets the schedule', async (t) => {
    const { finish, page, member, path } = await prepare(t, await engine.openDb(t));
    await finish(MD('PASS'));
    const html = await page();
    t.match(wordsOf(html), /you will not hear of a change\. Run it every week Add the badge/);
    t.match(html, `action="${path}/automation/schedule"><input type="hidden" name="frequency" value="WEEKLY"/>`);
    t.match(html, `href="${path}/runs/1/evidence/C-MD-01">title of C-MD-01</a>`, 'what passed has its page');
    t.equal((await member.post(`${path}/automation/schedule`, { frequency: 'WEEKLY' })).status, 303);
    t.match(wordsOf(await page()), /We look again every week\. Add the badge/);
  });

  t.test('since which run a finding is so', async (t) => {
    const { finish, page } = await prepare(t, await engine.openDb(t));
    await finish(MD('PASS'));
    for (let count = 0; count < 3; count += 1) await finish(MD('FAIL'));
    t.match(wordsOf(await page()), /C-MD-01 since run 2/);
    t.match(wordsOf(await page()), /1 thing to fix Once fixed: 100 no change since run 3: compare/);
  });

  t.test('null is not zero: no score says why, and is a gap in the chart', async (t) => {
    const { finish, page, member } = await prepare(t, await engine.openDb(t));
    await finish(MD('PASS'));
    await finish(MD('UNDETERMINED', { detail: 'The site did not answer.' }));
    const html = await page();
    t.match(wordsOf(html), /No score Nothing could be judged/);
    t.match(wordsOf(html), /The site did not answer\. No check could be judged, and none is held against you\./);
    t.equal(html.split('The site did not answer').length, 2, 'the cause, once');
    t.notMatch(wordsOf(html), 'checks that apply', 'and no count that looks like one');
    t.notMatch(html, '/compare?', 'it is compared with nothing');
    t.match(wordsOf(html), /The score before, of run 1: 100\./);
    t.notMatch(html, 'Score over', 'one score shows no way');
    t.match((await member.get('/sites')).text, 'No score, 1 run');
    await finish(MD('FAIL'));
    t.match(
      wordsOf(await page()),
      /0 of 100 1 thing to fix Once fixed: 100 down 100 since run 1.*1 new failure since run 1: compare/,
    );
  });

  t.test('the page of a site with twelve failures, a fix for each server, stays below 60 kB', async (t) => {
    const { finish, page } = await prepare(t, await engine.openDb(t));
    const findings = CHECKS.map((check, index) =>
      findingFrom(check, index < 12 ? { result: 'FAIL', detail: 'x'.repeat(300) } : { result: 'PASS' }),
    );
    for (let count = 0; count < 30; count += 1) await finish(...findings);
    for (const path of ['', '/runs/30', '/compare?from=1&to=2', '/runs']) {
      const bytes = Buffer.byteLength(await page(path));
      t.ok(bytes <= 60_000, `${path}: ${bytes} bytes`);
    }
  });

  t.test('a run by hand: progress without and with script, then its page', async (t) => {
    const held = new HeldScan();
    const { member, path, port, runsSettled } = await prepare(t, await engine.openDb(t), { scan: held.scan });
    const started = await member.post(`${path}/runs`);
    t.same([started.status, started.headers.location], [303, path]);
    await held.begun(1);
    held.last.progress(7, [{ checkId: 'C-LLMS-01', result: 'PASS' }]);
    await until(async () => (await member.get(path)).text.includes('aria-valuenow="1"'));
    const { text } = await member.get(path);
    t.match(text, `<noscript><meta http-equiv="refresh" content="3;url=${path}"/></noscript>`);
    t.match(text, `data-live="${path}/progress"`);
    t.match(wordsOf(text), `1 of ${CHECKS.length} checks done Reading the sitemap. First run`);
    t.match(wordsOf(text), 'While you wait set up once Run it every week');
    t.match(text, /role="status"[^>]*>It is running\.</, 'new words now and then only');
    t.equal((await member.post(`${path}/runs`)).status, 303, 'a second start joins the first');

    const stream = await openStream(port, `${path}/progress`, member.cookie ?? '');
    t.match(await stream.heard('1 of'), /Content-Type: text\/event-stream/);
    held.last.progress(20, [
      { checkId: 'C-LLMS-01', result: 'PASS' },
      { checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' },
    ]);
    const news = await stream.heard('robots.txt shuts AI agents out');
    t.notMatch(news.slice(news.lastIndexOf('event:')), 'live-reading', 'what has not changed is not sent again');
    held.last.finish(reportOf([MD('PASS')]));
    t.match(await stream.ended, `event: end\ndata: {"href":"${path}/runs/1"}`);
    await runsSettled();
    t.match(wordsOf((await member.get(path)).text), /100 of 100 Nothing to fix.*By hand today 1 of 10 used/);
    t.match((await member.get(`${path}/progress`)).text, `{"href":"${path}/runs/1"}`, 'whoever comes late');
  });

  t.test('without a run that goes on the stream leads back to the site', async (t) => {
    const { member, path } = await prepare(t, await engine.openDb(t));
    t.match((await member.get(`${path}/progress`)).text, `event: end\ndata: {"href":"${path}"}`);
  });

  t.test('a run that failed by our fault is said on the page of the site', async (t) => {
    const held = new HeldScan();
    const { member, path, runsSettled } = await prepare(t, await engine.openDb(t), { scan: held.scan });
    await member.post(`${path}/runs`);
    await held.begun(1);
    held.last.fail(new Error('secret of the database'));
    await runsSettled();
    t.match((await member.get(`${path}/progress`)).text, `{"href":"${path}"}`);
    const { text } = await member.get(path);
    t.match(wordsOf(text), /The run failed because of a fault on our side/);
    t.match(text, /<title>Error: Readiness of/);
    t.match(wordsOf(text), /By hand today 0 of 10 used/);
    t.notMatch(text, 'secret');
  });

  t.test('the runs by hand of a day end', async (t) => {
    const { member, path, runsSettled } = await prepare(t, await engine.openDb(t));
    for (let count = 0; count < 10; count += 1) {
      await member.post(`${path}/runs`);
      await runsSettled();
    }
    const { status, text, headers } = await member.post(`${path}/runs`);
    t.equal(status, 429);
    t.equal(headers['retry-after'], '43200');
    t.match(wordsOf(text), /You have used all of today’s manual runs/);
    t.match(text, /<title>Error: Readiness of/);
    t.match(text, /<button type="submit" disabled/);
    t.match(wordsOf(text), /All 10 runs by hand are used today\. They renew at 00:00 UTC\./);
  });

  t.test('a domain that is not verified starts no run', async (t) => {
    const db = await engine.openDb(t);
    const { member } = await prepare(t, db);
    const site = await addSite(db, member.account.id, { hostname: 'new.example.com', isVerified: false });
    t.equal((await member.post(`/sites/${site.id}/runs`)).status, 409);
  });

  t.test('the page of a run: as it was, alongside the others', async (t) => {
    const { advise, finish, page, member, path } = await prepare(t, await engine.openDb(t));
    advise(NOTES);
    await finish(MD('FAIL'));
    t.notMatch(await page('/runs/1'), 'Other runs', 'the only run has no neighbours');
    await finish(MD('PASS'));
    await finish(MD('PASS'));
    const first = await page('/runs/1');
    t.ok(isInOrder(first, NOTES[0].text, 'Fixed since', 'Worth a look', NOTES[1].text), 'advice after what counts');
    t.match(first, '<title>Run 1, shop.example.com · Agent Readiness Scan</title>');
    t.match(wordsOf(first), /0 of 100 All fixed since/);
    t.match(wordsOf(first), /Failed since run 1, fixed in run 2/);
    for (const link of [`${path}/runs/2`, `${path}/runs/3`, `${path}/runs/1.json`, `${path}/runs/1.csv`]) {
      t.match(first, `href="${link}"`, link);
    }
    t.match(wordsOf(first), /Run 1: the first An older run\. Its one failure is fixed now\. See run 3, the latest/);
    t.match(first, 'rel="next">Run 2<');
    const second = await page('/runs/2');
    t.match(wordsOf(second), / Run 2: 1 fixed An older run\. See run 3, the latest\. /);
    t.match(second, `href="${path}/compare?from=1&amp;to=2">Compare with run 1</a>`);
    const third = wordsOf(await page('/runs/3'));
    t.match(third, / Run 3: nothing new, nothing fixed Compare with run 2 ← Run 2 .*the same score as run 2 /);
    t.notMatch(third, /older run|no change/, 'each fact once');
    for (const number of ['0', '01', '4', '1e0', '99999999999', '-1', 'x']) {
      t.equal((await member.get(`${path}/runs/${number}`)).status, 404, number);
    }
  });

  t.test('the page of a run has its digest, or says that the run does not match it', async (t) => {
    const db = await engine.openDb(t);
    const { finish, page } = await prepare(t, db);
    await finish(MD('PASS'));
    await finish(MD('PASS'));
    const [, digest] =
      /The digest of this run and all runs before it is ([0-9a-f]{64})/.exec(wordsOf(await page('/runs/2'))) ?? [];
    t.ok(digest);
    t.notMatch(await page('/runs/1'), digest);
    const words = wordsOf(await page('/runs/2'));
    t.match(words, `Version ${RELEASE} of this service judged it.`);
    t.match(words, /The digest of its notes, its gains and its version is [0-9a-f]{64}\./);
    await dropGuards(db.url);
    await runStatements(db.url, `UPDATE run_chain SET digest = '${'0'.repeat(64)}' WHERE number = 2`);
    const changed = wordsOf(await page('/runs/2'));
    t.match(changed, /This run may have been changed since it was stored: it does not match its digest/);
    t.match(changed, /100 of 100 Nothing to fix.*CR-000002/, 'and is shown all the same');
    await runStatements(db.url, 'DELETE FROM run_chain');
    t.notMatch(wordsOf(await page('/runs/2')), /[Dd]igest|may have been changed/, 'a run without a link says nothing');
    await runStatements(db.url, `UPDATE runs SET release = '1.0.0' WHERE number = 2`);
    t.match(wordsOf(await page('/runs/2')), /: its notes, its gains or its release do not match their digest/);
  });

  t.test('the page of a run that is older than the digests of supplements says so', async (t) => {
    const db = await engine.openDb(t);
    const { finish, page } = await prepare(t, db);
    await finish(MD('PASS'));
    await dropGuards(db.url);
    await runStatements(db.url, `UPDATE supplement_chain SET digest = NULL; UPDATE runs SET release = NULL`);
    const words = wordsOf(await page('/runs/1'));
    t.match(words, /The digest does not cover the notes and gains of this run/);
    t.notMatch(words, /judged it/);
  });

  t.test(
    'a run of an earlier registry is shown, whatever has become of its checks, pillars and error types',
    async (t) => {
      const { finish, page } = await prepare(t, await engine.openDb(t));
      const old = { pillar: 'Z', errorType: 'RETIRED' } as unknown as Partial<Finding>;
      const bare = { title: null, detail: null, explanation: null, fix: null };
      await finish(finding({ ...old, ...bare, checkId: 'C-OLD-01', result: 'FAIL' }), MD('PASS'));
      await finish(MD('PASS'));
      const words = wordsOf(await page('/runs/1'));
      t.match(words, /Other C-OLD-01 \+50 50 → 100 C-OLD-01 /);
      t.match(wordsOf(await page('/compare?from=1&to=2')), /Not comparable only one of the two runs has them C-OLD-01/);
    },
  );

  t.test('a run is taken away as JSON, byte for byte, and as CSV without formulas', async (t) => {
    const { finish, member, path, runs, site } = await prepare(t, await engine.openDb(t));
    await finish(
      MD('FAIL', { detail: '=HYPERLINK("https://evil.example")', title: 'a "quoted", title', explanation: 'one\ntwo' }),
      finding({ checkId: 'C-FWD-01', pillar: null, scored: false, result: 'PASS', title: '+1', fix: '\t@SUM(A1)' }),
    );
    const json = await member.get(`${path}/runs/1.json`);
    const stored = await runs.latest({ accountId: member.account.id, siteId: site.id });
    t.equal(json.text, Buffer.from(stored.body).toString());
    t.equal(json.headers['content-type'], 'application/json; charset=utf-8');
    t.equal(json.headers['content-disposition'], 'attachment; filename="shop.example.com-run-1.json"');
    const csv = await member.get(`${path}/runs/1.csv`);
    t.match(csv.headers['content-type'], 'text/csv');
    t.equal(csv.headers['content-disposition'], 'attachment; filename="shop.example.com-run-1.csv"');
    const run = '"shop.example.com",1,"CR-000001",0,"2026-03-15T11:59:30.000Z"';
    t.same(csv.text.split('\r\n'), [
      '"hostname","run","reference","score","startedAt","checkId","pillar","scored","result","errorType","detail","title","explanation","fix"',
      `${run},"C-MD-01","D",true,"FAIL","MISSING","'=HYPERLINK(""https://evil.example"")","a ""quoted"", title","one\ntwo","fix of C-MD-01"`,
      `${run},"C-FWD-01",,false,"PASS",,,"'+1","explanation of C-FWD-01","'\t@SUM(A1)"`,
      '',
    ]);
  });

  t.test('the failures of a run are there for a coding agent: all, or one', async (t) => {
    const { member, finish, page, path } = await prepare(t, await engine.openDb(t));
    await finish(finding({ checkId: 'C-LLMS-01', result: 'FAIL' }), BOT('PASS'));
    const html = await page('/runs/1');
    t.match(html, `href="${path}/runs/1/agent" data-copy`);
    t.match(html, `href="${path}/runs/1/agent?check=C-LLMS-01" data-copy`);
    t.notMatch(html, 'check=C-BOT-01');
    const all = await member.get(`${path}/runs/1/agent`);
    t.equal(all.headers['content-type'], 'text/plain; charset=utf-8');
    t.equal(all.headers['cache-control'], 'private, no-cache');
    t.match(
      all.text,
      /^# Make https:\/\/shop\.example\.com ready for AI agents\n\nOne check fails\..*## 1\. There is no llms\.txt\n/s,
    );
    t.match((await member.get(`${path}/runs/1/agent?check=C-LLMS-01`)).text, /^# There is no llms\.txt\n/);
    for (const check of ['C-BOT-01', 'C-NONE-01', '__proto__']) {
      t.equal((await member.get(`${path}/runs/1/agent?check=${check}`)).status, 404, check);
    }
  });

  t.test('what is foreign answers exactly like what is absent, to read and to change', async (t) => {
    const db = await engine.openDb(t);
    const { site, finish, newMember, member, runs } = await prepare(t, db);
    await finish(MD('PASS'));
    await finish(MD('PASS'));
    const stranger = await newMember();
    const absent = `site_${'a'.repeat(20)}`;
    const paths = [
      '',
      '/verify',
      '/remove',
      '/progress',
      '/runs',
      '/runs/1',
      '/runs/1.json',
      '/runs/1.csv',
      '/runs/1/agent',
      '/compare?from=1&to=2',
    ];
    for (const path of paths) {
      const [foreign, none] = [
        await stranger.get(`/sites/${site.id}${path}`),
        await stranger.get(`/sites/${absent}${path}`),
      ];
      t.equal(foreign.status, 404, path);
      t.equal(foreign.text, none.text, path);
    }
    for (const path of ['/verify', '/remove', '/runs']) {
      const fields = { name: 'shop.example.com' };
      const [foreign, none] = [
        await stranger.post(`/sites/${site.id}${path}`, fields),
        await stranger.post(`/sites/${absent}${path}`, fields),
      ];
      t.equal(foreign.status, 404, path);
      t.equal(foreign.text, none.text, path);
    }
    t.equal((await runs.latest({ accountId: member.account.id, siteId: site.id })).number, 2, 'nothing was changed');
  });

  t.test('whoever is not signed in is led to sign in, and nothing happens', async (t) => {
    const { path, newVisitor, member } = await prepare(t, await engine.openDb(t));
    const visitor = newVisitor();
    for (const get of ['/sites', '/sites/new', path, `${path}/verify`, `${path}/runs/1.json`, `${path}/progress`]) {
      const { status, headers } = await visitor.get(get);
      t.same([status, headers.location], [303, `/sign-in?next=${encodeURIComponent(get)}`], get);
    }
    for (const post of ['/sites', `${path}/runs`, `${path}/verify`, `${path}/remove`]) {
      const { status, headers } = await visitor.post(post, { site: 'example.com', name: 'shop.example.com' });
      t.same([status, headers.location], [303, '/sign-in'], post);
    }
    t.match(wordsOf(await member.get(path).then(({ text }) => text)), /No run yet/);
  });
});
