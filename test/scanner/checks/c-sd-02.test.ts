import t from 'tap';
import { DETAIL_CHARS_MAX, safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { readJsonLd } from '../../../src/scanner/parsers/structured-data/json-ld.js';
import { type Block, each, expectBlocks, judge, judgeSite, ORGANIZATION, pageOf, PROSE } from './markup-sites.js';

const MISMATCH = 'FAIL SCHEMA_MISMATCH';

t.test('C-SD-02: the vocabulary', async (t) => {
  const target = { '@type': 'EntryPoint', urlTemplate: 'https://www.fixture-site.com/?q={term}' };
  const action = { '@type': 'SearchAction', target, 'query-input': 'required name=term' };
  const known = each(
    ORGANIZATION,
    { '@type': ['Product', 'https://schema.org/Car'], 'ex:own': 1, 'schema:nmae': 'x' },
    { '@context': ['https://schema.org', 'https://example.com/c'], '@type': 'OwnType', ownProperty: 1 },
    { '@context': ['https://schema.org', { ex: 'https://example.com/' }], '@type': 'Thing', 'ex:own': 1 },
    { '@type': 'WebSite', potentialAction: action },
    { '@type': 'Guide', hasPart: { '@type': 'Recommendation', type: 'Best for the money' } },
    { '@type': 'Thing', nmae: ' ', descripton: null },
    { '@type': 'Organization', offers: 'a property of another type', address: 'text for an object' },
  );
  await expectBlocks(t, cSd02, 'PASS', known);

  const ofEvents = { '@type': 'Thing', subjectOf: [{ '@type': 'Event' }, { '@type': 'Event', startdate: '2026' }] };
  const misspelt: [block: Block, detail: string][] = [
    [{ '@type': 'Organisation' }, 'a type is not in schema.org (closest name: Organization).'],
    [{ '@type': 'organization' }, 'a type is not in schema.org (closest name: Organization).'],
    [{ '@type': 'https://schema.org/Perso' }, 'a type is not in schema.org (closest name: Person).'],
    [{ '@type': 'Thing', nmae: 'x' }, 'property 3 of the Thing is not in schema.org (closest name: name).'],
    [ofEvents, 'property 2 of the Event is not in schema.org (closest name: startDate).'],
  ];
  for (const [block, detail] of misspelt)
    await expectBlocks(t, cSd02, MISMATCH, [[block]], `Home page, block 1: ${detail}`);

  const nodes = Array.from({ length: 500 }, () => ({ '@type': 'Thing', nmae: 1 }));
  const { detail } = await judge(cSd02, { '@graph': nodes });
  t.match(detail, /^500 mismatches\. Home page, block 1: .* \(500 times\)\.$/);
  t.ok((detail?.length ?? 0) <= DETAIL_CHARS_MAX);
  const strange = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`zq${'x'.repeat(index)}qz`, 1]));
  // Near terms are looked for once a name, and for 100 names of a page.
  await expectBlocks(t, cSd02, 'PASS', each({ '@type': 'Thing', ...strange, nmae: 'x' }), /101 names are not in/);
});

t.test('C-SD-02: possible values', async (t) => {
  const possible: Record<string, unknown[]> = {
    datePublished: [
      ...['2026-01-31', '2026', 2026, '20260131', '2024-02-29T23:59:60+01:00', '2026-01-31 09:00', '2026 March 5'],
      ...['2026-03-05/2026-03-08', '2026-W10-4', '2026-03-05T09:00+0100', '2026年5月1日'],
      ...['{{ page.date }}', '%%date%%'],
    ],
    startDate: [['2026-01-01', '2026-02-01'], { '@type': 'Thing' }],
    opens: ['09:00', '1970-01-01T09:00:00'],
    closes: ['18:00-05:00'],
    startTime: ['24:00:00'],
    price: ['19,90 €', 0, '1 299,00', 'CHF 5’000.–', '₹1,29,900/-', '١٩٫٩٠'],
    reviewCount: ['1,234'],
    maxValue: ['INF'],
    url: ['/relative', 'a b'],
    image: ['Text where an object is expected'],
    availability: ['InStock'],
    latitude: ['text is allowed'],
    isAccessibleForFree: ['maybe'],
  };
  const impossible: Record<string, unknown[]> = {
    datePublished: [
      ...['invalid-date', '2026-13-01', '2026-02-30', '2023-02-29T00:00:00Z', '0000-00-00', '2026-01-31T25:00:00'],
      ...['1700000000', 1_700_000_000, '05/03/2026', 'Tue, 7 Jan 20', ['2026-01-01', '03.04.2026']],
    ],
    startDate: [['2026-01-01', 'soon']],
    opens: ['closed', '25:00-05:00'],
    price: ['on request', '10-20', 'from 12,50 EUR/month, call 555-1234', '2 for 5'],
    reviewCount: ['many'],
    url: ['https://'],
    logo: ['https://exa mple.com/logo.png'],
  };
  const thingsWith = (property: string, values: readonly unknown[]) =>
    each(...values.map((value) => ({ '@type': 'Thing', [property]: value })));
  for (const [property, values] of Object.entries(possible))
    await expectBlocks(t, cSd02, 'PASS', thingsWith(property, values));
  for (const [property, values] of Object.entries(impossible))
    await expectBlocks(t, cSd02, MISMATCH, thingsWith(property, values), `${property} of the Thing is not a`);
});

t.test('C-SD-02: the url belongs to the page', async (t) => {
  const external = { '@type': 'WebSite', url: 'https://staging.other-host.com/' };
  await expectBlocks(t, cSd02, MISMATCH, [[external]], /url of the WebSite is not on the domain/);
  await expectBlocks(t, cSd02, MISMATCH, [[{ ...external, '@type': 'BlogPosting' }]], /url of the Article/);
  const canonical = '<link rel="canonical" href="https://www.other-host.com/">';
  t.match(await judgeSite(cSd02, pageOf([external], { head: canonical })), { result: 'PASS' }, 'as the canonical');
  const fine = each(
    { '@type': 'WebPage', url: '/' },
    { '@type': 'WebPage', url: 'http://fixture-site.com/' },
    { '@type': 'WebPage', url: '{{ url }}' },
    { '@type': 'Organization', url: 'https://www.other-host.com/' },
    { '@type': 'ScholarlyArticle', url: 'https://doi.org/10.1000/182' },
    { '@type': 'WebPage', citation: { '@type': 'Article', url: 'https://www.other-host.com/a' } },
    { '@graph': [external, { ...external, url: 'https://third-host.com/' }] },
  );
  await expectBlocks(t, cSd02, 'PASS', fine);
  for (const host of ['127.0.0.1:8080', '[::1]', 'localhost', 'preview.localhost']) {
    const url = new URL(`http://${host}/`);
    const facts = parsePage(pageOf([external]), url);
    const page = { position: 1, foundAt: safeText`home page`, url, facts };
    const structuredData = { pages: [{ page, ...readJsonLd(facts.jsonLd, url), shownWords: null }] as const };
    t.match(cSd02.judge({ structuredData }), { result: 'PASS' }, `a local copy: ${host}`);
  }
});

t.test('C-SD-02: the page shows the headline and the name', async (t) => {
  const article = (headline: unknown) => ({ '@type': 'NewsArticle', headline });
  const shown = each(
    ...['Sourdough bread at the old market', 'SOURDOUGH &amp; “butter” cakes', 'Sourdough robots'].map(article),
    ...['{{ headline }}', '🙂'].map(article),
    { '@type': 'Product', name: 'Bakery Crumb' },
    { '@type': 'Product', description: 'no name' },
    { '@type': 'ItemList', itemListElement: { '@type': 'Product', name: 'Something drawn by a script' } },
  );
  await expectBlocks(t, cSd02, 'PASS', shown);
  const unshown = each(
    article('Quantum robots invade Mars'),
    { '@type': 'Product', name: 'Turbo engine deluxe' },
    { '@type': 'WebPage', mainEntity: article('Quantum robots invade Mars') },
  );
  await expectBlocks(t, cSd02, MISMATCH, unshown, /fewer than half of the words/);
  const japanese = '老舗の和菓子屋が京都で新しい店を開きました。'.repeat(20);
  const pages: [headline: string, body: string, result: string][] = [
    ['Donaudampfschiff Fahrplan', `<h1>Donau&shy;dampf&shy;schiff Fahr&#8203;plan</h1>${PROSE}`, 'PASS'],
    ['Işık', `<h1>IŞIK</h1>${PROSE}`, 'PASS'],
    ['می‌خواهم', `<h1>میخواهم</h1>${PROSE}`, 'PASS'],
    ['Quantum robots invade Mars', '<div id="app"></div>', 'PASS'],
    ['京都で老舗の和菓子屋が新しい店', japanese, 'PASS'],
    ['東京電力の株価が急落する', japanese, 'FAIL'],
  ];
  for (const [headline, body, result] of pages)
    t.match(await judgeSite(cSd02, pageOf([article(headline)], { body })), { result }, headline);
});
