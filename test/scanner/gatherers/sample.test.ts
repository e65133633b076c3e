import t from 'tap';
import type { ChosenPage } from '../../../src/scanner/artifacts/pages.js';
import { valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { sitemapIndex, urlset } from '../../fixtures/sites/parts.js';
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
  const [, ...others] = pages.map(({ url }) => url.pathname);
  return others.join(' ');
}

async function outcomesOf(routes: FixtureSite['routes'], ...chosen: readonly string[]): Promise<readonly ChosenPage[]> {
  return (await collectSample(routes, chosen))?.chosen ?? [];
}

interface SampleCase {
  readonly routes: FixtureSite['routes'];
  readonly chosen?: readonly string[];
  readonly sample: readonly string[];
}

t.test('the sample is the home page and up to 3 others, each with its place and where it is from', async (t) => {
  const any = { '*': page('any') };
  const challenge = { body: page('x'), headers: { 'cf-mitigated': 'challenge' } };
  const json = { body: '{}', type: 'application/json' };
  const [home, shop] = [FIXTURE_ORIGIN, 'https://other-site.com/'];
  const map = urlset(['', '/a', '/deep/b', '/deep/c', '/login'].map((path) => [`${home}${path || '/'}`]));
  const others = '/login /de/cart /account/orders /price.pdf /feed.xml https://shop.fixture-site.com/a'.split(' ');
  const links = ['/#top', '/', '/blog/1', '/blog/2', '/docs', shop, '/about.html', '/team'];
  const three = { '/': linking('/a', '/b', '/c'), ...any };
  const notPages = { '/gone': 404, '/home': redirectTo('/', 301), '/json': json, '/challenge': challenge } as const;
  const cases: Readonly<Record<string, SampleCase>> = {
    'distinct first path segments, in the order of the links': {
      routes: { '/': linking(...links), ...any },
      sample: [`2 /blog/1 link 3 ${OF}`, `3 /docs link 5 ${OF}`, `4 /about.html link 7 ${OF}`],
    },
    'a page that was chosen comes first': {
      routes: three,
      chosen: ['/deep/page?q=1'],
      sample: ['2 /deep/page the chosen page', `3 /a link 1 ${OF}`, `4 /b link 2 ${OF}`],
    },
    'unless it is the home page': {
      routes: three,
      chosen: ['/#top'],
      sample: [`2 /a link 1 ${OF}`, `3 /b link 2 ${OF}`, `4 /c link 3 ${OF}`],
    },
    'two that were chosen are told apart': {
      routes: three,
      chosen: ['/x2', '/x1'],
      sample: ['2 /x1 chosen page 2', '3 /x2 chosen page 1', `4 /a link 1 ${OF}`],
    },
    'no logins, carts, files or other hosts': {
      routes: { '/': linking(...others, '/good'), ...any },
      sample: [`2 /good link 7 ${OF}`],
    },
    'below a folder, as with a language, segments count from there': {
      routes: { '/': redirectTo('/en/'), '/en/': linking('/en/a', '/en/b', '/en/a/c'), ...any },
      sample: [`2 /en/a link 1 ${OF}`, `3 /en/b link 2 ${OF}`],
    },
    'a candidate that is not a page of this site gives its place to the next one': {
      routes: { '/': linking(...Object.keys(notPages), '/a', '/b'), ...notPages, ...any },
      sample: [`2 /a link 5 ${OF}`, `3 /b link 6 ${OF}`],
    },
    'nor is one that leads to another domain': {
      routes: { '/': linking('/away', '/a'), '/away': redirectTo(shop, 301), [shop]: page('other'), ...any },
      sample: [`2 /a link 2 ${OF}`],
    },
    'the sitemap helps out where the home page links too few pages': {
      routes: { '/': linking('/a'), '/a': page('a'), '/deep/b': page('b'), '/sitemap.xml': map },
      sample: [`2 /a link 1 ${OF}`, '3 /deep/b entry 3 of the sitemap'],
    },
    'parts of a sitemap index are no pages': {
      routes: { '/': linking(), '/part': page('part'), '/sitemap.xml': sitemapIndex([[`${home}/part`]]) },
      sample: [],
    },
  };
  for (const [what, { routes, chosen = [], sample }] of Object.entries(cases)) {
    const { pages = [] } = (await collectSample(routes, chosen)) ?? {};
    const [first, ...rest] = pages.map(({ position, url, foundAt }) => `${position} ${url.pathname} ${foundAt.text}`);
    t.match(first ?? '', / home page$/, what);
    t.strictSame(rest, sample, what);
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
  for (const [body, kind] of Object.entries({ 'other text': 'absent', 'User-agent: *': 'present' })) {
    const routes = { '/': linking(), '/robots.txt': body, '*': 'echo' };
    t.match(await collectFrom({ routes }, 'robots'), { ok: { kind } });
  }
});
