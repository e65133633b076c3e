import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { cSite01 } from '../../../src/scanner/checks/c-site-01/check.js';
import { cSite02 } from '../../../src/scanner/checks/c-site-02/check.js';
import { found, valueOf } from '../../../src/scanner/evidence/evidence.js';
import type { Finding } from '../../../src/scanner/findings/finding.js';
import type { HopRequest, Transport } from '../../../src/scanner/gather/fetch/transport.js';
import { TransportError } from '../../../src/scanner/gather/fetch/transport.js';
import { judge } from '../../../src/scanner/scan/judge.js';
import { collectFrom, findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN, FixtureTransport } from '../../support/fixture-site.js';

const NOW = new Date('2026-03-10T12:00:00Z');
const HOME = '<html lang="en"><title>Bakery</title><h1>Bakery</h1><a href="/bread">Bread</a></html>';
const MAP = `${FIXTURE_ORIGIN}/map.xml`;

type Routes = Readonly<Record<string, FixtureRoute>>;

/** An answer whose end its length shows. */
const framed = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): FixtureAnswer => ({
  body,
  headers: { 'content-length': `${body.length}`, ...headers },
});

const site = (routes: Routes): FixtureSite => ({
  routes: { '/': HOME, '/bread': '<html><title>Bread</title><p>Rye and wheat.</p></html>', ...routes },
});
const robots = (...values: string[]) => ({
  '/robots.txt': ['User-agent: *', 'Allow: /', ...values.map((value) => `Sitemap: ${value}`)].join('\n'),
});
const urlset = (...entries: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`;
const index = (...locs: string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;
const loc = (url: string) => `<loc>${url.startsWith('/') ? FIXTURE_ORIGIN + url : url}</loc>`;
const good = urlset(loc('/'), loc('/bread'));
const cutMap = gzipSync(good).subarray(0, -20);

/** A file that is still being written: one byte more of it at each try, or the whole one. */
function growing(isWhole = false): () => FixtureAnswer {
  let length = cutMap.length - 1;
  return () => {
    length += 1;
    return framed(gzipSync(good).subarray(0, isWhole && length > cutMap.length ? undefined : length));
  };
}

/** Answers as the site does, but that a body stalls after so many bytes. */
function stallAfter(fixture: FixtureSite, bytes: number): Transport {
  const whole = new FixtureTransport(fixture);
  const exchange = async (request: HopRequest) => {
    const answer = await whole.exchange(request);
    return { ...answer, body: stall(answer.body, bytes) };
  };
  return { exchange, close: () => whole.close() };
}

async function* stall(body: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) throw new TransportError('stalled');
  }
}

/** A finding's result, and its error type where it has one: `FAIL MISSING`. */
const outcomeOf = ({ result, errorType }: Finding) => (errorType === null ? result : `${result} ${errorType}`);

t.test('C-SITE-01: a sitemap that can be read is found wherever it is', async (t) => {
  const cases: readonly (readonly [string, Routes])[] = [
    ['in robots.txt', { ...robots(MAP), '/map.xml': good }],
    ['in a later line of robots.txt', { ...robots(`${FIXTURE_ORIGIN}/old.xml`, MAP), '/map.xml': good }],
    ['at a default location, though robots.txt names a broken one', { ...robots(MAP), '/sitemap.xml': good }],
    ['at the second default location', { '/sitemap_index.xml': index(MAP) }],
    [
      'compressed, by its magic bytes',
      { '/sitemap.xml.gz': { body: gzipSync(good), type: 'application/octet-stream' } },
    ],
    [
      'on another host that robots.txt names',
      { ...robots('https://maps.example.net/a.xml'), 'https://maps.example.net/a.xml': good },
    ],
    ['as text/html', { '/sitemap.xml': { body: good, type: 'text/html' } }],
    [
      'as an RSS feed',
      {
        ...robots(`${FIXTURE_ORIGIN}/feed`),
        '/feed': `<rss><channel><item><link>${FIXTURE_ORIGIN}/bread</link></item></channel></rss>`,
      },
    ],
    ['as a text list with a BOM', { ...robots(`${FIXTURE_ORIGIN}/map.txt`), '/map.txt': `\uFEFF${FIXTURE_ORIGIN}/\n` }],
    ['after a redirect', { '/sitemap.xml': { status: 301, headers: { location: '/map.xml' } }, '/map.xml': good }],
    ['on a site that answers 200 to every path', { '*': HOME, '/sitemap.xml': good }],
    ['on a site that says the same to every path', { '*': { body: 'ok', type: 'text/plain' }, '/sitemap.xml': good }],
    ['on a site that refuses every other path', { '*': { status: 403 }, '/sitemap.xml': good }],
  ];
  for (const [name, routes] of cases) t.equal(outcomeOf(await findingOf(cSite01, site(routes))), 'PASS', name);
});

t.test('C-SITE-01: each cause', async (t) => {
  const cases: readonly (readonly [outcome: string, string, Routes])[] = [
    ['FAIL MISSING', 'none', {}],
    ['FAIL MISSING', 'one that is named but absent', robots(MAP)],
    ['FAIL MISSING', 'a line without an absolute URL', robots('/map.xml')],
    ['FAIL MISSING', 'the page that every path gets', { '*': HOME }],
    [
      'FAIL MISSING',
      'the home page that every path is redirected to',
      { '*': { status: 302, headers: { location: '/' } } },
    ],
    ['FAIL MISSING', 'a text that every path gets', { '*': { body: 'ok', type: 'text/plain' } }],
    ['FAIL WRONG_MIME', 'a page of its own', { '/sitemap.xml': '<html><title>Sitemap</title></html>' }],
    [
      'FAIL WRONG_MIME',
      'a page goes before a malformed one',
      { ...robots(MAP), '/map.xml': '<urlset>', '/sitemap.xml': HOME },
    ],
    ['FAIL FORMAT', 'malformed', { '/sitemap.xml': good.slice(0, 40) }],
    [
      'UNDETERMINED',
      'entries that only an entity could tell',
      { '/sitemap.xml': `<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]>${urlset('<loc>&a;</loc>')}` },
    ],
    ['FAIL FORMAT', 'gzip that ends early', { '/sitemap.xml.gz': framed(cutMap) }],
    ['FAIL FORMAT', 'a coding that ends early', { '/sitemap.xml': framed(cutMap, { 'content-encoding': 'gzip' }) }],
    ['FAIL FORMAT', 'gzip without its checksum', { '/sitemap.xml.gz': framed(gzipSync(good).subarray(0, -8)) }],
    ['UNDETERMINED', 'gzip that ends early with the connection', { '/sitemap.xml.gz': { body: cutMap } }],
    ['UNDETERMINED', 'gzip that ends elsewhere each time', { '/sitemap.xml.gz': growing() }],
    ['UNDETERMINED', 'gzip that is whole at the second try', { '/sitemap.xml.gz': growing(true) }],
    ['FAIL FORMAT', 'no entries', { '/sitemap.xml': urlset() }],
    ['FAIL FORMAT', 'an empty body', { ...robots(MAP), '/map.xml': { status: 204 } }],
    ['FAIL FORMAT', 'a broken one is not missing', { ...robots(MAP), '/sitemap.xml': '<urlset>' }],
    ['FAIL BLOCKED', 'a named one is refused', { ...robots(MAP), '/map.xml': { status: 403 } }],
    ['FAIL UNREACHABLE', 'a named one fails', { ...robots(MAP), '/map.xml': { status: 503 } }],
    ['FAIL UNREACHABLE', 'a named one breaks off', { ...robots(MAP), '/map.xml': { failure: 'reset' } }],
    ['FAIL TIMEOUT', 'a named one stalls', { ...robots(MAP), '/map.xml': { failure: 'stalled' } }],
    ['UNDETERMINED', 'a location that nobody named is refused', { '/sitemap.xml': { status: 403 } }],
    ['UNDETERMINED', 'a location that nobody named fails', { '/sitemap.xml': { status: 500 } }],
    ['UNDETERMINED', 'too many requests', { ...robots(MAP), '/map.xml': { status: 429 } }],
    ['UNDETERMINED', 'cut off by the server', { ...robots(MAP), '/map.xml': { body: good, cut: true } }],
    ['UNDETERMINED', 'robots.txt may name one, but cannot be read', { '/robots.txt': { status: 503 } }],
    ['NOT_APPLICABLE', 'one page, no script', { '/': '<html><h1>Me</h1><a href="#contact">Contact</a></html>' }],
    ['FAIL MISSING', 'one page with a script', { '/': '<html><h1>Me</h1><script src="/app.js"></script></html>' }],
    ['NOT_APPLICABLE', 'no page at all', { '/': { body: '{}', type: 'application/json' } }],
  ];
  for (const [outcome, name, routes] of cases) {
    const finding = await findingOf(cSite01, site(routes));
    t.equal(outcomeOf(finding), outcome, `${name}: ${finding.detail}`);
  }
});

t.test('C-SITE-01: gzip is whole where gzip itself takes it', async (t) => {
  const others = JSON.parse(readFileSync('test/fixtures/sitemaps/other-readers.json', 'utf8')) as {
    readonly gzip: readonly { readonly name: string; readonly base64: string; readonly gzip: 'read' | 'refused' }[];
  };
  for (const { name, base64, gzip } of others.gzip) {
    const finding = await findingOf(cSite01, site({ '/sitemap.xml.gz': framed(Buffer.from(base64, 'base64')) }));
    t.equal(outcomeOf(finding), gzip === 'read' ? 'PASS' : 'FAIL FORMAT', `${name}: ${finding.detail}`);
  }
});

t.test('C-SITE-01: a map that stalls after 1 MiB may only be too large for the time that it has', async (t) => {
  for (const [bytes, outcome] of [
    [1_048_575, 'FAIL TIMEOUT'],
    [1_048_576, 'UNDETERMINED'],
  ] as const) {
    const fixture = site({ ...robots(MAP), '/map.xml': `<urlset>${`<url>${loc('/')}</url>`.repeat(25_000)}` });
    const finding = await findingOf(cSite01, fixture, { transport: stallAfter(fixture, bytes) });
    t.equal(outcomeOf(finding), outcome, `${bytes} bytes: ${finding.detail}`);
  }
});

t.test('C-SITE-01: asks no more than it needs', async (t) => {
  const asked = async (routes: Routes) => {
    const run = openFixtureRun(site(routes));
    await run.context.evidence('sitemap');
    await run.close();
    return run
      .urls()
      .map((url) => new URL(url).pathname)
      .filter((path) => path.includes('map'));
  };
  const two = robots(MAP, `${FIXTURE_ORIGIN}/map2.xml`);
  t.same(await asked({ ...two, '/map.xml': good }), ['/map.xml']);
  t.same(await asked({ ...two, '/map2.xml': good }), ['/map.xml', '/map2.xml']);
  t.same(await asked(robots(`${FIXTURE_ORIGIN}/sitemap.xml`)), [
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap.xml.gz',
  ]);
  const subsets = `<!DOCTYPE urlset SYSTEM "${FIXTURE_ORIGIN}/map.dtd" [<!ENTITY a SYSTEM "/map.ent"><!ENTITY % b "/map.p"> %b;]>`;
  t.same(await asked({ ...robots(MAP), '/map.xml': subsets + urlset(loc('/'), loc('/&a;')) }), ['/map.xml']);
  t.same(await asked({ ...robots(MAP), '/map.xml': framed(cutMap) }), [
    '/map.xml',
    '/map.xml',
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap.xml.gz',
  ]);
  const many = Array.from({ length: 9 }, (_, line) => `${FIXTURE_ORIGIN}/map${line}.xml`);
  t.equal((await asked(robots(...many))).length, 5 + 3);
});

t.test('C-SITE-01: says where it looked', async (t) => {
  const lines = Array.from({ length: 5 }, (_, line) => `${FIXTURE_ORIGIN}/map${line}.xml`);
  const nowhere = await findingOf(cSite01, site({ ...robots(...lines), '*': HOME }));
  t.ok((nowhere.detail?.length ?? 0) <= 600, 'in a detail that is not too long');
  const found = await findingOf(cSite01, site({ ...robots('/map.xml', MAP), '/map.xml': good }));
  t.match(
    found.detail,
    'Line 4 of robots.txt names an XML sitemap with 2 entries. Worth fixing all the same: line 3 of robots.txt',
  );
  const one = await findingOf(cSite01, site({ '/sitemap.xml': urlset(loc('/')) }));
  t.equal(one.detail, '/sitemap.xml is an XML sitemap with 1 entry.');
  const broken = await findingOf(cSite01, site({ '/sitemap.xml': `\n\n${good}<br>` }));
  t.match(broken.detail, '/sitemap.xml is not well-formed XML (line 3)');
});

const withMap = (map: FixtureRoute, more: Routes = {}) => site({ ...robots(MAP), '/map.xml': map, ...more });
const judge02 = (fixture: FixtureSite) => findingOf(cSite02, fixture, { now: NOW });

t.test('C-SITE-02: entries that lead somewhere', async (t) => {
  const child = urlset(loc('/bread'));
  const cases: readonly (readonly [string, FixtureSite])[] = [
    ['a urlset', withMap(good)],
    ['an index', withMap(index(`${FIXTURE_ORIGIN}/1.xml`), { '/1.xml': child })],
    [
      'other hosts of the same domain',
      withMap(urlset(loc('https://blog.fixture-site.com/')), { 'https://blog.fixture-site.com/': HOME }),
    ],
    [
      'another domain that names the map',
      withMap(urlset(loc('/'), loc('https://partner.example.net/')), {
        'https://partner.example.net/robots.txt': `Sitemap: ${MAP}`,
      }),
    ],
    [
      'another domain that names the map without www',
      withMap(urlset(loc('/'), loc('https://partner.example.net/')), {
        'https://partner.example.net/robots.txt': 'Sitemap: http://fixture-site.com/map.xml',
      }),
    ],
    [
      'another domain that names the index of the map',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`), {
        '/1.xml': urlset(loc('/'), loc('https://partner.example.net/')),
        'https://partner.example.net/robots.txt': `Sitemap: ${MAP}`,
      }),
    ],
    [
      'another domain whose robots.txt cannot be read',
      withMap(urlset(loc('/'), loc('https://partner.example.net/')), {
        'https://partner.example.net/robots.txt': { status: 403 },
      }),
    ],
    [
      'another domain that answers with a challenge',
      withMap(urlset(loc('/'), loc('https://partner.example.net/')), {
        'https://partner.example.net/robots.txt': { headers: { 'sg-captcha': 'challenge' }, body: HOME },
      }),
    ],
    ['half of the pages unknown', withMap(urlset(loc('/'), loc('/club')), { '/club': { status: 403 } })],
    ['no namespace and no lastmod', withMap(`<urlset><url>${loc('/')}</url></urlset>`)],
    ['lenient dates', withMap(urlset(`${loc('/')}<lastmod>2026-03-01 10:00:00-0400</lastmod>`))],
    ['dates that only the schema takes', withMap(urlset(`${loc('/')}<lastmod>2026-03-01T10:00:00</lastmod>`))],
    [
      'a child in gzip whose end is not known',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`, `${FIXTURE_ORIGIN}/2.xml`), {
        '/1.xml': child,
        '/2.xml': { body: cutMap },
      }),
    ],
    [
      'a page that answers 403, among others',
      withMap(urlset(loc('/'), loc('/bread'), loc('/club')), { '/club': { status: 403 } }),
    ],
    [
      'the last of a child that cannot be fetched',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`, `${FIXTURE_ORIGIN}/2.xml`), {
        '/1.xml': child,
        '/2.xml': { status: 429 },
      }),
    ],
  ];
  for (const [name, fixture] of cases) {
    const finding = await judge02(fixture);
    t.equal(outcomeOf(finding), 'PASS', `${name}: ${finding.detail}`);
  }
});

t.test('C-SITE-02: says what was read, and what could not be', async (t) => {
  const two = index(`${FIXTURE_ORIGIN}/1.xml`, `${FIXTURE_ORIGIN}/2.xml`);
  const child = urlset(loc('/bread'));
  const cases: readonly (readonly [detail: string, FixtureSite])[] = [
    ['2 entries read. 2 of 2 checked pages answer.', withMap(good)],
    [
      '1 child sitemap of the index read, with 1 entry. 1 of 1 checked page answers.',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`), { '/1.xml': child }),
    ],
    [
      '1 child sitemap of the index read, with 1 entry. 1 of 1 checked page answers. Some entries are on another domain, which does not count here.',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`, 'https://partner.example.net/2.xml'), {
        '/1.xml': child,
        'https://partner.example.net/2.xml': child,
        'https://partner.example.net/robots.txt': `Sitemap: ${MAP}`,
      }),
    ],
    [
      '2 child sitemaps of the index read, with 2 entries. 2 of 2 checked pages answer.',
      withMap(two, { '/1.xml': child, '/2.xml': child }),
    ],
    [
      '1 child sitemap of the index read, with 1 entry. 1 of 1 checked page answers. 1 child sitemap could not be read.',
      withMap(two, { '/1.xml': child, '/2.xml': { status: 429 } }),
    ],
    [
      'Too few pages gave a clear answer. 0 child sitemaps of the index read, with 0 entries. 2 child sitemaps could not be read.',
      withMap(two, { '/1.xml': { status: 429 }, '/2.xml': { status: 429 } }),
    ],
    [
      '2 entries read. 1 of 2 checked pages answer. 1 gave no clear answer (refused, failing or too slow).',
      withMap(urlset(loc('/'), loc('/club')), { '/club': { status: 403 } }),
    ],
  ];
  for (const [detail, fixture] of cases) t.equal((await judge02(fixture)).detail, detail);
});

t.test('C-SITE-02: each cause', async (t) => {
  const children = index(...['1', '2', '3', '4', '5'].map((name) => `${FIXTURE_ORIGIN}/${name}.xml`));
  const readable = Object.fromEntries(['1', '2', '3', '4', '5'].map((name) => [`/${name}.xml`, urlset(loc('/bread'))]));
  const manyEntries = Array<string>(60_000).fill(`${FIXTURE_ORIGIN}/`).join('\n');
  const cases: readonly (readonly [outcome: string, detail: string, FixtureSite])[] = [
    ['FAIL OVERSIZE', 'The sitemap has more than 50,000 entries.', withMap(manyEntries)],
    [
      'FAIL OVERSIZE',
      'Child sitemap 3 has more than 50,000 entries.',
      withMap(children, { ...readable, '/3.xml': manyEntries }),
    ],
    ['FAIL STRUCTURE', '1 entry has no absolute http(s) URL: entry 2.', withMap(urlset(loc('/'), '<loc>bread</loc>'))],
    ['FAIL STRUCTURE', '1 loc shares its entry with another: entry 2.', withMap(urlset(loc('/') + loc('/bread')))],
    [
      'FAIL STRUCTURE',
      'first at entry 2.',
      withMap(urlset(loc('/'), loc('https://else.example.net/')), {
        'https://else.example.net/robots.txt': 'User-agent: *',
      }),
    ],
    ['FAIL STRUCTURE', 'child sitemap 1 is itself an index', withMap(index(MAP))],
    [
      'FAIL STRUCTURE',
      'child sitemap 5 is compressed with gzip that ends before it is complete.',
      withMap(children, { ...readable, '/5.xml': framed(cutMap) }),
    ],
    [
      'UNDETERMINED',
      '1 child sitemap could not be read',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`), {
        '/1.xml': `<!DOCTYPE urlset [<!ENTITY a "b">]>${urlset('<loc>&a;</loc>')}`,
      }),
    ],
    ['FAIL STRUCTURE', 'child sitemap 5 is missing', withMap(children, { ...readable, '/5.xml': { status: 404 } })],
    [
      'UNDETERMINED',
      '1 child sitemap could not be read',
      withMap(index(`${FIXTURE_ORIGIN}/1.xml`), { '/1.xml': { status: 403 } }),
    ],
    [
      'FAIL STRUCTURE',
      'child sitemap 3 is not well-formed XML',
      withMap(children, { ...readable, '/3.xml': '<urlset>' }),
    ],
    [
      'FAIL STRUCTURE',
      'entry 1 of child sitemap 3',
      withMap(children, { ...readable, '/3.xml': urlset('<loc>/x</loc>') }),
    ],
    ['FAIL STRUCTURE', 'not a W3C datetime: entry 1.', withMap(urlset(`${loc('/')}<lastmod>1 May</lastmod>`))],
    [
      'FAIL STRUCTURE',
      'more than a day in the future: entry 1.',
      withMap(urlset(`${loc('/')}<lastmod>2026-03-13</lastmod>`)),
    ],
    [
      'FAIL DEAD_LINK',
      '1 page is dead, of 3 checked: entry 3.',
      withMap(urlset(loc('/'), loc('/bread'), loc('/gone'))),
    ],
    ['FAIL DEAD_LINK', 'entry 2', withMap(urlset(loc('/'), loc('/gone'), loc('/club')), { '/club': { status: 403 } })],
    [
      'UNDETERMINED',
      '1 of 3',
      withMap(urlset(loc('/'), loc('/a'), loc('/b')), { '/a': { status: 403 }, '/b': { status: 500 } }),
    ],
    [
      'UNDETERMINED',
      'could not be read',
      withMap(children, Object.fromEntries(Object.keys(readable).map((path) => [path, { status: 429 }]))),
    ],
    ['NOT_APPLICABLE', 'There is no sitemap', site({})],
    ['NOT_APPLICABLE', 'There is no sitemap', withMap({ status: 429 })],
  ];
  for (const [outcome, detail, fixture] of cases) {
    const finding = await judge02(fixture);
    t.equal(outcomeOf(finding), outcome, `${detail}: ${finding.detail}`);
    t.match(finding.detail, detail);
  }
});

t.test('C-SITE-02: size goes before structure, structure before dead links', async (t) => {
  const many = `${`${FIXTURE_ORIGIN}/\n`.repeat(50_000)}relative\n`;
  t.match(await judge02(withMap(many)), { errorType: 'OVERSIZE' });
  t.match(await judge02(withMap(urlset(loc('/gone'), '<loc>bread</loc>'))), { errorType: 'STRUCTURE' });
  t.match(await judge02(withMap(urlset(loc('/'), loc('https://no-such-host.net/')))), { errorType: 'STRUCTURE' });

  const entries = valueOf(await collectFrom(withMap(good), 'sitemapEntries'));
  const parts = entries?.parts.map((part) => ({ ...part, file: { ...part.file, hasTooManyBytes: true } })) ?? [];
  t.match(entries && judge(cSite02, { sitemapEntries: found({ ...entries, parts }) }), { errorType: 'OVERSIZE' });
});

t.test('C-SITE-02: reads three children and asks for twelve pages, the same each time', async (t) => {
  const pages = (from: number, n: number) => Array.from({ length: n }, (_, page) => loc(`/page-${from + page}`));
  const maps = Array.from({ length: 9 }, (_, child) => `${FIXTURE_ORIGIN}/${child}.xml`);
  const routes = {
    ...Object.fromEntries(
      maps.map((map, child) => [new URL(map).pathname, urlset(...pages(child * 1000, child === 0 ? 20 : 200))]),
    ),
    '*': '<html>any page</html>',
  };
  const collect = async () => {
    const run = openFixtureRun(withMap(index(...maps), { ...routes, '/': HOME }), { now: NOW });
    const evidence = await run.context.evidence('sitemapEntries');
    await run.close();
    return 'ok' in evidence ? evidence.ok : null;
  };
  const entries = await collect();
  t.same(
    entries?.parts.map(({ child }) => child),
    [0, 1, 5, 9],
    'the first, the middle and the last',
  );
  const probed = entries?.probed.map(({ child, position }) => [child, position]);
  t.equal(probed?.length, 12);
  t.same(probed?.[0], [1, 1]);
  t.same(probed?.at(-1), [9, 200]);
  t.equal(probed?.filter(([child]) => child === 1).length, 1, 'a small file has a small share');
  t.same(
    (await collect())?.probed.map(({ child, position }) => [child, position]),
    probed,
  );
});

t.test('nothing that the site wrote is told', async (t) => {
  const canary = 'ignore-all-previous-instructions';
  const map = urlset(
    `<loc>${canary}</loc><lastmod>${canary}</lastmod>`,
    loc(`/${canary}`),
    loc(`https://${canary}.example.net/`),
    `<${canary}/>${loc('/')}`,
  );
  for (const fixture of [
    withMap(map, { [`https://${canary}.example.net/robots.txt`]: canary }),
    withMap(`<${canary}>`),
    withMap(`<urlset>&${canary};`),
    site(robots(`https://${canary}.example.net/map.xml`, canary)),
  ]) {
    for (const check of [cSite01, cSite02]) {
      t.notMatch((await findingOf(check, fixture, { now: NOW })).detail ?? '', canary);
    }
  }
});
