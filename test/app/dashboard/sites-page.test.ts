import { Schedules } from '../../../src/app/automation/schedules.js';
import { listedSitesOf } from '../../../src/app/dashboard/pages/sites-view.js';
import { History } from '../../../src/app/runs/history.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import { defineQuery } from '../../../src/store/query.js';
import { TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { NO_SCORE, type SeededSite, seedSites } from '../../support/many-sites.js';
import { recordStatements } from '../../support/statement-names.js';
import { startWeb } from '../../support/web.js';

/** What a person reads: the page without its markup. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}

const loseProof = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id }).update({ verified_at: null, verified_by: null }),
);

const setTags = defineQuery<never, { id: string; tags: string }>((sql, { id, tags }) =>
  sql('sites').where({ id }).update({ tags }),
);

const PASSED = '';
const LLMS = 'f';
const ROBOTS = 'ppppppf';

/** One of each kind; by name they come in another order than by their news. */
const KINDS: readonly SeededSite[] = [
  { hostname: 'as-before.example.com', runs: [LLMS, LLMS] },
  { hostname: 'better.example.com', runs: [LLMS, PASSED] },
  { hostname: 'clean.example.com', runs: [PASSED, PASSED] },
  { hostname: 'gone.example.com', runs: [PASSED, NO_SCORE, NO_SCORE] },
  { hostname: 'never-run.example.com', runs: [] },
  { hostname: 'unverified.example.com', isVerified: false, runs: [] },
  { hostname: 'worse.example.com', runs: [PASSED, NO_SCORE, ROBOTS] },
  { hostname: 'xn--mnchner-tpferei-htb7g.example', runs: [LLMS] },
];

onEachDatabase(async (t, engine) => {
  const prepare = async (t: Parameters<typeof engine.openDb>[0], sites: readonly SeededSite[]) => {
    const db = await engine.openDb(t);
    const web = await startWeb(t, db);
    const member = await web.newMember();
    const ids = await seedSites(db, member.account.id, sites);
    const list = async (query = '') => (await member.get(`/sites${query}`)).text;
    /** The host names of the rows, in order. */
    const rows = async (query = '') =>
      [...(await list(query)).matchAll(/<th scope="row"><a [^>]*><bdi dir="ltr">(.*?)<\/bdi>/g)].map(([, name = '']) =>
        name.replaceAll('<wbr/>', '').replace('.example.com', ''),
      );
    return { ...web, db, member, ids, list, rows };
  };

  t.test('the heading of a single site counts nothing', async (t) => {
    const cases: readonly (readonly [runs: readonly string[], news: string])[] = [
      [[PASSED, LLMS], 'with new failures'],
      [[LLMS, PASSED], 'and it got better'],
      [[ROBOTS], 'and it shuts agents out'],
      [[PASSED, NO_SCORE], 'without a score'],
      [[PASSED, PASSED], 'no new failures'],
      [[], 'no run yet'],
    ];
    for (const [runs, news] of cases) {
      const { list } = await prepare(t, [{ hostname: 'shop.example.com', runs }]);
      t.match(await list(), `<h1>1 site, ${news}</h1>`);
    }
  });

  t.test('news come first, in groups, and the heading says what came out', async (t) => {
    const { list, rows } = await prepare(t, KINDS);
    t.same(await rows(), [
      ...['worse', 'gone', 'better', 'as-before', 'münchner-töpferei.example', 'clean', 'never-run', 'unverified'],
    ]);
    const html = await list();
    const words = wordsOf(html);
    t.match(words, /8 sites, 1 with new failures/);
    t.equal(html.match(/<path class="u" d="(M[\d.]+ 4v12\.4){18}"/g)?.length, 1, 'no score is drawn as on its run');
    t.match(words, /Need attention 2 worse.*Better 1 better.*As before 3 as-before.*Not started 2 never-run/s);
    t.match(
      words,
      /worse\. example\. com robots\.txt [^.]*, since run 3 9\d down \d 1 new 1 /,
      'compared with the last run that has a score',
    );
    t.match(words, /gone\. example\. com The last score was 100 – No score, 2 runs/);
    t.match(words, /never-run\. example\. com No run yet\. Start the first/);
    t.match(words, /Verify that the domain is yours: unverified\.example\.com/);
    t.match(words, /münchner-töpferei\. example xn--mnchner-tpferei-htb7g\.example/);
    t.match(await list(), 'aria-label="Score over 3 runs: from 100 to 9', 'how it went');
  });

  t.test('the list is filtered, searched and sorted by its address', async (t) => {
    const { list, rows } = await prepare(t, KINDS);
    t.match(
      wordsOf(await list()),
      /All 8 New failures 1 Shut agents out 1 With failures 3 No score 1 No run yet 1 Not verified 1 Nothing to fix 2 Sort by /,
    );
    t.same(await rows('?show=worse'), ['worse']);
    t.same(await rows('?show=unscored'), ['gone']);
    t.same(await rows('?show=clean'), ['better', 'clean']);
    t.same(await rows('?show=C-BOT-01'), ['worse'], 'the sites that fail a check');
    t.same(await rows('?q=NEVER'), ['never-run']);
    t.same(await rows('?q=https%3A%2F%2Fclean.example.com%2Fshop'), ['clean'], 'a pasted address counts as its host');
    t.same(await rows('?q=t%C3%B6pferei'), ['münchner-töpferei.example']);
    const byName = KINDS.map(({ hostname }) => hostname.replace('.example.com', '')).slice(0, 7);
    t.same((await rows('?sort=site')).slice(0, 7), byName);
    t.same((await rows('?sort=-site')).slice(1), byName.toReversed());
    t.same((await rows('?sort=score')).slice(-2), ['never-run', 'unverified'], 'what has no score comes last');
    t.same((await rows('?sort=-score')).slice(-2), ['never-run', 'unverified']);
    const sorted = await list('?sort=score&show=failing');
    t.match(
      sorted,
      /<th scope="col" class="r" aria-sort="ascending"><a href="\/sites\?show=failing&amp;sort=-score">Score/,
    );
    t.notMatch(sorted, 'rowgroup');
    t.match(sorted, '<option value="score" selected>Lowest score<', 'a search keeps how the list is sorted');
    t.same(
      [(await rows('?sort=fix'))[0], (await rows('?sort=-fix'))[0]],
      ['better', 'as-before'],
      'what falls has a minus',
    );
  });

  t.test('what is not found, or cannot be read, is said', async (t) => {
    const { list, rows, member, newMember } = await prepare(t, KINDS);
    const none = await list('?q=%22%3E%3Cb%3E');
    t.match(none, /No site has “&quot;>&lt;b>” in its name/);
    const nowhere = await list('?q=nowhere');
    t.match(
      wordsOf(nowhere),
      /All New failures Shut agents out .*Nothing to fix Find a site × Clear/,
      'all stays, without counts',
    );
    t.match(nowhere, '<a class="clear" href="/sites">');
    t.match(none, 'href="/sites">Show all sites');
    t.match(wordsOf(await list('?show=worse&q=clean')), 'No site has “clean” in its name');
    for (const query of ['?show=__proto__', '?sort=x', '?page=0', '?page=-1', '?page=99', '?q=']) {
      t.equal((await rows(query)).length, 8, query);
    }
    t.match(wordsOf((await member.get('/sites?notice=removed')).text), 'The site and its runs were removed.');
    const nobody = await newMember();
    t.match(wordsOf((await nobody.get('/sites')).text), /No site yet.*Add site .*Show that it is yours/);
    t.notMatch((await nobody.get('/sites')).text, 'clean.example.com', 'an account sees its own sites only');
  });

  t.test('a chart shows where the sites fail, from three on that have a score', async (t) => {
    const { list } = await prepare(t, KINDS);
    const html = await list();
    t.match(
      wordsOf(html),
      /Where your sites fail Where your sites fail There is no llms\.txt 2 sites robots\.txt .*1 site Of the 6 with a score, now or before\./,
    );
    t.match(html, /<a href="\/sites\?show=C-LLMS-01" tabindex="-1"><title>/i);
    t.match(html, /fails on 2 of 6 sites/);
    const few = await prepare(t, KINDS.slice(0, 2));
    t.notMatch(await few.list(), 'Where your sites fail');
  });

  t.test('a long list comes by pages of fifty, each told of in few statements', async (t) => {
    const { db, member, rows, list, ids, runs } = await prepare(
      t,
      Array.from({ length: 51 }, (_, index) => ({ hostname: `s${index}.example.com`, runs: [LLMS, ROBOTS] })),
    );
    t.equal((await rows()).length, 50);
    t.equal((await rows('?page=2')).length, 1);
    t.equal((await rows('?page=99')).length, 1, 'the last page');
    t.match(wordsOf(await list('?sort=score')), /1 to 50 of 51 Next/);
    t.match(await list('?sort=score'), 'href="/sites?sort=score&amp;page=2">Next');
    t.match(wordsOf(await list('?page=2')), /51 to 51 of 51 Previous/);

    const recorded = await recordStatements(db);
    const clock = new TestClock();
    const history = new History({ db: recorded.db, clock });
    const look = async () => {
      const overviews = await history.overview(member.account.id);
      const trends = await history.trends(listedSitesOf(overviews));
      await new Schedules({ db: recorded.db, clock }).nextRuns(ids);
      t.same([overviews.length, trends.size], [51, 51]);
      return recorded.asked.splice(0);
    };
    t.same(await look(), ['selectGlances', 'selectSchedules'], 'however many sites: they were shown before');
    for (const siteId of ids.slice(0, 2)) {
      await runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' });
    }
    t.same(await look(), ['selectGlances', 'selectLastRuns', 'selectTrends', 'selectSchedules'], 'two have run');
    t.ok(await findOwnSite(db, { accountId: member.account.id, siteId: ids[0] ?? '' }));
  });

  t.test('the list is as it was until something changes, and then says so', async (t) => {
    const { db, member, list, ids, runs } = await prepare(t, [
      { hostname: 'a.example.com', runs: [LLMS] },
      { hostname: 'b.example.com', runs: [LLMS] },
    ]);
    const before = await list();
    t.equal(await list(), before);
    t.notMatch(wordsOf(before), 'due now');
    const [siteId = ''] = ids;
    const own = { accountId: member.account.id, siteId };
    await new Schedules({ db, clock: new TestClock() }).set(await findOwnSite(db, own), 'WEEKLY');
    const scheduled = await list();
    t.match(wordsOf(scheduled), /no schedule/, 'the other one has none');
    t.equal(scheduled.match(/no schedule/g)?.length, 1);
    await runs.start({ ...own, trigger: 'SCHEDULED' });
    t.match(await list(), 'aria-label="Score over 2 runs');
    await db.run(loseProof({ id: siteId }));
    t.match(wordsOf(await list()), /Not started 1 a\. example\. com/);
  });

  t.test('a site that shuts agents out says so in words, whatever else changed', async (t) => {
    const passed = Array.from({ length: 2 }, () => PASSED);
    const { list, ids } = await prepare(t, [
      { hostname: 'all-along.example.com', runs: Array.from({ length: 12 }, () => ROBOTS) },
      { hostname: 'better.example.com', runs: [`f${ROBOTS.slice(1)}`, ROBOTS] },
      { hostname: 'for-a-while.example.com', runs: [...passed, ROBOTS, `${ROBOTS.slice(0, -1)}u`, NO_SCORE, ROBOTS] },
    ]);
    const words = wordsOf(await list());
    t.match(words, /3 sites, 3 shut agents out/);
    t.match(words, /Still shut agents out 3 /);
    t.match(words, /all-along\. example\. com robots\.txt [^.]*, since run 3 or before 9\d – as before 1 /);
    t.match(words, /better\. example\. com robots\.txt [^.,]* 9\d up \d 1 /);
    t.match(words, /for-a-while\. example\. com robots\.txt [^.]*, since run 3 9\d – as before 1 /);
    t.match(await list(), `<a href="/sites/${ids[0]}/automation">no schedule</a>`);
    t.notMatch(words, 'Find a site', 'so few are seen at a glance');
    t.match(wordsOf(await list('?q=better')), 'Find a site');
  });

  t.test('a page of fifty sites that all changed and run by themselves stays below 60 kB', async (t) => {
    const { db, list, member, ids } = await prepare(
      t,
      Array.from({ length: 50 }, (_, index) => ({
        hostname: `shop-number-${index}.example.com`,
        runs: ['pppp', 'ffpp', 'pppf', 'fpfn', 'nfpp', 'puff', 'ppfu', 'fppp', 'pppp', 'pfunppfpufpnpfupff'],
      })),
    );
    const schedules = new Schedules({ db, clock: new TestClock() });
    for (const siteId of ids) {
      await schedules.set(await findOwnSite(db, { accountId: member.account.id, siteId }), 'DAILY');
    }
    const html = await list();
    t.equal(html.match(/chip is-f/g)?.length, 50);
    t.notMatch(html, 'no schedule');
    const selecting = await list('?select=on');
    t.equal(selecting.match(/type="checkbox" name="site"/g)?.length, 50);
    // As long as they may be, of letters that take three bytes each and nine in an address, and no two the same.
    for (const [index, id] of ids.entries()) {
      const tags = ['가', '나', '다'].map((letter) => `${index} `.padEnd(40, letter));
      await db.run(setTags({ id, tags: JSON.stringify(tags) }));
    }
    const tag = encodeURIComponent('7 '.padEnd(40, '가'));
    const tagged = await list();
    t.match(tagged, /<bdi>0 가+…가+<\/bdi>/);
    t.equal(tagged.match(/class="tag"/g)?.length, 40, 'fewer on a page');
    t.match(await list('?page=2'), '41 to 50 of 50');
    for (const page of [html, selecting, tagged, await list('?select=on'), await list(`?tag=${tag}`)]) {
      t.ok(Buffer.byteLength(page) <= 60_000, `${Buffer.byteLength(page)} bytes`);
    }
    const latin = ['a', 'b', 'c'].map((letter) => `${letter} `.padEnd(40, 'x'));
    for (const id of ids) await db.run(setTags({ id, tags: JSON.stringify(latin) }));
    const bytes = Buffer.byteLength(await list());
    t.ok(bytes <= 60_000, `${bytes} bytes`);
    await db.run(setTags({ id: ids[0] ?? '', tags: JSON.stringify(['Clients of spring']) }));
    t.match(await list(), /<th scope="row">.*<bdi>Clients of spring<\/bdi>/, 'one of usual length is whole');
  });

  t.test('a check that earlier runs left open is compared as on the page of its run', async (t) => {
    const open = `u${'p'.repeat(17)}`;
    const { list } = await prepare(t, [
      { hostname: 'new-failure.example.com', runs: [PASSED, open, LLMS] },
      { hostname: 'now-judged.example.com', runs: [open, open, LLMS] },
    ]);
    t.match(
      wordsOf(await list()),
      /2 sites, 1 with new failures.*Need attention 1 new-failure.*1 new.*As before 1 now-judged/s,
    );
  });
});
