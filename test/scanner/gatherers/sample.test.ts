import t from 'tap';
import type { ChosenPage } from '../../../src/scanner/artifacts/chosen-pages.js';
import { valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { collectFrom, openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';

const page = (name: string) => `<!doctype html><title>${name}</title><p>${name}</p>`;
const linking = (...paths: string[]) =>
  `<!doctype html><title>Home</title>${paths.map((path) => `<a href="${path}">x</a>`).join('')}`;

/** The paths of the sample, and where each of its pages came from. */
async function sampleOf(routes: FixtureSite['routes'], ...chosen: readonly string[]): Promise<string[]> {
  const { pages = [] } = (await collectSample(routes, chosen)) ?? {};
  return pages.map(({ position, url, origin }) => `${position} ${url.pathname} ${origin.text}`);
}

async function collectSample(routes: FixtureSite['routes'], chosen: readonly string[]) {
  const pages = chosen.map((path) => URL.parse(path) ?? new URL(FIXTURE_ORIGIN + path));
  return valueOf(await collectFrom({ routes }, 'sample', chosen.length === 0 ? {} : { pages }));
}

/** What came of each chosen page. */
async function outcomesOf(routes: FixtureSite['routes'], ...chosen: readonly string[]): Promise<readonly ChosenPage[]> {
  return (await collectSample(routes, chosen))?.chosen ?? [];
}

t.test(
  'the sample is the home page and up to 3 pages with distinct first path segments, in the order of the links',
  async (t) => {
    const routes = {
      '/': linking('/#top', '/', '/blog/1', '/blog/2', '/docs', 'https://other-site.com/', '/about.html', '/team'),
      '/blog/1': page('blog'),
      '/docs': page('docs'),
      '/about.html': page('about'),
      '/team': page('team'),
    };
    const expected = [
      '1 / home page',
      '2 /blog/1 link 3 of the home page',
      '3 /docs link 5 of the home page',
      '4 /about.html link 7 of the home page',
    ];
    t.strictSame(await sampleOf(routes), expected);
    t.strictSame(await sampleOf(routes), expected, 'the same each time');
  },
);

t.test('a page that was chosen for the scan comes first, unless robots.txt bars it', async (t) => {
  const routes = { '/': linking('/a', '/b', '/c'), '*': page('any') };
  const linked = ['2 /a link 1 of the home page', '3 /b link 2 of the home page', '4 /c link 3 of the home page'];
  t.strictSame(await sampleOf(routes, '/deep/page?q=1'), [
    '1 / home page',
    '2 /deep/page the chosen page',
    '3 /a link 1 of the home page',
    '4 /b link 2 of the home page',
  ]);
  t.strictSame(await sampleOf(routes, '/#top'), ['1 / home page', ...linked], 'the home page is there anyway');
  const barred = { ...routes, '/robots.txt': 'User-agent: *\nDisallow: /deep/' };
  t.strictSame(await sampleOf(barred, '/deep/page'), ['1 / home page', ...linked]);
});

t.test('a page that was chosen is read by http, too, where https is not to be had', async (t) => {
  const http = FIXTURE_ORIGIN.replace('https:', 'http:');
  const routes = {
    [`${http}/`]: page('home'),
    [`${http}//deep`]: page('deep'),
    '*': { failure: 'connect_failed' },
  } as const;
  t.strictSame(await sampleOf(routes, `${FIXTURE_ORIGIN}//deep`), ['1 / home page', '2 //deep the chosen page']);
});

t.test('the sample is the home page and three others, or as many as were chosen, up to five', async (t) => {
  const routes = { '/': linking('/a', '/b', '/c', '/d'), '*': page('any') };
  const counts: readonly (readonly [chosen: readonly string[], others: readonly string[]])[] = [
    [['/x1'], ['/x1', '/a', '/b']],
    [
      ['/x1', '/x2'],
      ['/x1', '/x2', '/a'],
    ],
    [
      ['/x1', '/x2', '/x3'],
      ['/x1', '/x2', '/x3'],
    ],
    [
      ['/x1', '/x2', '/x3', '/x4', '/x5', '/x6'],
      ['/x1', '/x2', '/x3', '/x4', '/x5'],
    ],
    [
      ['/b', '/b#part', '/x1'],
      ['/b', '/x1', '/a'],
    ],
    [['/login'], ['/login', '/a', '/b']],
  ];
  for (const [chosen, others] of counts) {
    const { pages = [], usual } = (await collectSample(routes, chosen)) ?? {};
    t.strictSame(
      pages.slice(1).map(({ url }) => url.pathname),
      others,
    );
    t.strictSame([...new Set(usual?.map(({ pathname }) => pathname))], ['/a', '/b', '/c'], 'without a choice');
  }
  t.strictSame(await sampleOf(routes, '/x2', '/x1'), [
    '1 / home page',
    '2 /x1 chosen page 2',
    '3 /x2 chosen page 1',
    '4 /a link 1 of the home page',
  ]);
});

t.test('it is told which chosen pages were read, and one that is not read leaves its place to others', async (t) => {
  const routes = {
    '/': linking('/a', '/b'),
    '/robots.txt': 'User-agent: *\nDisallow: /barred',
    '/gone': { status: 404 },
    '/shut': { status: 403 },
    '/away': { status: 302, headers: { location: 'https://shop.fixture-site.com/' } },
    '/far': { status: 302, headers: { location: 'https://other-site.com/' } },
    '/home': { status: 301, headers: { location: '/' } },
    '/moved': { status: 301, headers: { location: '/good' } },
    '/data': { body: '{}', type: 'application/json' },
    '/challenge': { body: page('x'), headers: { 'cf-mitigated': 'challenge' } },
    '/mute': { failure: 'reset' },
    'https://shop.fixture-site.com/': page('shop'),
    'https://other-site.com/': page('other'),
    '*': page('any'),
  } as const;
  const cases = [
    ['/good?q=1', 'read'],
    ['/moved', 'read'],
    ['/barred/page', 'unread'],
    ['/gone', 'unread'],
    ['/shut', 'unread'],
    ['/away', 'unread'],
    ['/far', 'unread'],
    ['/home', 'unread'],
    ['/data', 'unread'],
    ['/challenge', 'unread'],
    ['/mute', 'unread'],
  ] as const;
  for (const [path, came] of cases) {
    t.strictSame(await outcomesOf(routes, path), [{ path, came }]);
    const others = came === 'read' ? ['/good', '/a', '/b'] : ['/a', '/b'];
    const { pages = [] } = (await collectSample(routes, [path])) ?? {};
    t.strictSame(
      pages.slice(1).map(({ url }) => url.pathname),
      others,
      path,
    );
  }
  t.match(await outcomesOf(routes, '/good', '/moved'), [{ came: 'read' }, { came: 'unread' }]);
  t.strictSame(await outcomesOf(routes), [], 'none where none was chosen');
});

t.test('a chosen page may be answered by the host that the home page leads to', async (t) => {
  const apex = FIXTURE_ORIGIN.replace('https://www.', 'https://');
  const routes = {
    '/': { status: 301, headers: { location: `${apex}/` } },
    '/deep': { status: 301, headers: { location: `${apex}/deep` } },
    [`${apex}/`]: page('home'),
    [`${apex}/deep`]: page('deep'),
  };
  t.match(await outcomesOf(routes, '/deep'), [{ path: '/deep', came: 'read' }]);
});

t.test('a chosen page is asked for once, whichever way the home page writes its address', async (t) => {
  const apex = FIXTURE_ORIGIN.replace('https://www.', 'https://');
  const routes = {
    '/': { status: 301, headers: { location: `${apex}/` } },
    [`${apex}/`]: linking('/%64eep', '/b'),
    [`${apex}/*`]: page('any'),
  };
  const run = openFixtureRun({ routes }, { pages: [new URL('/deep', FIXTURE_ORIGIN), new URL('/%64eep', apex)] });
  const sample = valueOf(await run.context.evidence('sample'));
  await run.close();
  t.strictSame(sample?.chosen, [{ path: '/deep', came: 'read' }]);
  t.strictSame(
    run.urls().filter((url) => /deep|b$/.test(url)),
    [`${apex}/deep`, `${apex}/b`],
  );
});

t.test('logins, carts, files and other hosts are left out', async (t) => {
  const links = ['/login', '/de/cart', '/account/orders', '/price.pdf', '/feed.xml', 'https://shop.fixture-site.com/a'];
  t.strictSame(await sampleOf({ '/': linking(...links, '/good'), '*': page('any') }), [
    '1 / home page',
    '2 /good link 7 of the home page',
  ]);
});

t.test('below a folder, as with a language, segments count from there', async (t) => {
  const routes = {
    '/': { status: 302, headers: { location: '/en/' } },
    '/en/': linking('/en/a', '/en/b', '/en/a/c'),
    '*': page('any'),
  };
  t.strictSame(await sampleOf(routes), [
    '1 /en/ home page',
    '2 /en/a link 1 of the home page',
    '3 /en/b link 2 of the home page',
  ]);
});

t.test('a candidate that is not a page gives its place to the next one', async (t) => {
  const routes = {
    '/': linking('/gone', '/home', '/json', '/challenge', '/a', '/b'),
    '/gone': { status: 404 },
    '/home': { status: 301, headers: { location: '/' } },
    '/json': { body: '{}', type: 'application/json' },
    '/challenge': { body: page('x'), headers: { 'cf-mitigated': 'challenge' } },
    '/a': page('a'),
    '/b': page('b'),
  };
  t.strictSame(await sampleOf(routes), [
    '1 / home page',
    '2 /a link 5 of the home page',
    '3 /b link 6 of the home page',
  ]);
});

t.test('a candidate that leads to another domain is not a page of this site', async (t) => {
  const routes = {
    '/': linking('/away', '/a'),
    '/away': { status: 301, headers: { location: 'https://other-site.com/' } },
    'https://other-site.com/': page('other'),
    '/a': page('a'),
  };
  t.strictSame(await sampleOf(routes), ['1 / home page', '2 /a link 2 of the home page']);
});

t.test('what robots.txt closes to us is left out, and told', async (t) => {
  const cases = [
    ['User-agent: *\nDisallow: /a', ['/b']],
    ['User-agent: AgentReadinessScan\nDisallow: /b\nUser-agent: *\nDisallow: /a', ['/a']],
    ['User-agent: OtherBot\nDisallow: /', ['/a', '/b']],
  ] as const;
  for (const [robots, open] of cases) {
    const routes = { '/': linking('/a', '/b'), '/robots.txt': robots, '/a': page('a'), '/b': page('b') };
    const sample = valueOf(await collectFrom({ routes }, 'sample'));
    t.strictSame(
      sample?.pages.slice(1).map(({ url }) => url.pathname),
      open,
      robots,
    );
    const closed = ['/a', '/b'].filter((path) => !(open as readonly string[]).includes(path));
    t.strictSame(
      sample?.disallowed.map((url) => url.pathname),
      closed,
      robots,
    );
  }
});

t.test('the sitemap helps out where the home page links too few pages', async (t) => {
  const entries = ['', 'a', 'deep/b', 'deep/c', 'login'].map(
    (path) => `<url><loc>https://www.fixture-site.com/${path}</loc></url>`,
  );
  const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
  const routes = { '/': linking('/a'), '/a': page('a'), '/deep/b': page('b'), '/sitemap.xml': sitemap };
  t.strictSame(await sampleOf(routes), [
    '1 / home page',
    '2 /a link 1 of the home page',
    '3 /deep/b entry 3 of the sitemap',
  ]);
});

t.test('the parts of a sitemap index are not pages', async (t) => {
  const index =
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://www.fixture-site.com/part</loc></sitemap></sitemapindex>';
  const routes = { '/': linking(), '/part': page('part'), '/sitemap.xml': { type: 'application/xml', body: index } };
  t.strictSame(await sampleOf(routes), ['1 / home page']);
});

t.test('robots.txt: every 4xx but 429 means that there is none', async (t) => {
  for (const status of [400, 401, 403, 404, 410, 451]) {
    const routes = { '/': linking(), '/robots.txt': { status } };
    t.match(await collectFrom({ routes }, 'robots'), { ok: { kind: 'absent', status } });
  }
  const all = { '/': linking(), '*': { status: 403 } };
  t.match(await collectFrom({ routes: all }, 'robots'), { ok: { kind: 'absent', status: 403 } });
  const busy = { '/': linking(), '/robots.txt': { status: 429 } };
  t.match(await collectFrom({ routes: busy }, 'robots'), { failed: { result: 'UNDETERMINED' } });
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

t.test('other forward-looking signals are seen from a fixed list', async (t) => {
  const json = (body: string) => ({ body, type: 'application/json' });
  const cases: [FixtureSite['routes'], string[]][] = [
    [{}, []],
    [{ '/llms-full.txt': '# All' }, ['llms-full.txt']],
    [{ '/llms-full.txt': page('soft') }, []],
    [{ '/.well-known/agent-skills/index.json': json('{"skills":[]}') }, ['agent skills']],
    [{ '/.well-known/skills/index.json': json('{"skills":[]}') }, ['agent skills']],
    [{ '/.well-known/skills/index.json': json('null') }, []],
    [{ '/.well-known/skills/index.json': json('{"skills":{}}') }, []],
    [{ '/': '<!doctype html><form toolname="search">' }, ['WebMCP']],
    [{ '/': '<!doctype html><script>document.modelContext.registerTool({})</script>' }, ['WebMCP']],
  ];
  for (const [routes, seen] of cases) {
    const signals = valueOf(await collectFrom({ routes: { '/': linking(), ...routes } }, 'forwardSignals'));
    t.strictSame(signals?.seen, seen);
  }
});
