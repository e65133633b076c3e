import type { Test } from 'tap';
import type { Excerpt, FindingEvidence, StoredEvidence } from '../../../src/scanner/trace/stored-evidence.js';
import type { Database } from '../../../src/store/database.js';
import { describeFailure } from '../../../src/scanner/artifacts/resource.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor, WORDS } from '../../support/evidence.js';
import { finding } from '../../support/findings.js';
import { openSitePages } from '../../support/site-pages.js';
import { harFaults } from '../../support/har.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED', detail: 'It bars them.' });
const OTHER = finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING' });

async function prepare(t: Test, db: Database, evidence: StoredEvidence | null, contact: string | null = null) {
  const pages = await openSitePages(t, db, { contact });
  await pages.run([FAILED, OTHER], { evidence });
  const path = `${pages.path}/runs/1`;
  return { ...pages, path, page: `${path}/checks/C-BOT-01` };
}

/** Returns evidence with a changed excerpt. */
function withExcerpt(change: (excerpt: Excerpt) => Excerpt | null, words = WORDS): StoredEvidence {
  const { findings, ...evidence } = evidenceFor('C-BOT-01', words);
  const changed = (all: FindingEvidence['exchanges']) =>
    all.map((rest) => ({ ...rest, excerpt: rest.excerpt && change(rest.excerpt) }));
  return { ...evidence, findings: findings.map((one) => ({ ...one, exchanges: changed(one.exchanges) })) };
}

onEitherDatabase(async (t, { openDb }) => {
  t.test('a finding links to its evidence: requests, responses and quotes', async (t) => {
    const { member, site, path, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    for (const address of [path, `/sites/${site.id}`]) {
      const { text } = await member.get(address);
      t.match(text, `href="${page}">Evidence<span class="hide"> C-BOT-01</span></a>`);
      t.match(text, `href="${path}/checks/C-LLMS-01">Details<span class="hide">`, 'nothing is kept for it');
      t.notMatch(text, /words of the site|words-of-a-header|x123/);
    }
    const { text } = await member.get(page);
    t.match(text, />GET \/robots\.txt\?…<.*<b>200<\/b><small>41 ms</s);
    t.match(text, '&lt; content-type: text/plain\n&lt; server: words-of-a-header');
    t.match(text, /45 bytes/);
    t.match(text, `${describeFailure('reset')}<`);
    t.match(text, ' <b>/robots.txt?…</b></span><span>line 6<');
    t.match(text, '<span><span class="ln">5</span>User-agent: *\n</span>');
    t.match(text, '<mark class="bad"><span class="ln">6</span>Disallow: /\n</mark>');
    t.equal(text.split('words of the site').length, 2, 'they are quoted once');
    t.match(text, / host [^<]*: refused\./);
    t.match(text, /\bprivate\b/);
    t.match(text, / 2 further .*Evidence<.*Control<.*Related</s);
    t.match(text, "curl --globoff --include --max-time 20 --user-agent 'AgentReadinessScanner/1.0'");
  });

  t.test('no evidence is shown if none is stored', async (t) => {
    const { member, path, site } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    for (const address of [
      `${path}/checks/C-LLMS-01.har`,
      `${path}/checks/x`,
      `/sites/${site.id}/runs/2/checks/C-BOT-01`,
    ]) {
      t.equal((await member.get(address)).status, 404, address);
    }
    const none = await prepare(t, await openDb(t), null);
    t.match(await none.member.get(none.page), { status: 200, text: 'id="seen"' });
    t.equal((await none.member.get(`${none.path}/evidence.har`)).status, 404);
    t.notMatch((await none.member.get(none.path)).text, 'Evidence');
  });

  t.test('evidence is downloaded as HAR', async (t) => {
    const { member, page, path } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    t.notMatch((await member.get('/account/activity')).text, 'run 1 of');
    t.match((await member.get(path)).text, `<a href="${path}/evidence.har">`);
    for (const address of [`${page}.har`, `${path}/evidence.har`]) {
      const answer = await member.get(address);
      t.match(answer.headers, {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="shop.example.com-run-1-evidence.har"',
        'cache-control': 'no-store',
      });
      t.same(harFaults(answer.text), []);
      const { log } = JSON.parse(answer.text) as { readonly log: { readonly entries: readonly unknown[] } };
      t.match(log, { creator: { version: '0.0.0-test' } });
      t.match(log.entries, [
        {
          time: 41,
          request: { url: 'https://shop.example.com/robots.txt' },
          response: { status: 200, content: { text: WORDS, _namedLines: [6] } },
        },
        { request: { url: 'https://shop.example.com/x123.txt' }, response: { status: 0, _error: 'reset' } },
      ]);
      t.equal(log.entries.length, 2, 'nothing of others');
    }
    const activity = (await member.get('/account/activity')).text.replaceAll(/<[^>]+>/g, '');
    t.equal(activity.split('run 1 of shop.example.com').length - 1, 2, 'each is an event');
  });

  t.test('a wrong verdict can be reported with a file and a text', async (t) => {
    const contact = 'mailto:operator@example.com';
    const { member, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'), contact);
    const { text } = await member.get(page);
    t.match(text, `<a href="${page}.har">`);
    t.match(text, /C-BOT-01 .* shop\.example\.com \(run 1, CR-000001, 2026-/);
    t.match(text, 'FAIL BLOCKED. It bars them.');
    t.match(text, `<a href="${contact}">operator@example.com</a>`);
    const without = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    t.notMatch((await without.member.get(without.page)).text, 'mailto:');
  });

  t.test('the command for a POST request repeats its body', async (t) => {
    const { exchanges, ...evidence } = evidenceFor('C-BOT-01');
    const sent = { type: 'application/json', body: `{"it's": 1}` };
    const posted = exchanges.map((one) => (one.source === 'site' ? { ...one, method: 'POST' as const, sent } : one));
    const { member, page } = await prepare(t, await openDb(t), { ...evidence, exchanges: posted });
    const command = `--header 'Content-Type: application/json' --data '{&quot;it'\\''s&quot;: 1}' 'https://shop.example.com/robots.txt'`;
    t.match((await member.get(page)).text, command);
  });

  t.test('named values of a JSON document are listed with their lines', async (t) => {
    const values = [
      { pointer: '', line: 1 },
      { pointer: '/<b>/\u202E', line: 6 },
    ];
    const kept = withExcerpt((excerpt) => ({ ...excerpt, values }));
    const { member, page, path } = await prepare(t, await openDb(t), kept);
    const { text } = await member.get(page);
    t.match(text, /<li>Line 1: [^<]+<\/li><li>Line 6: <code>\/&lt;b>\/\uFFFD<\/code><\/li>/);
    t.notMatch((await member.get(path)).text, '&lt;b>');
  });

  t.test('a comparison links to the evidence of the failed run', async (t) => {
    const { member, site, finish, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    await finish({ ...FAILED, result: 'PASS', errorType: null });
    const { text } = await member.get(`/sites/${site.id}/compare?from=1&to=2`);
    t.match(text, `<a href="${page}">`);
  });

  t.test('a long quote shows the lines around the named one', async (t) => {
    const words = Array.from({ length: 500 }, (_, at) => `${at}`).join('\n');
    const kept = withExcerpt(() => ({ text: words, firstLine: 1, marked: [100] }));
    const { member, page } = await prepare(t, await openDb(t), kept);
    const { text } = await member.get(page);
    t.match(text, /<span class="ln">88<\/span>87\n<.*<mark class="bad"><span class="ln">100<.*<span class="ln">135</s);
    t.notMatch(text, /<span class="ln">(87|136)</);
  });

  t.test('evidence without a quote has no section for the quoted lines', async (t) => {
    const kept = withExcerpt(() => null);
    const { member, page } = await prepare(t, await openDb(t), kept);
    const { text } = await member.get(page);
    t.match(text, />GET \/robots\.txt\?…</);
    t.notMatch(text, 'id="seen"');
  });

  t.test('characters that could hide words are shown', async (t) => {
    const words = 'a\u202Eb\u0000c\u200Bd\te';
    const { member, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01', words));
    t.match((await member.get(page)).text, 'a\uFFFDb\uFFFDc\uFFFDd\te');
  });
});
