import type { Test } from 'tap';
import { partInHead } from '../../../src/app/dashboard/pages/finding-head.js';
import { cLlms03Failures } from '../../../src/scanner/checks/c-llms-03/failures.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { finding } from '../../support/findings.js';
import { HeldScan } from '../../support/held-scan.js';
import { recordStatements } from '../../support/statement-names.js';
import { startWeb } from '../../support/web.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED', detail: 'Line 6 bars them.' });
const loseOwnership = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id }).update({ verified_at: null }),
);
const OTHERS = [
  finding({ checkId: 'C-LLMS-01', result: 'PASS' }),
  finding({ checkId: 'C-WK-01', result: 'NOT_APPLICABLE', detail: 'No MCP server is announced.' }),
  finding({ checkId: 'C-SITE-01', result: 'FAIL', errorType: 'MISSING' }),
];

/** A member with a site of two runs: the check passed in the first one. */
async function prepare(t: Test, db: Database, failed = FAILED, evidence = evidenceFor(failed.checkId)) {
  const held = new HeldScan();
  let isBroken = false;
  const scan: Scanner = async (target, onProgress, only) => {
    if (only) return held.scan(target, onProgress, only);
    const first = isBroken ? failed : finding({ checkId: failed.checkId, result: 'PASS' });
    return {
      ...scanReport(50),
      startedAt: web.clock.now(),
      findings: [first, ...OTHERS],
      evidence: isBroken ? evidence : null,
    };
  };
  const web = await startWeb(t, db, { scan });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id);
  const run = () => web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
  await run();
  isBroken = true;
  await run();
  const pageOf = (checkId: string, number = 2) => `/sites/${site.id}/runs/${number}/evidence/${checkId}`;
  return { ...web, held, member, site, run, pageOf };
}

onEachDatabase(async (t, engine) => {
  t.test('one page tells all of a finding', async (t) => {
    const { member, site, pageOf } = await prepare(t, await engine.openDb(t));
    const { text } = await member.get(pageOf('C-BOT-01'));
    t.match(text, /<title>robots\.txt shuts AI agents out, run 2, shop\.example\.com/);
    t.match(text, '<h1>robots.txt shuts AI agents out</h1><p class="lead">Line 6 bars them.</p>');
    const parts = [
      'What we saw',
      'How to fix it',
      'Proof<',
      'Cross-check<',
      'Others<',
      'Why it matters',
      'Is this verdict wrong?',
    ];
    const places = [...parts, 'This check in 2 runs', 'At a glance', 'Meant to be so?', 'Next to fix'].map((part) =>
      text.indexOf(part),
    );
    t.notOk(places.includes(-1), 'everything is there');
    t.same(
      places,
      [...places].sort((a, b) => a - b),
      'in this order',
    );
    t.match(text, `<a href="/sites/${site.id}/runs/1" tabIndex="-1"><title>Run 1: passed</title>`);
    t.match(text, 'Passed once, failed once.');
    t.match(text, `href="/sites/${site.id}/accepted/C-BOT-01/BLOCKED"`);
    t.match(text, `href="${pageOf('C-SITE-01')}"`, 'and leads to the next failure');
  });

  t.test('a redirect in the fix begins at the page that is gone', async (t) => {
    const at = { url: 'https://shop.example.com/llms.txt', firstLine: 1, named: 1 };
    const evidence = evidenceFor('C-LLMS-03', '- [Glazes](/glazes)', {
      ...at,
      gone: 'https://shop.example.com/glazes',
    });
    const { fix } = cLlms03Failures.DEAD_LINK;
    const failed = finding({ checkId: 'C-LLMS-03', result: 'FAIL', errorType: 'DEAD_LINK', fix });
    const { member, pageOf } = await prepare(t, await engine.openDb(t), failed, evidence);
    const { text } = await member.get(pageOf('C-LLMS-03'));
    t.match(text, 'location = /glazes { return 301 /new-address; }');
    t.notMatch(text, '/old-pricing');
  });

  t.test('a finding without evidence has its page too, which says why there is none', async (t) => {
    const { member, clock, db, pageOf, run, site } = await prepare(t, await engine.openDb(t));
    t.match(await member.get(pageOf('C-LLMS-01')), {
      status: 200,
      text: /Passed<.*<p class="lead">An llms\.txt is there.*What we checked.*See for yourself.*<a href="https:\/\/shop\.example\.com\/llms\.txt" rel="noreferrer">.*curl -i https.*<summary>How it can fail.*There is no llms\.txt/s,
    });
    t.match(await member.get(pageOf('C-WK-01')), {
      status: 200,
      text: /Does not apply<.*<p class="lead">No MCP server is announced.*What we checked/s,
    });
    t.match(await member.get(pageOf('C-BOT-01', 1)), {
      status: 200,
      text: new RegExp(`This is how it was in run 1\\..*href="${pageOf('C-BOT-01')}"`, 's'),
    });
    t.notMatch((await member.get(pageOf('C-BOT-01', 1))).text, 'Check again</button>');
    t.equal((await member.get(`${pageOf('C-SITE-01')}.warc.gz`)).status, 404);
    clock.set('2025-12-01T12:00:00.000Z');
    await run();
    clock.set('2026-03-15T12:00:00.000Z');
    t.match((await member.get(pageOf('C-SITE-01', 3))).text, 'they are kept for 90 days');
    await db.run(loseOwnership({ id: site.id }));
    const lost = await member.get(pageOf('C-BOT-01'));
    t.match(lost, { status: 200, text: 'this one is not verified now' });
    t.notMatch(lost.text, /words of the site|Accept this failure/);
  });

  t.test('a detail of many sentences is in the head as far as there is room, and goes on below', async (t) => {
    const long =
      'Line 6 closes the home page to all of them, which is told here in as many words as it takes to fill it.';
    const cases: readonly (readonly [detail: string | null, lead: string, rest: string])[] = [
      [null, '', ''],
      ['It is robots.txt. of old.', 'It is robots.txt. of old.', ''],
      [`Short. ${long}`, `Short. ${long}`, ''],
      [`${long} ${long} ${long} The end.`, `${long} ${long}`, `${long} The end.`],
      [
        `${`${long.slice(0, -1)}, and `.repeat(2)}${long} The end.`,
        `${long.slice(0, -1)}, and `.repeat(2) + long,
        'The end.',
      ],
      [long.slice(0, -1).repeat(3), long.slice(0, -1).repeat(3), ''],
    ];
    for (const [detail, ...parts] of cases) t.same(partInHead({ ...FAILED, detail }), parts, detail ?? 'none');
  });

  t.test('how a check came out when it was made again, in words', async (t) => {
    const { member, held, rechecks, pageOf, clock } = await prepare(t, await engine.openDb(t));
    const page = pageOf('C-BOT-01');
    const detail = 'So it is.';
    const cases: readonly (readonly [fields: Partial<Finding> & Pick<Finding, 'result'>, words: string])[] = [
      [{ result: 'PASS' }, 'it passes now.</b> So it is. The score follows with the next run.'],
      [{ result: 'FAIL', errorType: 'BLOCKED' }, 'it still fails.</b> So it is.'],
      [{ result: 'FAIL', errorType: 'UNREACHABLE' }, 'it fails in another way. '],
      [{ result: 'UNDETERMINED' }, 'it could not be determined.</b> So it is.'],
      [{ result: 'NOT_APPLICABLE' }, 'it does not apply now.</b> So it is.'],
    ];
    for (const [index, [fields, words]] of cases.entries()) {
      clock.set(new Date(Date.UTC(2026, 2, 15, 12, 10 * index)).toISOString());
      await member.post(page);
      await held.begun(index + 1);
      held.last.finish({ ...scanReport(50), findings: [finding({ checkId: 'C-BOT-01', detail, ...fields })] });
      await rechecks.settle();
      t.match((await member.get(page)).text, words);
    }
  });

  t.test('a check is made again on this page, and stays there', async (t) => {
    const { member, held, rechecks, pageOf, clock } = await prepare(t, await engine.openDb(t));
    const page = pageOf('C-BOT-01');
    t.match((await member.get(page)).text, '<div role="status"><div id="again"></div></div>', 'a region that is heard');
    t.match(await member.post(page), { status: 303, headers: { location: page } });
    await held.begun(1);
    t.match((await member.get(page)).text, /<div id="again" class="note" data-pending="part">.*Being checked again/);
    held.last.finish({
      ...scanReport(100),
      findings: [finding({ checkId: 'C-BOT-01', result: 'PASS', detail: 'All may.' })],
    });
    await rechecks.settle();
    const { text } = await member.get(page);
    t.match(text, /class="note is-p"><p><b>Checked again .*: it passes now\.<\/b> All may\. The score follows/s);
    t.match(text, /Passes now<.*Run now<\/button>/s);
    const tooSoon = await member.post(page);
    t.match(tooSoon, {
      status: 429,
      text: /<title>Error: .*id="again" class="note is-f".*This check was made a moment ago/s,
    });
    clock.set('2026-03-15T12:01:00.000Z');
    t.match(await member.post(pageOf('C-BOT-01', 1)), { status: 422, text: /There is a newer run/ });
    t.equal((await member.post(pageOf('C-LLMS-01'))).status, 422, 'what passed is not made again');
  });

  t.test('it asks for each thing once', async (t) => {
    const { db, asked } = await recordStatements(await engine.openDb(t));
    const { member, pageOf } = await prepare(t, db);
    await member.get(pageOf('C-BOT-01'));
    asked.splice(0);
    t.equal((await member.get(pageOf('C-BOT-01'))).status, 200);
    // What the run and those before it say is held until a collection of garbage.
    const statements = asked.splice(0).filter((name) => name !== 'selectRunResults');
    t.same(statements.sort(), [
      'selectAccepted',
      'selectEvidence',
      'selectRechecks',
      'selectRunToShow',
      'selectSession',
      'selectSiteOfAccount',
    ]);
  });
});
