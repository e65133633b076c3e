import t from 'tap';
import { type SitemapFile, type SitemapProblem, SITEMAP_BYTES_MAX } from '../../../src/scanner/artifacts/sitemaps.js';
import { SitemapReader } from '../../../src/scanner/parsers/sitemap/sitemap.js';
import { parseLastmod } from '../../../src/scanner/parsers/sitemap/sitemap-tally.js';

const NOW = new Date('2026-03-10T12:00:00Z');
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const urlset = (...entries: string[]) => `${HEAD}<urlset ${NAMESPACE}>\n${entries.join('\n')}\n</urlset>`;
const SHOP = 'https://shop.example.com';
const url = (path: string, more = '') => `<url><loc>${SHOP}${path}</loc>${more}</url>`;
const lastmod = (value: string) => url('/', `<lastmod>${value}</lastmod>`);

/** Reads a body in chunks of this many bytes. */
function read(body: string | Uint8Array, { chunkBytes = 16_384, charset = null as string | null } = {}) {
  const bytes = Buffer.from(body);
  const reader = new SitemapReader(NOW);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    if (!reader.write(bytes.subarray(at, at + chunkBytes))) break;
  }
  return reader.finish(charset);
}

function fileOf(body: string | Uint8Array, options = {}): SitemapFile {
  const reading = read(body, options);
  if ('problem' in reading) throw new Error(`read as a problem: ${reading.problem}`);
  return reading.file;
}

function problemOf(body: string | Uint8Array, options = {}): SitemapProblem | null {
  const reading = read(body, options);
  return 'problem' in reading ? reading.problem : null;
}

t.test('every kind of sitemap is read for its URLs', async (t) => {
  const rss = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://blog.example.com/</link>
    <atom:link href="https://blog.example.com/feed"/><item><title>One</title><link>https://blog.example.com/1</link></item>
    <item><title>No link, which RSS allows</title></item></channel></rss>`;
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
    <channel/><item><link>https://blog.example.com/1</link></item></rdf:RDF>`;
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://blog.example.com/"/><entry>
    <link rel="edit" href="https://blog.example.com/edit/1"/><link href="https://blog.example.com/1"/></entry></feed>`;
  const index = `<sitemapindex ${NAMESPACE}><sitemap><loc>${SHOP}/1.xml</loc></sitemap></sitemapindex>`;
  const prefixed = `<s:urlset ${NAMESPACE.replace('xmlns', 'xmlns:s')}><s:url><s:loc>${SHOP}/</s:loc></s:url></s:urlset>`;
  const marked = urlset(`<url><loc>\n ${SHOP}/?a=1&amp;<!-- x --><![CDATA[b=2&c]]>\n</loc></url>`);
  const others = '<image:image><image:loc>/relative.jpg</image:loc></image:image><x><loc>no</loc></x>';
  const cases: [name: string, body: string, kind: string, hrefs: string][] = [
    ['urlset', urlset(url('/a'), url('/b')), 'urlset', `${SHOP}/a ${SHOP}/b`],
    ['index', index, 'index', `${SHOP}/1.xml`],
    ['RSS 2.0', rss, 'rss', 'https://blog.example.com/1'],
    ['RSS 1.0', rdf, 'rss', 'https://blog.example.com/1'],
    ['Atom', atom, 'atom', 'https://blog.example.com/1'],
    ['text', `${SHOP}/\r\n${SHOP}/b\r\n`, 'text', `${SHOP}/ ${SHOP}/b`],
    ['text with a BOM', `\uFEFF${SHOP}/`, 'text', `${SHOP}/`],
    ['a BOM before XML', `\uFEFF${urlset(url('/a'))}`, 'urlset', `${SHOP}/a`],
    ['prefixes', prefixed, 'urlset', `${SHOP}/`],
    ['entities, CDATA, comments and white space around a URL', marked, 'urlset', `${SHOP}/?a=1&b=2&c`],
    ['other elements that are called loc', urlset(url('/a', others)), 'urlset', `${SHOP}/a`],
  ];
  for (const [name, body, kind, hrefs] of cases) {
    for (const chunkBytes of [1, 7, 65_536]) {
      const file = fileOf(body, { chunkBytes });
      t.equal(file.kind, kind, name);
      const found = file.entries.map((entry) => entry.url.href).join(' ');
      t.equal(found, hrefs, `${name} in chunks of ${chunkBytes}`);
      t.equal(file.unusable.count, 0, name);
    }
  }
});

t.test('each problem of a body that is not a sitemap', async (t) => {
  const cases: readonly (readonly [SitemapProblem, string | Uint8Array])[] = [
    ['empty', ''],
    ['empty', ' \n'],
    ['html', '<!doctype html><html><body>Sitemap</body></html>'],
    ['html', `${HEAD}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html/>`],
    ['html', '<!-- page --><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['late_declaration', `\n${urlset(url('/a'))}`],
    ['malformed', urlset(url('/a')).slice(0, -12)],
    ['malformed', urlset('<url><loc>https://a.example.com/?a=1&b=2</loc></url>')],
    ['malformed', urlset('<url><loc>https://a.example.com/&nbsp;</loc></url>')],
    ['malformed', `${urlset(url('/a'))}<br>`],
    ['malformed', `${urlset(url('/a'))} Fatal error`],
    ['malformed', `<!DOCTYPE u><!DOCTYPE u>${urlset(url('/a')).slice(HEAD.length)}`],
    ['entities', '<!DOCTYPE u [<!ENTITY a "aa">]><urlset><url><loc>&b;</loc></url></urlset>'],
    ['entities', '<!DOCTYPE u [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'],
    ['wrong_root', '<Error><Code>AccessDenied</Code></Error>'],
    ['wrong_root', '<URLSET></URLSET>'],
    ['no_entries', urlset()],
    ['no_entries', '<rss><channel><title>Nothing yet</title></channel></rss>'],
    ['not_a_list', '{"urls": ["https://a.example.com/"]}'],
    ['not_a_list', '/a\n/b\n'],
    ['not_a_list', Buffer.alloc(1000)],
    ['encoding', Buffer.from(urlset(url('/caf\u00e9')), 'latin1')],
  ];
  for (const [problem, body] of cases) {
    for (const chunkBytes of [5, 65_536]) t.equal(problemOf(body, { chunkBytes }), problem, String(body).slice(0, 60));
  }
});

t.test('declared encodings are read', async (t) => {
  const text = urlset(url('/caf\u00e9'));
  const cases: [name: string, body: Uint8Array, charset?: string][] = [
    ['in the XML declaration', Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['in the Content-Type', Buffer.from(text, 'latin1'), 'iso-8859-1'],
    ['by a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['by the other byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-8 that calls itself UTF-16', Buffer.from(text.replace('UTF-8', 'UTF-16'))],
  ];
  for (const [name, body, charset = null] of cases)
    t.equal(fileOf(body, { charset }).entries[0]?.url.href, 'https://shop.example.com/caf%C3%A9', name);
});

t.test('the entries that have a defect are counted and placed', async (t) => {
  const file = fileOf(
    urlset(
      url('/'),
      '<url><loc>/relative</loc></url>',
      '<url><loc></loc></url>',
      '<url/>',
      '<url><loc>www.example.com/</loc></url>',
      '<url><loc>ftp://example.com/</loc></url>',
      '<url><loc>https://a.example.com/1</loc><loc>https://a.example.com/2</loc></url>',
      lastmod('yesterday'),
      lastmod('2026-03-11T13:00:00Z'),
      lastmod('2026-03-11T11:00:00Z'),
      lastmod(' '),
    ),
  );
  t.match(file, {
    entryCount: 12,
    unusable: { first: [2, 3, 4, 5, 6] },
    multipleLocs: { first: [8] },
    invalidDates: { first: [9] },
    futureDates: { first: [10] },
  });
  const hosts = file.hosts.map(({ url, position }) => `${position} ${url.host}`);
  t.same(hosts, ['1 shop.example.com', '7 a.example.com']);
});

t.test('a missing or an old namespace is not a defect', async (t) => {
  const bare = '<urlset><url><loc>https://a.example.com/</loc></url></urlset>';
  t.equal(fileOf(bare).entryCount, 1);
  t.equal(fileOf(bare.replace('<urlset', '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"')).entryCount, 1);
  const rss = '<rss><channel><item><link>https://a.example.com/</link></item></channel></rss>';
  for (const feed of [rss, '<feed><entry><link href="https://a.example.com/"/></entry></feed>'])
    t.equal(fileOf(feed).entryCount, 1, `a feed needs none: ${feed}`);
});

t.test('entries of a long file are thinned evenly', async (t) => {
  for (const length of [1, 128, 129, 1000, 49_999]) {
    const file = fileOf(Array.from({ length }, (_, index) => `https://a.example.com/${index + 1}`).join('\n'));
    const positions = file.entries.map(({ position }) => position);
    t.equal(file.entryCount, length);
    t.equal(positions[0], 1);
    t.equal(positions.at(-1), length);
    t.ok(positions.length <= 129 && positions.length >= Math.min(length, 64), `${positions.length} of ${length}`);
    const steps = positions.slice(1, -1).map((position, index) => position - (positions[index] ?? 0));
    t.equal(new Set(steps).size <= 1, true, 'even distances');
  }
});

t.test('reading ends just past what a file may hold', async (t) => {
  const many = fileOf(urlset(...Array<string>(60_000).fill(url('/'))));
  t.match(many, { entryCount: 50_001, hasTooManyEntries: true, hasTooManyBytes: false });
  t.match(fileOf(urlset(...Array<string>(50_000).fill(url('/')))), { entryCount: 50_000, hasTooManyEntries: false });

  const filler = Buffer.from(`<!--${'x'.repeat(65_536 - 7)}-->`);
  const reader = new SitemapReader(NOW);
  reader.write(Buffer.from(`<urlset>${url('/')}`));
  let writes = 0;
  while (reader.write(filler)) writes += 1;
  t.equal(writes, SITEMAP_BYTES_MAX / filler.length - 1);
  t.match(reader.finish(), { file: { entryCount: 1, hasTooManyBytes: true } });
});

t.test('reading of hostile bodies stops early', async (t) => {
  const open = `<urlset>${url('/')}<url>`;
  const cases: readonly (readonly [string, string, SitemapProblem])[] = [
    ['depth', open + '<a>'.repeat(100_000), 'over_budget'],
    ['attributes', `${open}<a ${Array.from({ length: 1000 }, (_, index) => `a${index}="" `).join('')}`, 'over_budget'],
    ['a long name', `${open}<${'a'.repeat(3_000_000)}`, 'over_budget'],
    ['a long attribute', `${open}<a b="${'a'.repeat(3_000_000)}`, 'over_budget'],
    ['a long text', `${open}<loc>https://a.example.com/${'a'.repeat(3_000_000)}`, 'over_budget'],
    ['a long comment', `${open}<!--${'-a'.repeat(3_000_000)}`, 'over_budget'],
    ['a long DOCTYPE', `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(300_000)}`, 'over_budget'],
    ['a line without end', 'a'.repeat(3_000_000), 'not_a_list'],
  ];
  for (const [name, body, problem] of cases) t.equal(problemOf(body), problem, name);
  t.match(fileOf(`https://a.example.com/\nhttps://a.example.com/${'a'.repeat(1_000_000)}`), { unusable: { count: 1 } });
});

t.test('W3C datetimes and those of XML Schema', async (t) => {
  const dates = {
    '2026-01-31T09:30Z': '2026-01-31T09:30:00Z',
    '2026-01-31T09:30:15+02:00': '2026-01-31T07:30:15Z',
    '2026-01-31T09:30:15.123456-05:30': '2026-01-31T15:00:15Z',
    '2026-01-31T09:30:15-0400': '2026-01-31T13:30:15Z',
    '2026-01-31 09:30:15+00:00': '2026-01-31T09:30:15Z',
    '2026': '2026-01-01T00:00:00+14:00',
    '2026-02': '2026-02-01T00:00:00+14:00',
    '2024-02-29': '2024-02-29T00:00:00+14:00',
    '2026-01-31Z': '2026-01-31T00:00:00Z',
    '2026-01-31-05:00': '2026-01-31T05:00:00Z',
    '2026-01-31T09:30:15': '2026-01-31T09:30:15+14:00',
    '2026-01-31T09:30:15.25': '2026-01-31T09:30:15+14:00',
    '2026-01-31T09:30': '2026-01-31T09:30:00+14:00',
    '2026-01-31T24:00:00Z': '2026-02-01T00:00:00Z',
    '2026-01-31T24:00+02:00': '2026-01-31T22:00:00Z',
  };
  for (const [value, iso] of Object.entries(dates)) t.equal(parseLastmod(value), Date.parse(iso), value);
  const invalid = `yesterday 31.01.2026 01/31/2026 2026-1-31 2026-13-01 2026-02-30 2025-02-29 0000-00-00
    2026-01-31T25:00Z 2026-01-31T09:60Z 2026-01-31T09:30+15:00 2026-01-31T09Z 20260131 1769851815`;
  for (const value of ['', 'Sat, 31 Jan 2026 09:30:15 GMT', ...invalid.split(/\s+/)])
    t.equal(parseLastmod(value), null, value);
});

t.test('a time without a zone counts as the earliest possible', async (t) => {
  // The run begins on 10 March at 12:00 UTC; a day later it is 2:00 on 12 March at UTC+14.
  const counts = {
    0: '2026-03-12 2026-03-12T02:00 2026-03-12T02:00:00 2026-03-11T12:00:00Z 2026-03-11',
    1: '2026-03-13 2026-03-12T02:01 2026-03-12T02:00:01 2026-03-11T12:00:01Z 2026-03-12Z',
  };
  for (const [count, values] of Object.entries(counts))
    for (const value of values.split(' '))
      t.equal(fileOf(urlset(lastmod(value))).futureDates.count, Number(count), value);
});
