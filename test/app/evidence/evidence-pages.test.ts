import type { Test } from 'tap';
import { WARCParser } from 'warcio';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { KeptEvidence } from '../../../src/scanner/trace/kept-evidence.js';
import type { Database } from '../../../src/store/database.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { evidenceFor, WORDS } from '../../support/evidence.js';
import { finding } from '../../support/findings.js';
import { startWeb, type WebOptions } from '../../support/web.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED', detail: 'It bars them.' });
const OTHER = finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING' });

async function prepare(t: Test, db: Database, evidence: KeptEvidence | null, options: WebOptions = {}) {
  const scan: Scanner = async () => ({ ...scanReport(50), findings: [FAILED, OTHER], evidence });
  const web = await startWeb(t, db, { scan, ...options });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id);
  await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
  const path = `/sites/${site.id}/runs/1`;
  return { ...web, member, site, path, page: `${path}/evidence/C-BOT-01` };
}

onEachDatabase(async (t, { openDb }) => {
  t.test('a finding leads to the evidence behind it: requests, answers, the site’s words', async (t) => {
    const { member, site, path, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    for (const address of [path, `/sites/${site.id}`]) {
      const { text } = await member.get(address);
      t.match(text, `href="${page}">Evidence<span class="soft">6 requests, line 6</span></a>`);
      t.match(text, `href="${path}/evidence/C-LLMS-01">Details</a>`, 'nothing is kept for it');
      t.notMatch(text, /words of the site|words-of-a-header|x123/);
    }
    const { text } = await member.get(page);
    t.match(text, />GET \/robots\.txt\?…<.*<b>200<\/b><small>41 ms</s);
    t.match(text, '&lt; content-type: text/plain\n&lt; server: words-of-a-header');
    t.match(text, /45 bytes, SHA-256 .*a{64}/);
    t.match(text, /an address that cannot exist<.*the connection breaks before an answer comes</s);
    t.match(text, 'Your site’s own words, from <b>/robots.txt?…</b></span><span>line 6<');
    t.match(text, '<span><span class="ln">5</span>User-agent: *\n</span>');
    t.match(text, '<mark class="bad" id="named"><span class="ln">6</span>Disallow: /\n</mark>');
    t.equal(text.split('words of the site').length, 2, 'they are quoted once');
    t.match(text, /A request to a host that is not the site’s: refused\..*Nothing else of it is kept\./s);
    t.match(text, 'A request to a private address that is not this site’s own.');
    t.match(text, /2 further requests went into it, and are not listed\..*Proof<.*Cross-check<.*Others</s);
    t.match(text, "curl --globoff --include --max-time 20 --user-agent 'AgentReadinessScanner/1.0'");
  });

  t.test('nobody else sees it, nor is it there where none is kept', async (t) => {
    const db = await openDb(t);
    const { member, newMember, newVisitor, path, page, site } = await prepare(t, db, evidenceFor('C-BOT-01'));
    const stranger = await newMember();
    for (const address of [page, `${page}.warc.gz`, `${path}/evidence.warc.gz`]) {
      t.equal((await stranger.get(address)).status, 404, address);
      t.equal((await newVisitor().get(address)).status, 303, address);
    }
    for (const address of [
      `${path}/evidence/C-LLMS-01.warc.gz`,
      `${path}/evidence/x`,
      `/sites/${site.id}/runs/2/evidence/C-BOT-01`,
    ]) {
      t.equal((await member.get(address)).status, 404, address);
    }
    const none = await prepare(t, await openDb(t), null);
    t.match(await none.member.get(none.page), { status: 200, text: /No request is kept for this finding/ });
    t.equal((await none.member.get(`${none.path}/evidence.warc.gz`)).status, 404);
    t.notMatch((await none.member.get(none.path)).text, 'Evidence');
  });

  t.test('it is taken along as WARC, which another tool reads', async (t) => {
    const { member, page, path } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    t.notMatch((await member.get('/account/activity')).text, 'Evidence downloaded');
    t.match((await member.get(path)).text, `<a href="${path}/evidence.warc.gz">`);
    for (const address of [`${page}.warc.gz`, `${path}/evidence.warc.gz`]) {
      const answer = await member.get(address);
      t.match(answer.headers, {
        'content-type': 'application/warc',
        'content-disposition': 'attachment; filename="shop.example.com-run-1-evidence.warc.gz"',
        'cache-control': 'private, no-cache',
      });
      const records = [];
      for await (const record of new WARCParser([answer.bytes])) {
        const { warcType, warcTargetURI } = record;
        records.push([warcType, warcTargetURI, await record.contentText()]);
      }
      t.match(records, [
        ['warcinfo', null, /software: agent-readiness\/0\.0\.0-test/],
        ['request', 'https://shop.example.com/robots.txt', ''],
        ['response', 'https://shop.example.com/robots.txt', ''],
        ['metadata', 'https://shop.example.com/robots.txt', /fetchTimeMs: 41\r\n(.*\r\n)*linesNamed: 6/],
        ['metadata', 'https://shop.example.com/robots.txt', WORDS],
        ['request', 'https://shop.example.com/x123.txt', ''],
        ['metadata', 'https://shop.example.com/x123.txt', /failure: reset/],
      ]);
      t.equal(records.length, 7, 'nothing of others');
    }
    const activity = (await member.get('/account/activity')).text.replaceAll(/<[^>]+>/g, '');
    t.equal(activity.split('Evidence downloaded: run 1 of shop.example.com').length - 1, 2, 'each is an event');
  });

  t.test('a wrong verdict is reported with a file and a text', async (t) => {
    const contact = 'mailto:operator@example.com';
    const { member, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'), { contact });
    const { text } = await member.get(page);
    t.match(text, `<a href="${page}.warc.gz">Download the evidence as a WARC file</a>`);
    t.match(text, /C-BOT-01 is wrong about shop\.example\.com \(run 1, CR-000001, 2026-/);
    t.match(text, 'It says: FAIL BLOCKED. It bars them.');
    t.match(text, `<a href="${contact}">operator@example.com</a>`);
    const without = await prepare(t, await openDb(t), evidenceFor('C-BOT-01'));
    t.match((await without.member.get(without.page)).text, 'who has published no address');
  });

  t.test('a request that was posted is repeated as it was', async (t) => {
    const { exchanges, ...evidence } = evidenceFor('C-BOT-01');
    const sent = { type: 'application/json', body: `{"it's": 1}` };
    const posted = exchanges.map((one) => (one.source === 'site' ? { ...one, method: 'POST' as const, sent } : one));
    const { member, page } = await prepare(t, await openDb(t), { ...evidence, exchanges: posted });
    const command = `--header 'Content-Type: application/json' --data '{&quot;it'\\''s&quot;: 1}' 'https://shop.example.com/robots.txt'`;
    t.match((await member.get(page)).text, command);
  });

  t.test('values of a JSON document that a finding names are told with their lines', async (t) => {
    const values = [
      { pointer: '', line: 1 },
      { pointer: '/<b>/\u202E', line: 6 },
    ];
    const { findings, ...evidence } = evidenceFor('C-BOT-01');
    const restsOn = findings.flatMap((one) => one.restsOn);
    const named = restsOn.map((one) => (one.excerpt ? { ...one, excerpt: { ...one.excerpt, values } } : one));
    const kept = { ...evidence, findings: findings.map((one) => ({ ...one, restsOn: named })) };
    const { member, page, path } = await prepare(t, await openDb(t), kept);
    const { text } = await member.get(page);
    t.match(
      text,
      '<ul class="small"><li>Line 1: the whole document</li><li>Line 6: <code>/&lt;b>/\uFFFD</code></li></ul>',
    );
    t.notMatch((await member.get(path)).text, '&lt;b>');
  });

  t.test('a comparison leads to the evidence of the run that failed', async (t) => {
    const kept = [evidenceFor('C-BOT-01'), null];
    let findings = [FAILED];
    const scan: Scanner = async () => ({ ...scanReport(50), findings, evidence: kept.shift() ?? null });
    const { member, site, runs, page } = await prepare(t, await openDb(t), null, { scan });
    findings = [{ ...FAILED, result: 'PASS', errorType: null }];
    await runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
    const { text } = await member.get(`/sites/${site.id}/compare?from=1&to=2`);
    t.match(text, `<a href="${page}">Evidence and fix<span class="hide">, C-BOT-01</span></a>`);
    t.notMatch(text, '/runs/2/evidence');
  });

  t.test('of many lines those around the named one are shown', async (t) => {
    const words = Array.from({ length: 500 }, (_, at) => `${at}`).join('\n');
    const { findings, ...evidence } = evidenceFor('C-BOT-01', words);
    const restsOn = findings.flatMap((one) => one.restsOn);
    const excerpt = { text: words, firstLine: 1, marked: [100] };
    const kept = {
      ...evidence,
      findings: findings.map((one) => ({ ...one, restsOn: restsOn.map((rest) => ({ ...rest, excerpt })) })),
    };
    const { member, page } = await prepare(t, await openDb(t), kept);
    const { text } = await member.get(page);
    t.match(
      text,
      /<span class="ln">88<\/span>87\n<.*<mark class="bad" id="named"><span class="ln">100<.*<span class="ln">135</s,
    );
    t.notMatch(text, /<span class="ln">(87|136)</);
    t.equal(text.split('id="named"').length, 2);
  });

  t.test('evidence that quotes nothing has no part for the place that a finding names', async (t) => {
    const { findings, ...evidence } = evidenceFor('C-BOT-01');
    const restsOn = findings.flatMap((one) => one.restsOn).map((one) => ({ ...one, excerpt: null }));
    const { member, page } = await prepare(t, await openDb(t), {
      ...evidence,
      findings: findings.map((one) => ({ ...one, restsOn })),
    });
    const { text } = await member.get(page);
    t.match(text, />GET \/robots\.txt\?…</);
    t.notMatch(text, 'What we saw');
  });

  t.test('characters that could hide words are shown', async (t) => {
    const words = 'a\u202Eb\u0000c\u200Bd\te';
    const { member, page } = await prepare(t, await openDb(t), evidenceFor('C-BOT-01', words));
    t.match((await member.get(page)).text, 'a\uFFFDb\uFFFDc\uFFFDd\te');
  });
});
