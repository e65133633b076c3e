import type { Test } from 'tap';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import type { Database } from '../../../src/store/database.js';
import { drawBadge } from '../../../src/web/public/badge.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { addAccount, addSite, scanReport } from '../../support/accounts.js';
import { onEitherDatabase, onSqlite } from '../../support/databases.js';
import { ANSWER } from '../../support/notes.js';
import { startWeb } from '../../support/web.js';

async function prepare(t: Test, db: Database) {
  const web = await startWeb(t, db, { scan: () => Promise.resolve(scanReport(72)) });
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  return {
    ...{ ...web, at, publishBadge: () => publish(web, at, BADGE) },
    finishRun: () => web.runs.start({ ...at, trigger: 'SCHEDULED' }),
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a badge is a public image of the latest score, which any origin can embed', async (t) => {
    const { newVisitor, publishBadge, finishRun } = await prepare(t, await engine.openDb(t));
    const path = `/badges/${await publishBadge()}.svg`;
    const visitor = newVisitor();
    t.match((await visitor.get(path)).text, '<title>Agent readiness: no score</title>');
    await finishRun();
    const answer = await visitor.get(path);
    t.equal(answer.status, 200);
    t.match(
      answer.text,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img" aria-label="Agent readiness: 72 of 100">/,
    );
    t.match(answer.headers, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: /^"[\w-]{43}"$/,
    });
    t.equal(answer.headers['set-cookie'], undefined);
    t.equal(answer.headers.vary, undefined, 'the same for everyone');
    const again = await visitor.get(path, { 'if-none-match': answer.headers.etag ?? '' });
    t.equal(again.status, 304);
    t.equal(again.text, '');
  });

  t.test('an unknown badge is not found', async (t) => {
    const { newVisitor, publishBadge } = await prepare(t, await engine.openDb(t));
    const token = await publishBadge();
    for (const path of [`/badges/${'A'.repeat(43)}.svg`, '/badges/x.svg', `/badges/${token}`, `/badges/${token}.png`]) {
      const { status, headers } = await newVisitor().get(path, { accept: 'image/*' });
      t.equal(status, 404, path);
      t.equal(headers['cache-control'], 'no-store');
    }
  });
});

onSqlite(async (t) => {
  t.test('a badge shows every check as a pin, and the score in figures', async (t) => {
    const [first = '', second = ''] = CHECKS.map(({ id }) => id);
    const svg = drawBadge({
      score: 67,
      findings: [
        { checkId: first, result: 'PASS' },
        { checkId: second, result: 'FAIL' },
      ],
      answer: null,
    });
    t.match(svg, '<path stroke="#0d7a54" d="M3 4v12"></path>');
    t.match(svg, '<path stroke="#c2301b" d="M9 12v9"></path>', 'a failure drops through the line');
    t.match(svg, 'M15 4v12', 'a check that the run does not have waits');
    t.match(svg, />67<\/text>/);
    t.match(svg, 'aria-label="Agent readiness: 67 of 100"');
  });

  t.test('a badge of a site that refuses an assistant says so first', async (t) => {
    const svg = drawBadge({ score: 67, findings: [], answer: ANSWER });
    const title = "Agent readiness: ChatGPT and Perplexity can't read this site, 67 of 100";
    t.match(svg, `<title>${title}</title>`);
    t.match(svg, `aria-label="${title}"`);
  });

  t.test('a badge without a score has no result to show', async (t) => {
    const svg = drawBadge({ score: null, findings: [], answer: null });
    t.match(svg, '>–</text>');
    t.match(svg, 'aria-label="Agent readiness: no score"');
    t.equal(svg.match(/4v12\.4/g)?.length, CHECKS.length);
    t.notMatch(svg, '#0d7a54');
    t.notMatch(svg, '#c2301b');
  });

  t.test('a badge is small and has a fixed size', async (t) => {
    for (const score of [null, 0, 67, 100]) {
      const findings = CHECKS.map(({ id }) => ({ checkId: id, result: 'PASS' as const }));
      const svg = drawBadge({ score, findings, answer: ANSWER });
      t.match(svg, 'width="226" height="28"');
      t.ok(svg.length < 1500, `${svg.length} bytes`);
    }
  });
});
