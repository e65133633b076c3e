import t, { type Test } from 'tap';
import { found, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { cSite02 } from '../../../src/scanner/checks/c-site-02.js';
import { judge } from '../../../src/scanner/verdict/check.js';
import { collectFrom, findingOf, openFixtureRun } from '../../support/collect.js';
import { redirectTo } from '../../support/visit-site.js';
import { type Expected, expectDetails, expectFindings, type Routes, url } from './expect-findings.js';
import { cutMap, framed, good, HOME, index, listing, loc, MAP, SITE, urlset, withMap } from './sitemap-sites.js';

const NOW = new Date('2026-03-10T12:00:00Z');
const expectOn = (t: Test, expected: Expected) => expectFindings(t, cSite02, SITE, expected, { now: NOW });
const child = listing('/bread');
const entity = `<!DOCTYPE urlset [<!ENTITY a "b">]>${urlset('<loc>&a;</loc>')}`;

t.test('C-SITE-02: entries that lead somewhere', async (t) => {
  const partner = 'https://partner.example.net';
  const two = index('/1.xml', '/2.xml');
  const withPartner = (robots: Routes[string]) =>
    withMap(listing('/', `${partner}/`), { [`${partner}/robots.txt`]: robots });
  const naming = { [`${partner}/robots.txt`]: `Sitemap: ${MAP}` };
  await expectOn(t, {
    PASS: {
      'another domain that names the map without www': withPartner('Sitemap: http://fixture-site.com/map.xml'),
      'another domain that names the index of the map': withMap(index('/1.xml'), {
        '/1.xml': listing('/', `${partner}/`),
        ...naming,
      }),
      'another domain whose robots.txt cannot be read': withPartner(403),
      'another domain that answers with a challenge': withPartner({
        headers: { 'sg-captcha': 'challenge' },
        body: HOME,
      }),
      'a child in gzip whose end is not known': withMap(two, { '/1.xml': child, '/2.xml': { body: cutMap } }),
    },
  });
  const children = 'child sitemaps of the index read';
  const one = '1 child sitemap of the index read, with 1 entry. 1 of 1 checked page works.';
  const details: Record<string, Routes> = {
    '2 entries read. 2 of 2 checked pages work.': withMap(good),
    [one]: withMap(index('/1.xml'), { '/1.xml': child }),
    [`${one} Some entries are on another domain, which does not count here.`]: withMap(
      index('/1.xml', `${partner}/2.xml`),
      { '/1.xml': child, [`${partner}/2.xml`]: child, ...naming },
    ),
    [`2 ${children}, with 2 entries. 2 of 2 checked pages work.`]: withMap(two, { '/1.xml': child, '/2.xml': child }),
    [`${one} 1 child sitemap could not be read.`]: withMap(two, { '/1.xml': child, '/2.xml': 429 }),
    [`Too few pages gave a clear result. 0 ${children}, with 0 entries. 2 child sitemaps could not be read.`]: withMap(
      two,
      { '/1.xml': 429, '/2.xml': 429 },
    ),
    '2 entries read. 1 of 2 checked pages work. 1 gave no clear result (refused, failed or too slow).': withMap(
      listing('/', '/club'),
      { '/club': 403 },
    ),
  };
  for (const [detail, routes] of Object.entries(details)) {
    const finding = await findingOf(cSite02, { routes: { ...SITE, ...routes } }, { now: NOW });
    t.same([finding.result, finding.detail], [detail.startsWith('Too') ? 'UNDETERMINED' : 'PASS', detail]);
  }
});

t.test('C-SITE-02: each cause', async (t) => {
  const paths = ['/1.xml', '/2.xml', '/3.xml', '/4.xml', '/5.xml'];
  const withChildren = (changes: Routes) =>
    withMap(index(...paths), { ...Object.fromEntries(paths.map((path) => [path, child])), ...changes });
  const entries = (count: number) => `${url('/')}\n`.repeat(count);
  const expected = {
    'FAIL OVERSIZE': {
      'The sitemap has more than 50,000 entries.': withMap(entries(60_000)),
      'Child sitemap 3 has more than 50,000 entries.': withChildren({ '/3.xml': entries(60_000) }),
      'more than 50,000 entries': withMap(`${entries(50_000)}relative\n`),
    },
    'FAIL STRUCTURE': {
      'no absolute http(s) URL: entry 2.': withMap(urlset(loc('/gone'), '<loc>bread</loc>')),
      '1 loc shares an entry with another loc: entry 2.': withMap(urlset(loc('/') + loc('/bread'))),
      'first at entry 2.': withMap(listing('/', 'https://else.example.net/'), {
        'https://else.example.net/robots.txt': 'User-agent: *',
      }),
      'at entry 2.': withMap(listing('/', 'https://no-such-host.net/')),
      'child sitemap 1 is itself an index': withMap(index(MAP)),
      'child sitemap 5 is an incomplete gzip file.': withChildren({ '/5.xml': framed(cutMap) }),
      'child sitemap 3 is not well-formed XML': withChildren({ '/3.xml': '<urlset>' }),
      'entry 1 of child sitemap 3': withChildren({ '/3.xml': urlset('<loc>/x</loc>') }),
    },
    UNDETERMINED: {
      '1 child sitemap could not be read': withMap(index('/1.xml'), { '/1.xml': entity }),
      '1 of 3': withMap(listing('/', '/a', '/b'), { '/a': 403, '/b': 500 }),
      'entry 2 and entry 3': withMap(listing('/', '/a', '/b'), { '*': redirectTo('/') }),
    },
  };
  await expectDetails(t, cSite02, SITE, expected, { now: NOW });
});

t.test('C-SITE-02: too many bytes are the gravest', async (t) => {
  const entries = valueOf(await collectFrom({ routes: { ...SITE, ...withMap(good) } }, 'sitemapEntries'));
  const parts = entries?.parts.map((part) => ({ ...part, file: { ...part.file, hasTooManyBytes: true } })) ?? [];
  const finding = entries && judge(cSite02, { sitemapEntries: found({ ...entries, parts }) }).finding;
  t.match(finding, { errorType: 'OVERSIZE' });
});

t.test('C-SITE-02: reads three children and asks for twelve pages, the same each time', async (t) => {
  const pages = (from: number, n: number) => Array.from({ length: n }, (_, page) => `/page-${from + page}`);
  const maps = Array.from({ length: 9 }, (_, at) => `/${at}.xml`);
  const children = maps.map((map, at) => [map, listing(...pages(at * 1000, at === 0 ? 20 : 200))]);
  const routes = { '/': HOME, ...Object.fromEntries(children), '*': '<html>any page</html>' };
  const collect = async () => {
    const run = openFixtureRun({ routes: withMap(index(...maps), routes) }, { now: NOW });
    const entries = valueOf(await run.context.evidence('sitemapEntries'));
    await run.close();
    const probed = entries?.probed.map(({ child, position }) => `${child} ${position}`) ?? [];
    return { read: entries?.parts.map(({ child }) => child), probed };
  };
  const { read, probed } = await collect();
  t.same(read, [0, 1, 5, 9], 'the first, the middle and the last');
  t.equal(probed.length, 12);
  t.same([probed[0], probed.at(-1)], ['1 1', '9 200']);
  t.equal(probed.filter((one) => one.startsWith('1 ')).length, 1, 'a small file has a small share');
  t.same((await collect()).probed, probed);
});
