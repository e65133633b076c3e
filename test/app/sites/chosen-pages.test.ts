import type { Test } from 'tap';
import type { SampledPages } from '../../../src/scanner/artifacts/pages.js';
import type { ScanTarget } from '../../../src/scanner/client/visit.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../../src/store/database.js';
import { setEmailAlerts } from '../../../src/app/alerts/deliveries.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';

const CHECK = 'C-SD-02';

/** What one scan comes to. */
type Outcome = Pick<ScanReport, 'score' | 'pages'> & { readonly result: Result };

const UNCHOSEN: Outcome = { result: 'PASS', score: 100, pages: null };

function read(...paths: readonly string[]): SampledPages {
  return { chosen: paths.map((path) => ({ path, isRead: true })) };
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
  const pages = await openSitePages(t, db, { scan });
  const { member, at, path, runs } = pages;
  return {
    ...{ ...pages, targets },
    choose: (chosen: string) => member.post(`${path}/settings/pages`, { pages: chosen }),
    run: async (now: Outcome) => {
      outcome = now;
      await runs.start({ ...at, trigger: 'SCHEDULED' });
    },
    words: async (below: string) => wordsOf(await pages.page(below)),
    alerted: async () => (await db.run(alertBodies({}))).map(({ body }) => kindsIn(body)),
  };
}

const alertBodies = defineQuery<{ body: string }>((sql) => sql('deliveries').select('body').orderBy('created_at'));

function kindsIn(body: string): readonly string[] {
  const { data } = JSON.parse(body) as { readonly data: { readonly changes: readonly { readonly kind: string }[] } };
  return data.changes.map(({ kind }) => kind);
}

onEitherDatabase(async (t, engine) => {
  t.test('the next run reads the pages first that the owner chose', async (t) => {
    const { choose, run, targets, words, member, path, site, runsSettled } = await prepare(t, await engine.openDb(t));
    await run(UNCHOSEN);
    t.notMatch((await member.get(`${path}/settings`)).text, /<ul[^>]*><\/ul>/, 'no empty list');
    t.equal(targets[0]?.pages, undefined, 'nobody has chosen any');
    const answer = await choose(` /pricing?plan=a#top \r\n\r\n${site.origin}/docs/\n//deep\n/pricing?plan=a\n/ä b`);
    t.match(answer, { status: 303, headers: { location: `${path}/settings?notice=pages` } });
    t.equal(readPage((await member.get(`${path}/settings?notice=pages`)).text).notices.length, 1);
    t.match(await words('/settings'), '/pricing?plan=a not yet');
    await run({ ...UNCHOSEN, pages: null });
    const paths = ['/pricing?plan=a', '/docs/', '//deep', '/%C3%A4%20b'];
    const readIn = (target: ScanTarget | undefined) => target?.pages?.map(({ href }) => href.replace(site.origin, ''));
    t.strictSame(readIn(targets[1]), paths);
    t.match((await member.get(`${path}/settings`)).text, paths.join('\n'), 'as they are typed');
    await run({ ...UNCHOSEN, result: 'FAIL' });
    t.equal((await member.post(`${path}/checks/${CHECK}`)).status, 303);
    await runsSettled();
    t.strictSame(targets.splice(2).map(readIn), [paths, paths], 'a recheck reads them too');
    await choose('');
    await run(UNCHOSEN);
    t.strictSame(targets[2]?.pages, [], 'an empty choice is one');
    const { host } = new URL(site.origin);
    t.equal((await choose(`https://www.${host}/docs?a#top\nhttp://${host}/%62\n/b`)).status, 303);
    await run(UNCHOSEN);
    // With "www." or without, by either scheme, and however they are escaped.
    t.strictSame(readIn(targets[3]), ['/docs?a', '/b']);
  });

  t.test('addresses that are not pages of the site are refused, and stay in the form', async (t) => {
    const { choose, path, member, site, sites } = await prepare(t, await engine.openDb(t));
    const before = await sites.get(site.id);
    const cases = [
      ['pricing', /Line 1 .* path/],
      ['/a\nftp://shop.example.com/a', /Line 2 .* path/],
      ['/a\n\nhttps://other.example.com/a', /Line 3 .* shop\.example\.com/],
      ['https://shop.example.com:8443/a', /Line 1 .* shop\.example\.com/],
      ['https://u:p@shop.example.com/a', /Line 1 .* password/],
      ['https://shop.example.com/#top', /Line 1 .* home page/],
      [`/${'a'.repeat(300)}`, /Line 1 .* 300 /],
      ['/1\n/2\n/3\n/4\n/5\n/6', /\b6 .* 5 /],
    ] as const;
    for (const [typed, message] of cases) {
      const { status, text } = await choose(typed);
      t.same([status, readPage(text).invalid], [422, ['pages']], typed);
      t.match(/id="pages-error">([^<]*)/.exec(text)?.[1], message);
      t.equal(formTo(text, `${path}/settings/pages`)?.fields.pages?.replaceAll('\r', ''), typed);
    }
    t.same(await sites.get(site.id), before, 'nothing is chosen');
    await choose('/pricing\n/about');
    const { text } = await member.post(`${path}/tags`, { tag: 'x'.repeat(500) });
    const { pages } = formTo(text, `${path}/settings/pages`)?.fields ?? {};
    t.equal(pages?.replaceAll('\r', ''), '/pricing\n/about', 'another form that is refused leaves them in theirs');
  });

  t.test('a page that cannot be read is listed in the settings, and fails no check', async (t) => {
    const { choose, run, words, member, runs, at } = await prepare(t, await engine.openDb(t));
    await choose('/old\n/gone\n/new');
    const chosen: SampledPages['chosen'] = [
      { path: '/old', isRead: true },
      { path: '/gone', isRead: false },
    ];
    await run({ ...UNCHOSEN, pages: { chosen } });
    t.match(await words('/settings'), /\/old read .*\/gone not read.*\/new not yet/);
    t.match(await words('/runs/1'), '100 of 100');
    t.notMatch(Buffer.from((await runs.read(at)).body).toString(), '/gone', 'the API does not show them');
    const { text } = await member.post('/account/export');
    t.match(text, `"pages":${JSON.stringify({ chosen })}`, 'the export does');
  });

  t.test('a failure only on a newly chosen page is newly checked, on every page and for alerts', async (t) => {
    const { choose, run, words, alerted, member, path, account, ...context } = await prepare(t, await engine.openDb(t));
    await setEmailAlerts(context, account.id, true);
    await run(UNCHOSEN);
    await choose('/a');
    await run({ result: 'FAIL', score: 40, pages: read('/a') });
    t.same(await alerted(), [], 'neither the failure nor the score is an alert');
    for (const below of ['/runs/2', '', '/compare?from=1&to=2'])
      t.match(await words(below), /1 newly checked\b.*Other pages|Other pages .*Newly checked 1/, below);
    t.notMatch(wordsOf((await member.get('/sites')).text), /[1-9] new/);
    t.notMatch((await member.get(`${path}/runs`)).text, /class="(move )?down"/, 'nothing got worse');

    await run({ result: 'PASS', score: 100, pages: read('/a') });
    t.same(await alerted(), [['CHECK_FIXED']]);
    await run({ result: 'FAIL', score: 40, pages: read('/a') });
    t.match((await alerted())[1], ['SCORE_FELL', 'CHECK_FAILING'], 'by then it has been better');
    t.match(await words('/runs/4'), '1 new failure');
    t.notMatch(await words('/runs/4'), 'Other pages');
  });
});
