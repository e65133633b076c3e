import t from 'tap';
import type { ChosenPage } from '../../../src/scanner/artifacts/pages.js';
import { valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { collectFrom, openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';

const page = (name: string) => `<!doctype html><title>${name}</title><p>${name}</p>`;
const OF = 'of the home page';
const linking = (...paths: string[]) =>
  `<!doctype html><title>Home</title>${paths.map((path) => `<a href="${path}">x</a>`).join('')}`;

const APEX = FIXTURE_ORIGIN.replace('https://www.', 'https://');
const urlOf = (path: string) => URL.parse(path) ?? new URL(FIXTURE_ORIGIN + path);

async function collectSample(routes: FixtureSite['routes'], chosen: readonly string[] = []) {
  const options = chosen.length === 0 ? {} : { pages: chosen.map(urlOf) };
  return valueOf(await collectFrom({ routes }, 'sample', options));
}

/** The paths of the sample but the home page. */
async function pathsOf(routes: FixtureSite['routes'], ...chosen: readonly string[]): Promise<string> {
  const { pages = [] } = (await collectSample(routes, chosen)) ?? {};
  return pages
    .slice(1)
    .map(({ url }) => url.pathname)
    .join(' ');
}

async function outcomesOf(routes: FixtureSite['routes'], ...chosen: readonly string[]): Promise<readonly ChosenPage[]> {
  return (await collectSample(routes, chosen))?.chosen ?? [];
}

t.test('the sample is the home page and up to 3 others, each with its place and where it is from', async (t) => {
  const to = (location: string, status = 302) => redirectTo(location, status);
  const any = { '*': page('any') };
  const challenge = { body: page('x'), headers: { 'cf-mitigated': 'challenge' } };
  const json = { body: '{}', type: 'application/json' };
  const entries = ['', 'a', 'deep/b', 'deep/c', 'login'].map(
    (path) => `<url><loc>${FIXTURE_ORIGIN}/${path}</loc></url>`,
  );
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
  const part = `<sitemap><loc>${FIXTURE_ORIGIN}/part</loc></sitemap>`;
  const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${part}</sitemapindex>`;
  const others = '/login /de/cart /account/orders /price.pdf /feed.xml https://shop.fixture-site.com/a'.split(' ');
  const links = ['/#top', '/', '/blog/1', '/blog/2', '/docs', 'https://other-site.com/', '/about.html', '/team'];
  const three = { '/': linking('/a', '/b', '/c'), ...any };
  const linked = ['2 /a link 1 of the home page', '3 /b link 2 of the home page', '4 /c link 3 of the home page'];
  const cases: [what: string, routes: FixtureSite['routes'], chosen: string, ...sample: string[]][] = [
    [
      'distinct first path segments, in the order of the links',
      ...([{ '/': linking(...links), ...any }, ''] as const),
      ...[`2 /blog/1 link 3 ${OF}`, `3 /docs link 5 ${OF}`, `4 /about.html link 7 ${OF}`],
    ],
    [
      'a page that was chosen comes first',
      ...([three, '/deep/page?q=1'] as const),
      ...['2 /deep/page the chosen page', '3 /a link 1 of the home page', '4 /b link 2 of the home page'],
    ],
    ['unless it is the home page', three, '/#top', ...linked],
    ['or robots.txt bars it', { ...three, '/robots.txt': 'User-agent: *\nDisallow: /deep/' }, '/deep/page', ...linked],
    [
      'two that were chosen are told apart',
      ...([three, '/x2 /x1'] as const),
      ...['2 /x1 chosen page 2', '3 /x2 chosen page 1', '4 /a link 1 of the home page'],
    ],
    [
      'no logins, carts, files or other hosts',
      { '/': linking(...others, '/good'), ...any },
      '',
      `2 /good link 7 ${OF}`,
    ],
    [
      'below a folder, as with a language, segments count from there',
      ...([{ '/': to('/en/'), '/en/': linking('/en/a', '/en/b', '/en/a/c'), ...any }, ''] as const),
      ...['2 /en/a link 1 of the home page', '3 /en/b link 2 of the home page'],
    ],
    [
      'a candidate that is not a page of this site gives its place to the next one',
      {
        '/': linking('/gone', '/home', '/json', '/challenge', '/a', '/b'),
        '/gone': 404,
        '/home': to('/', 301),
        '/json': json,
        '/challenge': challenge,
        ...any,
      },
      '',
      ...['2 /a link 5 of the home page', '3 /b link 6 of the home page'],
    ],
    [
      'nor is one that leads to another domain',
      {
        '/': linking('/away', '/a'),
        '/away': to('https://other-site.com/', 301),
        'https://other-site.com/': page('other'),
        ...any,
      },
      '',
      '2 /a link 2 of the home page',
    ],
    [
      'the sitemap helps out where the home page links too few pages',
      { '/': linking('/a'), '/a': page('a'), '/deep/b': page('b'), '/sitemap.xml': sitemap },
      '',
      ...['2 /a link 1 of the home page', '3 /deep/b entry 3 of the sitemap'],
    ],
    ['parts of a sitemap index are no pages', { '/': linking(), '/part': page('part'), '/sitemap.xml': index }, ''],
  ];
  for (const [what, routes, chosen, ...expected] of cases) {
    const { pages = [] } = (await collectSample(routes, chosen.split(' ').filter(Boolean))) ?? {};
    const sample = pages.map(({ position, url, foundAt }) => `${position} ${url.pathname} ${foundAt.text}`);
    t.match(sample[0], / home page$/, what);
    t.strictSame(sample.slice(1), expected, what);
  }
});

t.test('the sample is the home page and three others, or as many as were chosen, up to five', async (t) => {
  const routes = { '/': linking('/a', '/b', '/c', '/d'), '*': page('any') };
  const samples = {
    '/x1': '/x1 /a /b',
    '/x1 /x2': '/x1 /x2 /a',
    '/x1 /x2 /x3': '/x1 /x2 /x3',
    '/x1 /x2 /x3 /x4 /x5 /x6': '/x1 /x2 /x3 /x4 /x5',
    '/b /b#part /x1': '/b /x1 /a',
    '/login': '/login /a /b',
  };
  for (const [chosen, expected] of Object.entries(samples)) {
    t.equal(await pathsOf(routes, ...chosen.split(' ')), expected);
  }
});

t.test('a chosen page that is not read leaves its place to others, and that is told', async (t) => {
  const routes = {
    '/': linking('/a', '/b'),
    '/robots.txt': 'User-agent: *\nDisallow: /barred',
    '/gone': 404,
    '/shut': 403,
    '/away': redirectTo('https://shop.fixture-site.com/'),
    '/far': redirectTo('https://other-site.com/'),
    '/home': redirectTo('/', 301),
    '/moved': redirectTo('/good', 301),
    '/data': { body: '{}', type: 'application/json' },
    '/challenge': { body: page('x'), headers: { 'cf-mitigated': 'challenge' } },
    '/mute': { failure: 'reset' },
    'https://shop.fixture-site.com/': page('shop'),
    'https://other-site.com/': page('other'),
    '*': page('any'),
  } as const;
  for (const path of ['/good?q=1', '/moved']) {
    t.strictSame(await outcomesOf(routes, path), [{ path, isRead: true }]);
    t.equal(await pathsOf(routes, path), '/good /a /b');
  }
  for (const name of ['barred/page', 'gone', 'shut', 'away', 'far', 'home', 'data', 'challenge', 'mute']) {
    t.strictSame(await outcomesOf(routes, `/${name}`), [{ path: `/${name}`, isRead: false }]);
    t.equal(await pathsOf(routes, `/${name}`), '/a /b', name);
  }
  t.match(await outcomesOf(routes, '/good', '/moved'), [{ isRead: true }, { isRead: false }]);
  t.strictSame(await outcomesOf(routes), [], 'none where none was chosen');
});

t.test('a chosen page is read from where the home page is, once', async (t) => {
  const http = FIXTURE_ORIGIN.replace('https:', 'http:');
  const plain = {
    [`${http}/`]: page('home'),
    [`${http}//deep`]: page('deep'),
    '*': { failure: 'connect_failed' },
  } as const;
  t.equal(await pathsOf(plain, `${FIXTURE_ORIGIN}//deep`), '//deep', 'by http, where https is not to be had');
  const moved = { '/': redirectTo(`${APEX}/`, 301), '/deep': redirectTo(`${APEX}/deep`, 301) };
  const answered = { ...moved, [`${APEX}/`]: page('home'), [`${APEX}/deep`]: page('deep') };
  t.match(await outcomesOf(answered, '/deep'), [{ path: '/deep', isRead: true }]);
  const routes = { '/': moved['/'], [`${APEX}/`]: linking('/%64eep', '/b'), [`${APEX}/*`]: page('any') };
  const run = openFixtureRun({ routes }, { pages: [urlOf('/deep'), new URL('/%64eep', APEX)] });
  const sample = valueOf(await run.context.evidence('sample'));
  await run.close();
  t.strictSame(sample?.chosen, [{ path: '/deep', isRead: true }], 'whichever way its address is written');
  const asked = run.urls().filter((url) => /deep|b$/.test(url));
  t.strictSame(asked, [`${APEX}/deep`, `${APEX}/b`]);
});

t.test('what robots.txt closes to us is left out', async (t) => {
  const cases = {
    'User-agent: *\nDisallow: /a': '/b',
    'User-agent: AgentReadinessScan\nDisallow: /b\nUser-agent: *\nDisallow: /a': '/a',
    'User-agent: OtherBot\nDisallow: /': '/a /b',
    // By RFC 9309 alone, then by Google's parser alone.
    'User-agent: *\nDisallow: /a\nAllowed: /a': '/b',
    'User-agent: *\nDisallowed: /a': '/b',
  };
  for (const [robots, open] of Object.entries(cases)) {
    const routes = { '/': linking('/a', '/b'), '/robots.txt': robots, '/a': page('a'), '/b': page('b') };
    t.equal(await pathsOf(routes), open, robots);
  }
});

t.test('robots.txt: rules past the first 512,000 bytes are seen', async (t) => {
  const filler = `${'#'.repeat(99)}\n`;
  const cases: [string, boolean][] = [
    [`User-agent: *\n${filler.repeat(5_119)}Disallow: /x\n${filler}`, false],
    [`User-agent: *\n${filler.repeat(5_120)}Disallow: /x`, true],
    [`User-agent: *\nDisallow: /x\n${filler.repeat(6_000)}`, false],
    [`${filler.repeat(5_119)}User-agent: *\n${'#'.repeat(70)}\nDisallow: /${'x'.repeat(60)}`, true],
  ];
  for (const [body, hasRulesPastLimit] of cases) {
    const robots = await collectFrom({ routes: { '/': linking(), '/robots.txt': body } }, 'robots');
    t.match(robots, { ok: { kind: 'present', value: { hasRulesPastLimit } } }, String(body.length));
  }
});

t.test('robots.txt: on an echo host only a body with its records is one', async (t) => {
  const cases = [
    ['other text', 'absent'],
    ['User-agent: *', 'present'],
  ] as const;
  for (const [body, kind] of cases) {
    const routes = { '/': linking(), '/robots.txt': body, '*': 'echo' };
    t.match(await collectFrom({ routes }, 'robots'), { ok: { kind } });
  }
});
