import t from 'tap';
import { cSite02 } from '../../../src/scanner/checks/c-site-02.js';
import { found, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { judge } from '../../../src/scanner/verdict/judge.js';
import { collectFrom, findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';
import { HOME, MAP, NOW, cutMap, framed, good, index, loc, outcomeOf, site, urlset, withMap } from './sitemap-sites.js';

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
      '1 of 3 checked pages is dead: entry 3.',
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
    [
      'UNDETERMINED',
      'entry 2 and entry 3',
      withMap(urlset(loc('/'), loc('/a'), loc('/b')), { '*': { status: 302, headers: { location: '/' } } }),
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
  t.match(entries && judge(cSite02, { sitemapEntries: found({ ...entries, parts }) }).finding, {
    errorType: 'OVERSIZE',
  });
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
