import type { Test } from 'tap';
import { describeFailure } from '../../../src/scanner/artifacts/resource.js';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import type { Excerpt, FindingEvidence, StoredEvidence } from '../../../src/scanner/trace/stored-evidence.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor, finding, WORDS } from '../../support/reports.js';
import { harFaults } from '../../support/recorded.js';
import { formTo, wordsOf } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';
import { updateRows } from '../../support/tables.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED', detail: 'Line 6 bars them.' });
const OTHERS = [
  finding({ checkId: 'C-LLMS-01', result: 'PASS' }),
  finding({ checkId: 'C-WK-01', result: 'NOT_APPLICABLE', detail: 'No MCP server is announced.' }),
  finding({ checkId: 'C-SITE-01', result: 'FAIL', errorType: 'MISSING' }),
];

interface Scene {
  readonly failed?: Finding;
  readonly evidence?: StoredEvidence | null;
  readonly contact?: string;
}

/** Opens a site of two runs: the check passed in the first one. */
async function prepare(t: Test, db: Database, { failed = FAILED, contact, ...scene }: Scene = {}) {
  const { evidence = evidenceFor(failed.checkId) } = scene;
  const pages = await openSitePages(t, db, { contact: contact ?? null });
  await pages.finish(finding({ checkId: failed.checkId, result: 'PASS' }), ...OTHERS);
  const fail = () => pages.run([failed, ...OTHERS], { startedAt: pages.clock.now(), evidence });
  await fail();
  const pageOf = (checkId: string, number = 2) => `${pages.path}/runs/${number}/checks/${checkId}`;
  const text = async (path = pageOf(failed.checkId)) => (await pages.member.get(path)).text;
  return { ...pages, fail, pageOf, text, run: `${pages.path}/runs/2` };
}

/** Returns evidence with a changed excerpt. */
function withExcerpt(change: (excerpt: Excerpt) => Excerpt | null): StoredEvidence {
  const { findings, ...evidence } = evidenceFor('C-BOT-01');
  const changed = (all: FindingEvidence['exchanges']) =>
    all.map((rest) => ({ ...rest, excerpt: rest.excerpt && change(rest.excerpt) }));
  return { ...evidence, findings: findings.map((one) => ({ ...one, exchanges: changed(one.exchanges) })) };
}

onEitherDatabase(async (t, engine) => {
  const open = async (t: Test, scene?: Scene) => prepare(t, await engine.openDb(t), scene);

  t.test('one page tells all of a finding', async (t) => {
    const { member, site, text, pageOf } = await open(t);
    const html = await text();
    t.match(html, `<h1>${headlineOf(FAILED)}</h1><p class="lead">Line 6 bars them.</p>`);
    const parts = [
      ...['id="seen"', 'id="fix"', 'explanation of ', '(run 2, CR-'],
      ...['Evidence<', 'Control<', 'Related<', '<title>Run 1: passed</title>'],
      `action="/sites/${site.id}/runs/2/checks/C-BOT-01/accept"`,
    ];
    const places = parts.map((part) => html.indexOf(part));
    const inOrder = [...new Set(places)].filter((place) => place >= 0).toSorted((a, b) => a - b);
    t.same(places, inOrder, 'everything is there, in this order');
    t.notMatch(html, 'The same result since');
    t.match(await text(pageOf('C-SITE-01')), `The same result since <a href="/sites/${site.id}/runs/1">run 1</a>.`);
    t.match(wordsOf(html), /[^ ] \+\d+ points(?: or more)? once fixed /);
    await member.post(`${pageOf('C-BOT-01')}/accept`, { reason: 'On purpose.' });
    t.notMatch(await text(pageOf('C-BOT-01')), 'once fixed', 'an accepted failure adds nothing known');
  });

  t.test('the fix holds no path of the site', async (t) => {
    const at = { url: 'https://shop.example.com/llms.txt', firstLine: 1, named: 1 };
    const gone = 'https://shop.example.com/glazes';
    const evidence = evidenceFor('C-LLMS-03', '- [Glazes](/glazes)', { ...at, gone });
    const fix = cLlms03.failures.DEAD_LINK?.fix ?? '';
    const failed = finding({ checkId: 'C-LLMS-03', result: 'FAIL', errorType: 'DEAD_LINK', fix });
    const { text } = await open(t, { failed, evidence });
    const [, section = ''] = /aria-labelledby="fix">(.*?)<\/section>/s.exec(await text()) ?? [];
    t.match(section, 'return 301');
    t.notMatch(section, '/glazes');
  });

  t.test('a finding without evidence has its page too, which says why there is none', async (t) => {
    const { member, clock, path, run, pageOf, fail, text, loseOwnership } = await open(t);
    for (const [address, words] of [
      [pageOf('C-LLMS-01'), `<p class="lead">${cLlms01.answer}`],
      [pageOf('C-WK-01'), '<p class="lead">No MCP server is announced'],
      [pageOf('C-BOT-01', 1), new RegExp(`role="note">.* run 1\\b.*href="${pageOf('C-BOT-01')}"`, 's')],
    ] as const)
      t.match(await member.get(address), { status: 200, text: words }, address);
    t.ok(formTo(await text(), pageOf('C-BOT-01')));
    t.notOk(formTo(await text(pageOf('C-BOT-01', 1)), pageOf('C-BOT-01', 1)), 'it is not made again');
    for (const address of [...[`${path}/runs/1/evidence.har`, `${run}/checks/x`, `${path}/runs/3/checks/C-BOT-01`]])
      t.equal((await member.get(address)).status, 404, address);
    t.notMatch(await text(`${path}/runs/1`), 'Evidence');
    clock.set('2025-12-01T12:00:00.000Z');
    await fail();
    clock.set('2026-03-15T12:00:00.000Z');
    t.match(await text(pageOf('C-SITE-01', 3)), '90 days');
    await loseOwnership();
    const lost = await member.get(pageOf('C-BOT-01'));
    t.equal(lost.status, 200);
    t.notMatch(lost.text, /words of the site|\/accepted\/|class="ln"/, 'nothing is quoted, or can be done');
  });

  t.test('a check is made again on this page, and stays there', async (t) => {
    const db = await engine.openDb(t);
    const { member, held, rechecks, pageOf, site } = await prepare(t, db);
    const page = pageOf('C-BOT-01');
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
    t.match(await member.post(pageOf('C-BOT-01', 1)), { status: 422 });
    await updateRows(db, 'rate_windows', { scope: 'rechecks' }, { used: 60 });
    t.match(await member.post(page), { status: 429, text: /<title>Error: .*class="note is-f"/s });
  });

  t.test('a finding links to its evidence: requests, responses and quotes', async (t) => {
    const { member, finish, path, run, pageOf } = await open(t);
    const page = pageOf('C-BOT-01');
    for (const address of [run, path]) {
      const { text } = await member.get(address);
      t.match(text, `href="${page}">Evidence<span class="hide"> C-BOT-01</span></a>`);
      t.match(text, `href="${pageOf('C-SITE-01')}">Details<span class="hide">`, 'nothing is kept for it');
      t.notMatch(text, /words of the site|words-of-a-header|x123/);
    }
    const { text } = await member.get(page);
    t.match(text, />GET \/robots\.txt\?…<.*<b>200<\/b><small>41 ms</s);
    t.match(text, '&lt; content-type: text/plain\n&lt; server: words-of-a-header');
    t.match(text, `${describeFailure('reset')}<`);
    t.match(text, '<mark class="bad"><span class="ln">6</span>Disallow: /\n</mark>');
    t.equal(text.split('words of the site').length, 2, 'they are quoted once');
    t.match(text, / host [^<]*: refused\./);
    t.match(text, / 2 further .*Evidence<.*Control<.*Related</s);
    t.match(text, "curl --globoff --include --max-time 20 --user-agent 'AgentReadinessScanner/1.0'");
    await finish({ ...FAILED, result: 'PASS', errorType: null });
    t.match((await member.get(`${path}/compare?from=2&to=3`)).text, `<a href="${page}">`, 'so does a comparison');
  });

  t.test('evidence is downloaded as HAR', async (t) => {
    const { member, run } = await open(t);
    t.notMatch((await member.get('/account/activity')).text, 'run 2 of');
    t.match((await member.get(run)).text, `href="${run}/evidence.har"`);
    const answer = await member.get(`${run}/evidence.har`);
    t.match(answer.headers, {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="shop.example.com-run-2-evidence.har"',
      'cache-control': 'no-store',
    });
    t.same(harFaults(answer.text), []);
    const { log } = JSON.parse(answer.text) as { readonly log: { readonly entries: readonly unknown[] } };
    t.match(log.entries, [
      {
        time: 41,
        request: { url: 'https://shop.example.com/robots.txt' },
        response: { status: 200, content: { text: WORDS, _namedLines: [6] } },
      },
      { request: { url: 'https://shop.example.com/x123.txt' }, response: { status: 0, _error: 'reset' } },
    ]);
    const activity = (await member.get('/account/activity')).text.replaceAll(/<[^>]+>/g, '');
    t.match(activity, 'run 2 of shop.example.com', 'the download is an event');
  });

  t.test('a wrong verdict can be reported with a file and a text', async (t) => {
    const contact = 'mailto:operator@example.com';
    const { text, run } = await open(t, { contact });
    const html = await text();
    t.match(html, `<a href="${run}/evidence.har">`);
    t.match(html, /C-BOT-01 .* shop\.example\.com \(run 2, CR-000002, 2026-.*FAIL BLOCKED\. Line 6 bars them\./s);
    t.match(html, `<a href="${contact}">operator@example.com</a>`);
    t.notMatch(await (await open(t)).text(), 'mailto:');
  });

  t.test('how evidence is quoted', async (t) => {
    const { exchanges, ...evidence } = evidenceFor('C-BOT-01');
    const sent = { type: 'application/json', body: `{"it's": 1}` };
    const posted = exchanges.map((one) => (one.source === 'site' ? { ...one, method: 'POST' as const, sent } : one));
    const values = [
      { pointer: '', line: 1 },
      { pointer: '/<b>/\u202E', line: 6 },
    ];
    const long = Array.from({ length: 500 }, (_, at) => `${at}`).join('\n');
    const cases: [what: string, evidence: StoredEvidence, words: string | RegExp, absent?: string | RegExp][] = [
      [
        'the command for a POST request repeats its body',
        { ...evidence, exchanges: posted },
        `--header 'Content-Type: application/json' --data '{&quot;it'\\''s&quot;: 1}' 'https://shop.example.com/robots.txt'`,
      ],
      [
        'named values of a JSON document are listed with their lines',
        withExcerpt((excerpt) => ({ ...excerpt, values })),
        /<li>Line 1: [^<]+<\/li><li>Line 6: <code>\/&lt;b>\/\uFFFD<\/code><\/li>/,
      ],
      [
        'a long quote shows the lines around the named one',
        withExcerpt(() => ({ text: long, firstLine: 1, marked: [100] })),
        /<span class="ln">88<\/span>87\n<.*<mark class="bad"><span class="ln">100<.*<span class="ln">135</s,
        /<span class="ln">(87|136)</,
      ],
      ['without a quote it has no section', withExcerpt(() => null), />GET \/robots\.txt\?…</, 'id="seen"'],
      ['hiding characters', evidenceFor('C-BOT-01', 'a\u202Eb\u0000c\u200Bd\te'), 'a\uFFFDb\uFFFDc\uFFFDd\te'],
    ];
    for (const [what, evidence, words, absent] of cases) {
      const { text, run } = await open(t, { evidence });
      const html = await text();
      t.match(html, words, what);
      if (absent !== undefined) t.notMatch(html, absent, what);
      t.notMatch(await text(run), /&lt;b>|words of the site/, 'the page of the run quotes nothing');
    }
    const { member, pageOf } = await open(t, { evidence: null });
    t.match(await member.get(pageOf('C-BOT-01')), { status: 200, text: 'id="seen"' }, 'it says that there is none');
  });
});
