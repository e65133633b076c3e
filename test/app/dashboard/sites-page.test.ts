import type { Test } from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { headlineOf, titleOf } from '../../../src/scanner/report/failures.js';
import { readNextRuns, setSchedule } from '../../../src/app/automation/schedules.js';
import { FILTERS } from '../../../src/web/pages/sites-view.js';
import { History } from '../../../src/app/runs/history.js';
import { acceptFailure } from '../../../src/app/triage/accepted-failures.js';
import { TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { NO_SCORE, type SeededSite, seedSites } from '../../support/many-sites.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { recordStatements } from '../../support/changed-database.js';
import { updateRows } from '../../support/tables.js';
import { startWeb } from '../../support/web.js';

/** How many sites each group of the list counts. */
function groupCounts(html: string): readonly string[] {
  return readPage(html).rows.flatMap(([cell = '', ...others]) =>
    others.length === 0 ? [/\d+$/.exec(cell)?.[0] ?? ''] : [],
  );
}

const PASSED = '';
const LLMS = 'f';
const ROBOTS = `${'p'.repeat(CHECKS.findIndex(({ id }) => id === 'C-BOT-01'))}f`;

/** One of each kind; by name they come in another order than by their news. */
const KINDS: readonly SeededSite[] = [
  { hostname: 'as-before.example.com', runs: [LLMS, LLMS] },
  { hostname: 'better.example.com', runs: [LLMS, PASSED] },
  { hostname: 'clean.example.com', runs: [PASSED, PASSED] },
  { hostname: 'gone.example.com', runs: [PASSED, NO_SCORE, NO_SCORE], isSilent: true },
  { hostname: 'never-run.example.com', runs: [] },
  { hostname: 'unverified.example.com', isVerified: false, runs: [] },
  { hostname: 'worse.example.com', runs: [PASSED, NO_SCORE, ROBOTS] },
  { hostname: 'xn--mnchner-tpferei-htb7g.example', runs: [LLMS] },
];

onEitherDatabase(async (t, engine) => {
  const prepare = async (t: Test, sites: readonly SeededSite[]) => {
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

  t.test('the heading says what came out', async (t) => {
    const cases: readonly (readonly [runs: readonly string[], news: string])[] = [
      [[PASSED, LLMS], 'Your site has new failures'],
      [[LLMS, PASSED], 'No new failures on your site'],
      [[ROBOTS], 'Your site blocks AI agents'],
      [[PASSED, NO_SCORE], 'Your site has no score'],
      [[PASSED, PASSED], 'No new failures on your site'],
      [[], 'Your site has no runs yet'],
    ];
    for (const [runs, news] of cases) {
      const { list } = await prepare(t, [{ hostname: 'shop.example.com', runs }]);
      t.match(readPage(await list()).heading, news);
    }
  });

  t.test('the heading says how many sites are not verified, and is about the sites with the chosen tag', async (t) => {
    const { member, ids, list } = await prepare(t, [
      { hostname: 'shop.example.com', runs: [PASSED, PASSED] },
      { hostname: 'unverified.example.com', isVerified: false, runs: [] },
    ]);
    await member.post(`/sites/${ids[0]}/tags`, { tag: 'shops' });
    t.match(readPage(await list()).heading, '1 of 2 sites is not verified');
    t.match(readPage(await list('?tag=shops')).heading, '#shops: No new failures on your site');
  });

  t.test('news come first, in groups, and the heading says what came out', async (t) => {
    const { list, rows, ids } = await prepare(t, KINDS);
    t.same(await rows(), [
      ...['worse', 'gone', 'better', 'münchner-töpferei.example', 'as-before', 'clean', 'never-run', 'unverified'],
    ]);
    const html = await list();
    const words = wordsOf(html);
    t.match(readPage(html).heading, '1 of 8 sites blocks AI agents, 1 has new failures');
    t.same(groupCounts(html), ['1', '1', '1', '1', '2', '1', '1']);
    for (const row of [
      // Compared with the last run that has a score.
      /worse\. example\. com robots\.txt [^.]* run 3 9\d down \d 1 new 1 /,
      /gone\. example\. com Did not answer [^.]* 100 – No score, 2 runs/,
      /never-run\. example\. com No run/,
      /münchner-töpferei\. example xn--mnchner-tpferei-htb7g\.example/,
    ])
      t.match(words, row);
    t.match(html, `href="/sites/${ids[5]}/verify"`);
    t.match(html, /aria-label="[^"]* 3 runs: [^"]*100 to 9/, 'how it went');
  });

  t.test('tags are offered until they fill the page, and the rest is counted', async (t) => {
    const { member, ids, list } = await prepare(t, KINDS);
    for (const [at, id] of ids.slice(0, 4).entries()) {
      const tag = Array.from({ length: 10 }, (_, index) => `client ${at}${index}`).join();
      await member.post(`/sites/${id}/tags`, { tag });
    }
    t.match(
      wordsOf(await list()),
      / #client 00 1 #client 01 1 .* #client 17 1 #client 18 1 21 more tags: search for one above /,
    );
    t.match(wordsOf(await list('?tag=client+39')), / #client 39 1 20 more tags/, 'the chosen one is offered');
  });

  t.test('newly blocked sites come before those that were blocked', async (t) => {
    const { rows } = await prepare(t, [
      { hostname: 'blocked-for-long.example.com', runs: [ROBOTS, ROBOTS] },
      { hostname: 'newly-blocked.example.com', runs: [PASSED, ROBOTS] },
    ]);
    t.same(await rows(), ['newly-blocked', 'blocked-for-long']);
  });

  t.test('the list is filtered, searched and sorted by its address', async (t) => {
    const { list, rows } = await prepare(t, KINDS);
    const counts = [8, 1, 1, 3, 1, 1, 1, 2];
    const offered = Object.values(FILTERS).map(([label], index) => `${label} ${counts[index]}`);
    t.match(wordsOf(await list()), ` ${offered.join(' ')} `);
    t.same(await rows('?show=worse'), ['worse']);
    t.same(await rows('?show=unscored'), ['gone']);
    t.same(await rows('?show=clean'), ['better', 'clean']);
    t.same(await rows('?show=C-BOT-01'), ['worse'], 'the sites that fail a check');
    t.match(wordsOf(await list('?show=C-BOT-01')), ` Fails: ${titleOf('C-BOT-01')} 1 `);
    t.same(await rows('?q=NEVER'), ['never-run']);
    t.same(await rows('?q=https%3A%2F%2Fclean.example.com%2Fshop'), ['clean'], 'a pasted address counts as its host');
    t.same(await rows('?q=t%C3%B6pferei'), ['münchner-töpferei.example']);
    const byName = KINDS.map(({ hostname }) => hostname.replace('.example.com', '')).slice(0, 7);
    t.same((await rows('?sort=site')).slice(0, 7), byName);
    t.same((await rows('?sort=-site')).slice(1), byName.toReversed());
    t.same((await rows('?sort=score')).slice(-2), ['never-run', 'unverified'], 'what has no score comes last');
    t.same((await rows('?sort=-score')).slice(-2), ['never-run', 'unverified']);
    const sorted = await list('?sort=score&show=failing');
    t.match(sorted, /aria-sort="ascending"><a href="\/sites\?show=failing&amp;sort=-score">Score/);
    t.notMatch(sorted, 'rowgroup');
    for (const first of ['site', '-fix', '-run'])
      t.match(sorted, `<a href="/sites?show=failing&amp;sort=${first}">`, `a column sorts at first by ${first}`);
    t.match(sorted, '<input type="hidden" name="sort" value="score"/>', 'a search keeps how the list is sorted');
    t.equal((await rows('?sort=fix'))[0], 'better');
    t.equal((await rows('?sort=-fix'))[0], 'as-before', 'what falls has a minus');
  });

  t.test('what is not found, or cannot be read, is said', async (t) => {
    const { list, rows, newMember } = await prepare(t, KINDS);
    const nowhere = await list('?q=nowhere');
    const filters = Object.values(FILTERS).map(([label]) => label);
    t.match(wordsOf(nowhere), ` ${filters.join(' ')} `, 'all stays, without counts');
    for (const kind of ['clear', 'btn quiet']) t.match(nowhere, `<a class="${kind}" href="/sites">`);
    t.same(await rows('?show=worse&q=clean'), []);
    for (const query of ['?show=__proto__', '?sort=x', '?page=0', '?page=-1', '?page=99', '?q=']) {
      t.equal((await rows(query)).length, 8, query);
    }
    const { text } = await (await newMember()).get('/sites');
    t.match(readPage(text), { heading: 'No sites yet', rows: [] }, 'an account sees its own sites only');
    t.ok(formTo(text, '/sites'), 'the first can be added');
  });

  t.test('an accepted failure needs no attention', async (t) => {
    const runs = [PASSED, LLMS];
    const hostnames = ['a10', 'a9', 'b'].map((name) => `${name}.example.com`);
    const sites = hostnames.map((hostname) => ({ hostname, runs }));
    const { db, member, list, rows, ids } = await prepare(t, sites);
    t.match(wordsOf(await list()), 'All 3 sites have new failures');
    const failure = { checkId: 'C-LLMS-01', errorType: 'MISSING', reason: 'no budget' } as const;
    const clock = new TestClock();
    for (const siteId of ids.slice(0, 2)) {
      await acceptFailure({ db, clock }, { accountId: member.account.id, siteId, ...failure });
    }
    const html = await list();
    t.match(readPage(html).heading, '1 of 3 sites has new failures');
    t.match(wordsOf(html), / 1 site .* a9\. example\. com 9\d down \d 0 /);
    t.same(await rows(), ['b', 'a9', 'a10'], 'numbers in names count as numbers');
    t.same(await rows('?show=clean'), ['a9', 'a10']);
    t.same(await rows('?show=C-LLMS-01'), ['b']);
  });

  t.test('the list says where most sites fail, from three on that have a score', async (t) => {
    const { list } = await prepare(t, KINDS);
    const html = await list();
    const headline = headlineOf({ checkId: 'C-LLMS-01', errorType: 'MISSING', title: null });
    t.match(wordsOf(html), new RegExp(` ${headline} 2 sites robots\\.txt .* 1 site .* 6 `));
    t.match(html, `<a href="/sites?show=C-LLMS-01">${headline}</a>`);
    t.notMatch(await list('?show=C-LLMS-01'), 'id="fails"');
    const few = await prepare(t, KINDS.slice(0, 2));
    t.notMatch(await few.list(), 'id="fails"');
  });

  t.test('a long list comes by pages of forty, each told of in few statements', async (t) => {
    const hostnames = Array.from({ length: 41 }, (_, index) => `s${index}.example.com`);
    const sites = hostnames.map((hostname) => ({ hostname, runs: [LLMS, ROBOTS] }));
    const { db, member, rows, list, ids, runs } = await prepare(t, sites);
    t.equal((await rows()).length, 40);
    t.equal((await rows('?page=2')).length, 1);
    t.equal((await rows('?page=99')).length, 1, 'the last page');
    t.match(wordsOf(await list('?sort=score')), /1 to 40 of 41 Next/);
    t.match(await list('?sort=score'), 'href="/sites?sort=score&amp;page=2" rel="next">Next');
    t.match(wordsOf(await list('?page=2')), /41 to 41 of 41 Previous/);

    const recorded = recordStatements(db);
    const clock = new TestClock();
    const history = new History({ db: recorded.db, clock });
    const look = async () => {
      t.equal((await history.overview(member.account.id)).length, 41);
      await readNextRuns(recorded.db, ids);
      return recorded.asked.splice(0);
    };
    const others = ['select accepted_failures', 'select schedules'];
    t.same(await look(), ['select sites', ...Array(3).fill('select runs'), ...others]);
    t.same(await look(), ['select sites', ...others], 'however many sites: they were shown before');
    for (const siteId of ids.slice(0, 2)) {
      await runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' });
    }
    t.same(await look(), ['select sites', 'select runs', ...others], 'two have run');
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
    await setSchedule({ db, clock: new TestClock() }, own, 'WEEKLY');
    t.equal((await list()).match(/no schedule/g)?.length, 1, 'the other one has none');
    await runs.start({ ...own, trigger: 'SCHEDULED' });
    t.match(await list(), /aria-label="[^"]* 2 runs/);
    await updateRows(db, 'sites', { id: siteId }, { verified_at: null, verified_by: null });
    t.match(wordsOf(await list()), 'Not verified 1 a. example. com');
  });

  t.test('a site that shuts agents out says so in words, whatever else changed', async (t) => {
    const { list, ids } = await prepare(t, [
      { hostname: 'all-along.example.com', runs: Array.from({ length: 12 }, () => ROBOTS) },
      { hostname: 'better.example.com', runs: [`f${ROBOTS.slice(1)}`, ROBOTS] },
      {
        hostname: 'for-a-while.example.com',
        runs: [PASSED, PASSED, ROBOTS, `${ROBOTS.slice(0, -1)}u`, NO_SCORE, ROBOTS],
      },
    ]);
    const html = await list();
    const words = wordsOf(html);
    t.match(readPage(html).heading, 'All 3 sites block AI agents');
    t.same(groupCounts(html), ['3']);
    t.match(words, /all-along\. example\. com robots\.txt [^.]*, since run 3 or earlier 9\d unchanged 1 /);
    t.match(words, /better\. example\. com robots\.txt [^.,]* 9\d up \d 1 /);
    t.match(words, /for-a-while\. example\. com robots\.txt [^.]*, since run 3 9\d unchanged 1 /);
    t.match(html, `<a href="/sites/${ids[0]}/automation">no schedule</a>`);
    t.notMatch(html, 'name="q"', 'so few are seen at a glance');
    t.match(await list('?q=better'), 'name="q"');
  });

  t.test('a page of forty sites that all changed and run by themselves stays small', async (t) => {
    const runs = 'pppp ffpp pppf fpfn nfpp puff ppfu fppp pppp pfunppfpufpnpfupff'.split(' ');
    const hostnames = Array.from({ length: 40 }, (_, index) => `shop-number-${index}.example.com`);
    const sites = hostnames.map((hostname) => ({ hostname, runs }));
    const { db, list, member, ids } = await prepare(t, sites);
    for (const siteId of ids) {
      await setSchedule({ db, clock: new TestClock() }, { accountId: member.account.id, siteId }, 'DAILY');
    }
    const html = await list();
    t.equal(html.match(/chip is-f/g)?.length, 40);
    const selecting = await list('?select=on');
    t.equal(selecting.match(/type="checkbox" name="site"/g)?.length, 40);
    // As long as they may be, of letters that take three bytes each and nine in an address, and no two the same.
    for (const [index, id] of ids.entries()) {
      const tags = ['가', '나', '다'].map((letter) => `${index} `.padEnd(40, letter));
      await updateRows(db, 'sites', { id }, { tags: JSON.stringify(tags) });
    }
    const tag = encodeURIComponent('7 '.padEnd(40, '가'));
    const tagged = await list();
    t.match(tagged, /<bdi>0 가+…가+<\/bdi>/);
    for (const page of [html, selecting, tagged, await list('?select=on'), await list(`?tag=${tag}`)]) {
      t.ok(Buffer.byteLength(page) <= 24_000 + 2_000 * CHECKS.length, `${Buffer.byteLength(page)} bytes`);
    }
    const latin = ['a', 'b', 'c'].map((letter) => `${letter} `.padEnd(40, 'x'));
    await updateRows(db, 'sites', {}, { tags: JSON.stringify(latin) });
    const bytes = Buffer.byteLength(await list());
    t.ok(bytes <= 60_000, `${bytes} bytes`);
    await updateRows(db, 'sites', { id: ids[0] ?? '' }, { tags: JSON.stringify(['Clients of spring']) });
    t.match(await list(), /<th scope="row">.*<bdi>Clients of spring<\/bdi>/, 'one of usual length is whole');
  });
});
