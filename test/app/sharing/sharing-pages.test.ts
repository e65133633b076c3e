import type { Test } from 'tap';
import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { ReportPreviewHandler, ResultPreviewHandler } from '../../../src/app/sharing/preview-handlers.js';
import { dropSharedReports } from '../../../src/app/sharing/shared-reports.js';
import { SharedResults } from '../../../src/app/sharing/shared-results.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { findingFrom } from '../../support/findings.js';
import { TestWorker } from '../../support/queue.js';
import { recordStatements } from '../../support/statement-names.js';
import { startWeb, type Visitor, WEB_URL } from '../../support/web.js';
import { noTrials } from '../../support/no-trials.js';

const RESULTS: readonly Result[] = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'];
const FINDINGS = CHECKS.map((check, index) => findingFrom(check, { result: RESULTS[index % 4] ?? 'PASS' }));
const PICTURE = Buffer.from('\x89PNG of a report', 'latin1');

/** A member with a site that has a run, a free scan of another host, and the worker that draws previews. */
async function prepare(t: Test, db: Database) {
  const clock = new TestClock();
  const scan = () => Promise.resolve({ ...scanReport(67), findings: FINDINGS });
  const slots = new Slots(4);
  const rateLimits = createRateLimits({ db, clock });
  const freeScans = new FreeScans({
    tryFile: noTrials,
    ...{ db, clock, scan, slots, scanConcurrency: 4, rateLimits },
    ...{ addressesOf: async ({ hostname }: URL) => [hostname], vetSite: () => true },
  });
  const sharedResults = new SharedResults({ db, clock, rateLimits });
  const web = await startWeb(t, db, { clock, freeScans, sharedResults, scan });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id);
  await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'API' });
  const deps = { db, clock, draw: () => Promise.resolve(PICTURE) };
  const handlers = {
    REPORT_PREVIEW: new ReportPreviewHandler(deps),
    RESULT_PREVIEW: new ResultPreviewHandler(deps),
  };
  const painter = new TestWorker([{ name: 'previews', concurrency: 1, handlers }], { db, clock });
  const automation = `/sites/${site.id}/automation`;
  return { ...web, clock, freeScans, member, site, automation, sharing: `/sites/${site.id}/sharing`, painter };
}

/** The address of the report that the page of automatic runs shows. */
async function publishedAt(member: Visitor, automation: string): Promise<string> {
  return /\/reports\/[\w-]{43}/.exec((await member.get(automation)).text)?.[0] ?? '';
}

function metaOf(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
}

onEachDatabase(async (t, engine) => {
  t.test('a report is published, read by anyone with its address, and by nobody once it is off', async (t) => {
    const { member, newVisitor, automation, sharing, site, painter } = await prepare(t, await engine.openDb(t));
    t.match((await member.get(automation)).text, 'Publish the latest report');
    t.match(await member.post(sharing), {
      status: 303,
      headers: { location: `${automation}?notice=report-on#sharing` },
    });
    const path = await publishedAt(member, automation);
    const visitor = newVisitor();
    const before = await visitor.get(path);
    t.match(before, { status: 200, headers: { 'x-robots-tag': 'noindex', 'cache-control': 'private, no-cache' } });
    t.equal(metaOf(before.text, 'robots'), 'noindex');
    t.equal(metaOf(before.text, 'og:title'), `${site.hostname}: 67 of 100, ${leftOf(before.text)}`);
    t.equal(metaOf(before.text, 'og:url'), WEB_URL + path);
    t.equal(metaOf(before.text, 'og:image'), undefined, 'not drawn yet');
    t.equal((await visitor.get(`${path}/preview.png`)).status, 404);
    t.match(before.text, /Published by its verified owner, run of 15 Mar, 12:00 UTC/);
    for (const { id } of CHECKS) t.match(before.text, `<li id="${id}">`);
    t.notMatch(before.text, /evidence|curl/);

    await painter.performAll();
    const image = metaOf((await visitor.get(path)).text, 'og:image') ?? '';
    t.ok(image.startsWith(`${WEB_URL}${path}/preview.png?v=`), image);
    const picture = await visitor.get(image.slice(WEB_URL.length));
    t.match(picture, {
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=300',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
      },
    });
    const again = await visitor.get(`${path}/preview.png`, { 'if-none-match': picture.headers.etag ?? '' });
    t.equal(again.status, 304);
    t.match((await member.get(automation)).text, `src="${path}/preview.png?v=`);

    await member.post(sharing);
    const second = await publishedAt(member, automation);
    t.equal((await visitor.get(path)).status, 404, 'the address before leads nowhere');
    t.match(await member.post(`${sharing}/remove`), { status: 303 });
    for (const end of ['', '/preview.png', '/markdown']) t.equal((await visitor.get(second + end)).status, 404, end);
  });

  t.test('a report is gone with the site, and with its ownership', async (t) => {
    const db = await engine.openDb(t);
    const { member, newVisitor, automation, sharing, site, painter } = await prepare(t, db);
    const statusesOf = async (path: string) => {
      const answers = await Promise.all(['', '/preview.png', '/markdown'].map((end) => newVisitor().get(path + end)));
      return answers.map(({ status }) => status);
    };
    await member.post(sharing);
    await painter.performAll();
    const first = await publishedAt(member, automation);
    t.same(await statusesOf(first), [200, 200, 200]);
    await db.transaction(() => dropSharedReports(site.id));
    t.same(await statusesOf(first), [404, 404, 404], 'with its ownership');
    await member.post(sharing);
    await painter.performAll();
    const second = await publishedAt(member, automation);
    t.same(await statusesOf(second), [200, 200, 200]);
    await member.post(`/sites/${site.id}/remove`, { name: site.hostname });
    t.same(await statusesOf(second), [404, 404, 404], 'with the site');
  });

  t.test('a preview that is drawn again, or cannot be, is never a broken picture', async (t) => {
    const db = await engine.openDb(t);
    const { member, newVisitor, automation, sharing, painter, runs, site } = await prepare(t, db);
    await member.post(sharing);
    const path = await publishedAt(member, automation);
    t.match((await member.get(automation)).text, /preview is not drawn yet/);
    t.equal(metaOf((await newVisitor().get(path)).text, 'twitter:card'), 'summary');
    await painter.performAll();
    await runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'API' });
    const image = metaOf((await newVisitor().get(path)).text, 'og:image') ?? '';
    t.match(await newVisitor().get(image.slice(WEB_URL.length)), {
      status: 200,
      headers: { 'content-type': 'image/png' },
    });
    t.match(await newVisitor().get(`${path}/preview.png?v=older`), { status: 200 }, 'an address that a chat has kept');
  });

  t.test('a report of one run is published on the page of the run', async (t) => {
    const { member, newVisitor, automation, sharing, site } = await prepare(t, await engine.openDb(t));
    t.match((await member.get(`/sites/${site.id}/runs/1`)).text, `action="${sharing}"`);
    const { headers } = await member.post(sharing, { number: '1' });
    t.match((await newVisitor().get(String(headers.location))).text, '67');
    t.match((await member.get(automation)).text, 'Public report of run 1');
    await member.post(`${sharing}/remove`, { number: '1' });
    t.equal((await newVisitor().get(String(headers.location))).status, 404);
    for (const number of ['2', '0', 'x', '-1']) t.equal((await member.post(sharing, { number })).status, 404, number);
  });

  t.test('only its owner publishes a site', async (t) => {
    const { newMember, newVisitor, sharing, member, automation } = await prepare(t, await engine.openDb(t));
    const other = await newMember();
    for (const path of [sharing, `${sharing}/remove`]) {
      t.equal((await other.post(path)).status, 404);
      t.match(await newVisitor().post(path), { status: 303, headers: { location: /^\/sign-in/ } });
    }
    t.equal(await publishedAt(member, automation), '');
  });

  t.test('the badge leads to the report where there is one', async (t) => {
    const { member, automation, sharing } = await prepare(t, await engine.openDb(t));
    await member.post(`${automation}/badge`);
    t.match((await member.get(automation)).text, `[agent-readiness-report]:\n${WEB_URL}/checks<`);
    await member.post(sharing);
    const path = await publishedAt(member, automation);
    t.match((await member.get(automation)).text, `[agent-readiness-report]:\n${WEB_URL}${path}<`);
  });

  t.test('a free result is shared for seven days', async (t) => {
    const { newVisitor, freeScans, clock, painter } = await prepare(t, await engine.openDb(t));
    const visitor = newVisitor();
    t.equal((await visitor.post('/scan/kiln.example.com/share')).status, 404, 'there is no result');
    await visitor.post('/scan', { site: 'kiln.example.com' });
    await freeScans.settle();
    t.match((await visitor.get('/scan/kiln.example.com')).text, 'action="/scan/kiln.example.com/share"');
    const { status, headers } = await visitor.post('/scan/kiln.example.com/share');
    t.equal(status, 303);
    const path = String(headers.location);
    t.match(path, /^\/results\/[\w-]{43}$/);
    await painter.performAll();
    clock.set('2026-03-22T11:59:00.000Z');
    const page = await newVisitor().get(path);
    t.match(page, { status: 200, headers: { 'x-robots-tag': 'noindex' } });
    t.match(page.text, /Result of a free scan, made .*6 days ago/);
    t.match(page.text, 'Shared until 22 Mar, 12:00 UTC');
    t.match(page.text, 'value="kiln.example.com"/><button type="submit">Scan', 'a fresh scan');
    t.ok(metaOf(page.text, 'og:image')?.startsWith(`${WEB_URL}${path}/preview.png?v=`));
    t.match(await newVisitor().get(`${path}/preview.png`), { status: 200, headers: { 'content-type': 'image/png' } });
    clock.set('2026-03-22T12:00:00.000Z');
    for (const end of ['', '/preview.png', '/markdown']) t.equal((await newVisitor().get(path + end)).status, 404, end);
  });

  t.test('an address shares so many results an hour, and is told when it may again', async (t) => {
    const { newVisitor, freeScans } = await prepare(t, await engine.openDb(t));
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      // Scanned by others, so that only the links count.
      await freeScans
        .start({ site: `s${count}.example.com`, clientAddress: `198.51.100.${count}` })
        .then(({ done }) => done);
      statuses.push((await newVisitor().post(`/scan/s${count}.example.com/share`)).status);
    }
    t.same(statuses, [...Array.from({ length: 10 }, () => 303), 429]);
  });

  t.test('each of them is there as Markdown', async (t) => {
    const { member, newVisitor, automation, sharing, freeScans } = await prepare(t, await engine.openDb(t));
    await member.post(sharing);
    await freeScans.start({ site: 'kiln.example.com', clientAddress: '192.0.2.1' }).then(({ done }) => done);
    const { headers } = await newVisitor().post('/scan/kiln.example.com/share');
    const report = await publishedAt(member, automation);
    for (const [path, host] of [
      [`${report}/markdown`, 'shop.example.com'],
      [`${String(headers.location)}/markdown`, 'kiln.example.com'],
      ['/scan/kiln.example.com/markdown', 'kiln.example.com'],
    ] as const) {
      const { status, text, headers: sent } = await newVisitor().get(path);
      t.equal(status, 200, path);
      t.match(sent, { 'content-type': 'text/markdown; charset=utf-8', 'x-robots-tag': 'noindex' });
      t.ok(text.startsWith(`# Agent readiness of ${host}: 67 of 100\n\n`), text.slice(0, 60));
      for (const heading of ['## To fix', '## Could not be determined', '## Passed', '## Does not apply'])
        t.match(text, heading);
    }
  });

  t.test('what leads nowhere is not found, whatever it looks like', async (t) => {
    const { newVisitor } = await prepare(t, await engine.openDb(t));
    for (const token of ['A'.repeat(43), 'x', '%00', '..%2f', '%22%3E%3Cscript%3E']) {
      for (const path of [`/reports/${token}`, `/results/${token}`, `/reports/${token}/preview.png`]) {
        const { status, text } = await newVisitor().get(path);
        t.equal(status, 404, path);
        t.notMatch(text, '<script>');
      }
    }
  });

  t.test('a page costs one statement once the texts of its release are known, and so does a picture', async (t) => {
    const { db, asked } = await recordStatements(await engine.openDb(t));
    const { member, newVisitor, automation, sharing, painter } = await prepare(t, db);
    await member.post(sharing);
    await painter.performAll();
    const path = await publishedAt(member, automation);
    await newVisitor().get(path);
    asked.length = 0;
    await newVisitor().get(path);
    await newVisitor().get(`${path}/preview.png`);
    t.same(asked, ['selectShown', 'selectPicture']);
  });
});

/** The words next to the score. */
function leftOf(html: string): string {
  const words = (/<strong>(.*?)<\/strong>/.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '');
  return words.charAt(0).toLowerCase() + words.slice(1);
}
