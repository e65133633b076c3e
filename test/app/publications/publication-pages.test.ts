import type { Test } from 'tap';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../../src/store/database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { findingFrom } from '../../support/reports.js';
import { formTo } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';
import { PUBLIC_URL } from '../../support/services.js';
import type { Visitor } from '../../support/http-client.js';

const RESULTS: readonly Result[] = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'];
const FINDINGS = CHECKS.map((check, index) => findingFrom(check, { result: RESULTS[index % 4] ?? 'PASS' }));

/** Opens a site that has a run. */
async function prepare(t: Test, db: Database) {
  const pages = await openSitePages(t, db);
  await pages.run(FINDINGS, { score: 67 });
  return { ...pages, automation: `${pages.path}/automation`, sharing: `${pages.path}/sharing` };
}

/** The address of the report that the page of automatic runs shows. */
async function publishedAt(member: Visitor, automation: string): Promise<string> {
  return /\/reports\/[\w-]{43}/.exec((await member.get(automation)).text)?.[0] ?? '';
}

function metaOf(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
}

onEitherDatabase(async (t, engine) => {
  t.test('anyone with the address can read a published report until it is turned off, also as Markdown', async (t) => {
    const { member, newVisitor, automation, sharing, site } = await prepare(t, await engine.openDb(t));
    t.ok(formTo((await member.get(automation)).text, sharing));
    t.match((await member.post(sharing)).headers, { location: `${automation}?notice=report-on#sharing` });
    const path = await publishedAt(member, automation);
    const visitor = newVisitor();
    const before = await visitor.get(path);
    t.match(before, { status: 200, headers: { 'x-robots-tag': 'noindex', 'cache-control': 'private, no-cache' } });
    t.equal(metaOf(before.text, 'robots'), 'noindex');
    t.match(metaOf(before.text, 'og:title'), `${site.hostname}: 67 of 100, `);
    t.equal(metaOf(before.text, 'og:url'), PUBLIC_URL + path);
    t.match(metaOf(before.text, 'og:image'), `${PUBLIC_URL}/assets/og.png`);
    for (const { id } of CHECKS) t.match(before.text, ` id="${id}"`);
    t.notMatch(before.text, /evidence|curl/);
    const { status, text: markdown, headers } = await visitor.get(`${path}/markdown`);
    t.equal(status, 200);
    t.match(headers, { 'content-type': 'text/markdown; charset=utf-8', 'x-robots-tag': 'noindex' });
    t.ok(markdown.startsWith('# Agent readiness of shop.example.com: 67 of 100\n\n'), markdown.slice(0, 60));
    for (const { id } of CHECKS) t.match(markdown, id);
    await member.post(`${automation}/badge`);
    const { text } = await member.get(automation);
    t.match(text, `[agent-readiness-report]:\n${PUBLIC_URL}${path}<`, 'the badge links to it');

    await member.post(sharing);
    const second = await publishedAt(member, automation);
    t.equal((await visitor.get(path)).status, 404, 'the address before leads nowhere');
    t.match(await member.post(`${sharing}/remove`), { status: 303 });
    for (const end of ['', '/markdown']) t.equal((await visitor.get(second + end)).status, 404, end);
  });

  t.test('a report of one run is published on the page of the run', async (t) => {
    const { member, newVisitor, automation, sharing, site } = await prepare(t, await engine.openDb(t));
    t.match((await member.get(`/sites/${site.id}/runs/1`)).text, `action="${sharing}"`);
    const { headers } = await member.post(sharing, { number: '1' });
    t.match((await newVisitor().get(String(headers.location))).text, '67');
    t.same(formTo((await member.get(automation)).text, `${sharing}/remove`)?.fields, { number: '1' });
    await member.post(`${sharing}/remove`, { number: '1' });
    t.equal((await newVisitor().get(String(headers.location))).status, 404);
    for (const number of ['2', '0', 'x', '-1']) t.equal((await member.post(sharing, { number })).status, 404, number);
  });

  t.test('unknown addresses are not found', async (t) => {
    const web = await prepare(t, await engine.openDb(t));
    const token = await publish(web, web.at, BADGE);
    const badges = ['A'.repeat(43) + '.svg', 'x.svg', token, `${token}.png`].map((name) => `/badges/${name}`);
    const reports = ['A'.repeat(43), 'x', '%00', '..%2f', token].map((name) => `/reports/${name}`);
    for (const path of [...badges, ...reports]) {
      const missing = { status: 404, headers: { 'cache-control': 'no-store' } };
      t.match(await web.newVisitor().get(path), missing, path);
    }
  });

  t.test('a badge is a public image of the latest score, which any origin can embed', async (t) => {
    const web = await prepare(t, await engine.openDb(t));
    const path = `/badges/${await publish(web, web.at, BADGE)}.svg`;
    const visitor = web.newVisitor();
    const answer = await visitor.get(path);
    t.match(answer, { status: 200, text: /^<svg xmlns="[^"]*" [^>]*role="img" aria-label="[^"]*: 67 of 100">/ });
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
    t.equal(answer.headers.vary, 'Accept-Encoding', 'the same for everyone');
    t.match(await visitor.get(path, { 'if-none-match': answer.headers.etag ?? '' }), { status: 304, text: '' });
  });
});
