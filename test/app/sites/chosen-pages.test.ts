import type { Test } from 'tap';
import type { SampledPages } from '../../../src/scanner/artifacts/chosen-pages.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { SCAN_LIMITS } from '../../../src/scanner/artifacts/scanner.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';
import type { ScanTarget } from '../../../src/scanner/client/visit.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { createAlertsAtFinish } from '../../../src/app/alerts/at-finish.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { readEvents } from '../../../src/app/audit/audit.js';
import { addSite, RELEASE, scanReport, textOf } from '../../support/accounts.js';
import { accountData, siteRemoval } from '../../support/removal.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { wordsOf } from '../../support/page-words.js';
import { rowsOf } from '../../support/tables.js';
import { startWeb } from '../../support/web.js';
import { Slots } from '../../../src/platform/slots.js';
import { PAYLOADS } from '../../e2e/payloads.js';

const CHECK = 'C-SD-02';

/** Of what every payload calls: where it would run. */
const IN_A_TAG = /<[a-z!\/][^>]*xss\(\)/i;

/** What one scan comes to. */
interface Outcome {
  readonly result: Result;
  readonly score: number;
  readonly pages: SampledPages | null;
}

const UNCHOSEN: Outcome = { result: 'PASS', score: 100, pages: null };

function read(...paths: readonly string[]): SampledPages['chosen'] {
  return paths.map((path) => ({ path, came: 'read' }));
}

/** @param found on which the check fails */
function pagesWith(chosen: SampledPages['chosen'], found?: readonly string[]): SampledPages {
  return { chosen, read: ['a', 'b'], usual: ['b'], found: found ? { [CHECK]: found } : {} };
}

/** A member with a verified site, whose scans come to what a test says. */
async function prepare(t: Test, db: Database) {
  const targets: ScanTarget[] = [];
  let outcome = UNCHOSEN;
  const scan: Scanner = async (target) => {
    targets.push(target);
    const { score, result, pages } = outcome;
    return { ...scanReport(score), findings: [finding({ checkId: CHECK, result })], pages };
  };
  const web = await startWeb(t, db, { scan });
  const member = await web.newMember();
  const { id: accountId } = member.account;
  const site = await addSite(db, accountId);
  const path = `/sites/${site.id}`;
  const alerts = createAlertsAtFinish({ clock: web.clock, publicUrl: 'https://readiness.test', hasMail: true });
  const performRun = createRunPerformer({
    ...{ db, clock: web.clock, scan, slots: new Slots(1), release: RELEASE, atFinish: alerts },
  });
  return {
    ...{ web, member, accountId, site, path, targets },
    choose: (pages: string) => member.post(`${path}/settings/pages`, { pages }),
    run: async (now: Outcome) => {
      outcome = now;
      await performRun({ accountId, siteId: site.id, origin: site.origin, trigger: 'SCHEDULED' });
    },
    words: async (below: string) => wordsOf((await member.get(`${path}${below}`)).text),
    alerted: async () => (await db.run(alertBodies({}))).map(({ body }) => kindsIn(body)),
  };
}

const alertBodies = defineQuery<{ body: string }>((sql) => sql('deliveries').select('body').orderBy('created_at'));
const turnMailOn = defineQuery<never, { at: string }>((sql, { at }) =>
  sql('accounts').update({ email_alerts_since: at }),
);

function kindsIn(body: string): readonly string[] {
  const { data } = JSON.parse(body) as { readonly data: { readonly changes: readonly { readonly kind: string }[] } };
  return data.changes.map(({ kind }) => kind);
}

onEachDatabase(async (t, engine) => {
  t.test('the pages that an owner chooses are those that the next run reads first', async (t) => {
    const { choose, run, targets, words, member, path, site, accountId, web } = await prepare(
      t,
      await engine.openDb(t),
    );
    await run(UNCHOSEN);
    t.equal(targets[0]?.pages, undefined, 'nobody has chosen any');
    const answer = await choose(` /pricing?plan=a#top \r\n\r\n${site.origin}/docs/\n//deep\n/pricing?plan=a\n/ä b`);
    t.equal(answer.status, 303);
    t.equal(answer.headers.location, `${path}/settings?notice=pages`);
    t.match(await words('/settings?notice=pages'), 'The pages are saved: the next run reads them first.');
    t.match(await words('/settings'), /\/pricing\?plan=a not yet: the next run reads it/);
    await run({ ...UNCHOSEN, pages: null });
    const paths = ['/pricing?plan=a', '/docs/', '//deep', '/%C3%A4%20b'];
    t.strictSame(
      targets[1]?.pages?.map(({ href }) => href),
      paths.map((one) => site.origin + one),
    );
    t.equal((await member.get(`${path}/settings`)).text.includes(paths.join('\n')), true, 'as they are typed');
    await choose('');
    await run(UNCHOSEN);
    t.strictSame(targets[2]?.pages, [], 'an empty choice is one');
    const { host } = new URL(site.origin);
    t.equal((await choose(`https://www.${host}/docs?a#top\nhttp://${host}/%62\n/b`)).status, 303);
    await run(UNCHOSEN);
    t.strictSame(
      targets[3]?.pages?.map(({ href }) => href),
      ['/docs?a', '/b'].map((one) => site.origin + one),
      'with "www." or without, by either scheme, and however they are escaped',
    );
    await choose('');
    const events = await readEvents(web.db, accountId);
    t.same(events.events.flatMap(({ event, subject }) => (event === 'pages_chosen' ? [subject] : [])).sort(), [
      `2 pages, of ${site.hostname}`,
      `4 pages, of ${site.hostname}`,
      ...[`none, of ${site.hostname}`, `none, of ${site.hostname}`],
    ]);
    await choose('\n \n');
    t.equal((await readEvents(web.db, accountId)).events.length, events.events.length, 'the same again makes no event');
  });

  t.test('what is not a page of the site is refused, and stays in the form', async (t) => {
    const { choose, member, path } = await prepare(t, await engine.openDb(t));
    const cases = [
      ['pricing', 'Line 1 is neither a path nor an address.'],
      ['/a\nftp://shop.example.com/a', 'Line 2 is neither'],
      ['/a\n\nhttps://other.example.com/a', 'Line 3 is a page of another site. Give pages of'],
      ['https://shop.example.com:8443/a', 'Line 1 is a page of another site.'],
      ['https://u:p@shop.example.com/a', 'Line 1 has a user name or a password'],
      ['https://shop.example.com/#top', 'Line 1 is the home page, which every run reads'],
      [`/${'a'.repeat(300)}`, 'Line 1 is longer than 300 characters.'],
      ['/1\n/2\n/3\n/4\n/5\n/6', 'These are 6 pages. Choose 5 at most.'],
    ] as const;
    for (const [typed, message] of cases) {
      const { status, text } = await choose(typed);
      t.equal(status, 422, typed);
      t.match(wordsOf(text), message);
      t.ok(text.includes(`>${typed.replaceAll('\n', '\r\n')}</textarea>`) || text.includes(`>${typed}</textarea>`));
      t.match(text, '<title>Error: Settings of');
    }
    t.notMatch((await member.get(`${path}/settings`)).text, 'as the latest run found them');
  });

  t.test('a page that cannot be read is told with its run and on the settings, and fails nothing', async (t) => {
    const { choose, run, words } = await prepare(t, await engine.openDb(t));
    await choose('/gone\n/barred\n/away\n/new');
    const chosen: SampledPages['chosen'] = [
      { path: '/gone', came: 'status', status: 404 },
      { path: '/barred', came: 'barred' },
      { path: '/away', came: 'elsewhere' },
    ];
    await run({ ...UNCHOSEN, pages: pagesWith(chosen) });
    for (const [text, named] of [
      [await words('/settings'), () => ''],
      [await words('/runs/1'), (place: number) => `chosen page ${place}: `],
    ] as const) {
      t.match(text, `/gone ${named(1)}left out: it answers with status 404`);
      t.match(text, `/barred ${named(2)}not asked for: robots.txt bars this scanner from it`);
      t.match(text, `/away ${named(3)}left out: it leads to another origin`);
    }
    t.match(await words('/settings'), '/new not yet: the next run reads it');
    t.match(await words('/runs/1'), 'Nothing to fix');
  });

  t.test('a failure only on a newly chosen page is now judged, on every page and for alerts', async (t) => {
    const db = await engine.openDb(t);
    const { choose, run, words, alerted, member, web, path } = await prepare(t, db);
    await db.run(turnMailOn({ at: web.clock.now().toISOString() }));
    await run(UNCHOSEN);
    await choose('/a');
    await run({ result: 'FAIL', score: 40, pages: pagesWith(read('/a'), ['a']) });
    t.same(await alerted(), [], 'neither the failure nor the score is an alert');
    t.match(await words('/runs/2'), '1 now judged');
    t.match(await words('/runs/2'), 'Other pages were sampled than in run 1');
    t.match(await words(''), 'Other pages were sampled than in run 1');
    t.match(await words('/compare?from=1&to=2'), /1 now judged .* Other pages were sampled\./);
    t.notMatch(wordsOf((await member.get('/sites')).text), /[1-9] new failure/);
    t.equal(
      wordsOf((await member.get(`${path}/runs?show=worse`)).text).includes('now judged'),
      false,
      'nothing got worse',
    );

    await run({ result: 'PASS', score: 100, pages: pagesWith(read('/a')) });
    t.same(await alerted(), [['CHECK_FIXED']]);
    await run({ result: 'FAIL', score: 40, pages: pagesWith(read('/a'), ['a']) });
    t.match((await alerted())[1], ['SCORE_FELL', 'CHECK_FAILING'], 'by then it has been better');
    t.match(await words('/runs/4'), '1 new failure');
    t.notMatch(await words('/runs/4'), 'Other pages');
  });

  t.test('by the real scanner: from the form to what fails on a chosen page, and is fixed there', async (t) => {
    const db = await engine.openDb(t);
    const node = {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: 'Kiln',
      url: FIXTURE_ORIGIN,
      logo: '/l',
    };
    const page = (extra: object) =>
      `<!doctype html><title>Kiln</title><script type="application/ld+json">${JSON.stringify({ ...node, ...extra })}</script>`;
    const routes: Record<string, string> = { '/': page({}), '/shop': page({ pryce: 3 }) };
    const requestCounts: number[] = [];
    const scanReal: Scanner = async (target, _onProgress, only) => {
      const checks = CHECKS.filter(({ id }) => only?.includes(id) ?? true);
      const report = await scan(target, { checks, clock: web.clock, openSession: () => sessionOf(target) });
      requestCounts.push(report.requestCount);
      return report;
    };
    const sessionOf = (target: ScanTarget) => {
      const { context, close } = openFixtureRun({ routes }, { pages: target.pages ?? [] });
      return { visit: context.visit, context, close };
    };
    const web = await startWeb(t, db, { scan: scanReal });
    const member = await web.newMember();
    const site = await addSite(db, member.account.id, { hostname: 'www.fixture-site.com' });
    const path = `/sites/${site.id}`;
    const words = async (below: string) => wordsOf((await member.get(`${path}${below}`)).text);
    const run = async () => {
      await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
    };

    await run();
    await member.post(`${path}/settings/pages`, { pages: '/shop\n/gone' });
    await run();
    t.match(await words('/runs/2'), /1 now judged .*Other pages were sampled than in run 1/);
    t.match(
      await words('/runs/2'),
      '/shop chosen page 1: read /gone chosen page 2: left out: it answers with status 404',
    );
    const { text: body } = await member.get(`${path}/runs/2.json`);
    t.match(body, /page 2 \(chosen page 1\)/i, 'its place in the list stands for its path');
    t.notMatch(body, /\/shop|\/gone/, 'which is in no answer of the API');
    t.equal((await member.post(`${path}/checks/${CHECK}`)).status, 303);
    await web.runsSettled();
    t.notMatch(await words(''), 'Passes now', 'it is checked again on the chosen page');
    routes['/shop'] = page({});
    web.clock.time = new Date(web.clock.time.getTime() + 60_000);
    await member.post(`${path}/checks/${CHECK}`);
    await web.runsSettled();
    t.match(await words(''), 'Passes now');
    await run();
    t.match(await words('/runs/3'), '1 fixed');
    routes['/shop'] = page({ pryce: 3 });
    await run();
    t.match(await words('/runs/4'), '1 new failure');
    await member.post(`${path}/settings/pages`, { pages: '' });
    await run();
    t.notMatch(await words('/runs/5'), 'fixed,', 'what is not looked at any more is not fixed');
    const compared = await words('/compare?from=4&to=5');
    t.match(compared, /Nothing broke, nothing was fixed .*Other pages were sampled\. .*only run 4 read: \/shop\. /);
    t.match(compared, 'Passes on other pages 1');
    const older = await words('/runs/4');
    t.match(older, /None of its 4 failures is fixed yet\. .* C-SD-02 Not read again where it failed/);
    t.notMatch(older, /fixed now|Fixed since|fixed in run/);
    t.ok(requestCounts.every((count) => count <= SCAN_LIMITS.requestsMax));
  });

  t.test('it stands in the export, and goes with the site', async (t) => {
    const db = await engine.openDb(t);
    const { choose, run, site, accountId, web, member, path } = await prepare(t, db);
    await choose('/a');
    const pages = pagesWith(read('/a'), ['a']);
    await run({ result: 'FAIL', score: 40, pages });
    const lines = [];
    for await (const line of accountData({ db, clock: web.clock }).exportAll(accountId))
      lines.push(JSON.parse(line) as Record<string, unknown>);
    t.match(
      lines.filter(({ type }) => type === 'site' || type === 'run'),
      [{ chosenPages: ['/a'] }, { pages }],
    );
    t.notMatch(textOf(Buffer.from((await member.get(`${path}/runs/1.json`)).text)), '"/a"', 'no answer has them');
    t.equal((await rowsOf(db, 'run_pages')).length, 1);
    await siteRemoval({ db, clock: web.clock }).remove(site.id);
    t.same([await rowsOf(db, 'run_pages'), await rowsOf(db, 'chosen_pages')], [[], []]);
  });

  t.test('no payload comes out unescaped, and nobody else sees what was chosen', async (t) => {
    const { choose, run, member, path, web } = await prepare(t, await engine.openDb(t));
    const stranger = await web.newMember();
    for (const payload of PAYLOADS) {
      const { status, text } = await choose(payload);
      t.equal(status, 422, payload);
      t.notMatch(text, IN_A_TAG, payload);
    }
    const paths = PAYLOADS.slice(0, 5).map((payload) => `/${payload}`);
    t.equal((await choose(paths.join('\n'))).status, 303);
    const chosen = PAYLOADS.map((path) => ({ path, came: 'read' as const }));
    await run({ ...UNCHOSEN, pages: pagesWith(chosen) });
    const pages = [await member.get(`${path}/settings`), await member.get(`${path}/runs/1`)];
    for (const { status, text } of pages) {
      t.equal(status, 200);
      t.notMatch(text, IN_A_TAG);
      t.match(wordsOf(text), 'xss()', 'it is shown');
    }
    t.equal((await stranger.get(`${path}/settings`)).status, 404);
    t.equal((await stranger.post(`${path}/settings/pages`, { pages: '/a' })).status, 404);
  });
});
