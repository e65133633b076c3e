import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { cSite01 } from '../../../src/scanner/checks/c-site-01.js';
import type { HopRequest, Transport } from '../../../src/net/transport.js';
import { TransportError } from '../../../src/net/transport.js';
import { findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN, FixtureTransport } from '../../support/fixture-site.js';
import {
  HOME,
  MAP,
  type Routes,
  cutMap,
  framed,
  good,
  index,
  loc,
  outcomeOf,
  robots,
  site,
  urlset,
} from './sitemap-sites.js';

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
  // A sitemap that declares entities is left unread, and nothing that it names is asked for.
  t.same(await asked({ ...robots(MAP), '/map.xml': subsets + urlset(loc('/'), loc('/&a;')) }), [
    '/map.xml',
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap.xml.gz',
  ]);
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
    'Line 4 of robots.txt names an XML sitemap with 2 entries. Also worth fixing: line 3 of robots.txt',
  );
  const one = await findingOf(cSite01, site({ '/sitemap.xml': urlset(loc('/')) }));
  t.equal(one.detail, '/sitemap.xml is an XML sitemap with 1 entry.');
  const broken = await findingOf(cSite01, site({ '/sitemap.xml': `\n\n${good}<br>` }));
  t.match(broken.detail, '/sitemap.xml is not well-formed XML (line 3)');
});
