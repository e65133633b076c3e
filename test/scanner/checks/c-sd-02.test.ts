import t from 'tap';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { DETAIL_CHARS_MAX, safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { readJsonLd } from '../../../src/scanner/parsers/structured-data/json-ld.js';
import { findNearest } from '../../../src/scanner/parsers/structured-data/nearest.js';
import { type Block, ORGANIZATION, PROSE, judge, judgeSite, pageOf } from './markup-sites.js';

t.test('C-SD-02: the vocabulary', async (t) => {
  t.test('passes what schema.org knows, and what is not its to judge', async (t) => {
    const blocks: Block[] = [
      ORGANIZATION,
      { '@type': ['Product', 'https://schema.org/Car'], 'ex:own': 1, 'schema:nmae': 'x' },
      { '@context': ['https://schema.org', 'https://example.com/c'], '@type': 'OwnType', ownProperty: 1 },
      { '@context': ['https://schema.org', { ex: 'https://example.com/' }], '@type': 'Thing', 'ex:own': 1 },
      {
        '@type': 'WebSite',
        potentialAction: {
          '@type': 'SearchAction',
          target: { '@type': 'EntryPoint', urlTemplate: 'https://www.fixture-site.com/?q={term}' },
          'query-input': 'required name=term',
        },
      },
      { '@type': 'Guide', hasPart: { '@type': 'Recommendation', type: 'Best for the money' } },
      { '@type': 'Thing', nmae: ' ', descripton: null },
      { '@type': 'Organization', offers: 'a property of another type', address: 'text for an object' },
    ];
    for (const block of blocks) t.match(await judge(cSd02, block), { result: 'PASS' }, JSON.stringify(block));
  });

  t.test('names the nearest term of schema.org, never the one that the site wrote', async (t) => {
    const cases: [block: Block, detail: string][] = [
      [{ '@type': 'Organisation' }, 'a type is not in schema.org, whose nearest name is Organization.'],
      [{ '@type': 'organization' }, 'a type is not in schema.org, whose nearest name is Organization.'],
      [{ '@type': 'https://schema.org/Perso' }, 'a type is not in schema.org, whose nearest name is Person.'],
      [{ '@type': 'Thing', nmae: 'x' }, 'property 3 of the Thing is not in schema.org, whose nearest name is name.'],
      [
        { '@type': 'Thing', subjectOf: [{ '@type': 'Event' }, { '@type': 'Event', startdate: '2026' }] },
        'property 2 of the Event is not in schema.org, whose nearest name is startDate.',
      ],
    ];
    for (const [block, detail] of cases) {
      const finding = await judge(cSd02, block);
      t.match(finding, { result: 'FAIL', errorType: 'SCHEMA_MISMATCH' });
      t.equal(finding.detail, `Home page, block 1: ${detail}`);
    }
    t.equal(findNearest('x'.repeat(100_000), ['name']), null);
    t.equal(findNearest('zzz', ['name']), null, 'nothing near is better than a wrong hint');
  });

  t.test('a name that is like none of schema.org is a remark', async (t) => {
    for (const block of [
      { '@type': 'Ignore all previous instructions' },
      { '@type': 'Thing', toString: 'x', name: 'y' },
      { '@type': 'Thing', shelfPlace: 4 },
      { '@type': 'Thing', internal_score: 4 },
    ])
      t.match(
        await judge(cSd02, block),
        { result: 'PASS', detail: /1 name is not in schema\.org/ },
        JSON.stringify(block),
      );
    t.match(await judge(cSd02, { '@type': 'Thing', shippingLabel: 'x' }), {
      result: 'PASS',
      detail: /1 term is retired/,
    });
    t.match(await judge(cSd02, { '@type': 'Offer', price: '19,90 €' }), {
      result: 'PASS',
      detail: /1 price is not a plain/,
    });
    t.notMatch(await judge(cSd02, { '@type': 'Offer', price: '19.90' }), { detail: /price/ });
  });

  t.test('describes a few and counts the rest', async (t) => {
    const nodes = Array.from({ length: 500 }, () => ({ '@type': 'Thing', nmae: 1 }));
    const { detail } = await judge(cSd02, { '@graph': nodes });
    t.match(detail, /^500 mismatches\. Home page, block 1: .* \(200 times\)\. And 300 more\.$/);
    t.ok((detail?.length ?? 0) <= DETAIL_CHARS_MAX);
  });

  t.test('near terms are looked for once a name, and for 100 names of a page', async (t) => {
    const strange = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`zq${'x'.repeat(index)}qz`, 1]));
    t.match(await judge(cSd02, { '@type': 'Thing', ...strange, nmae: 'x' }), { detail: /101 names are not in/ });
  });
});

t.test('C-SD-02: possible values', async (t) => {
  const judgeValue = (property: string, value: unknown) => judge(cSd02, { '@type': 'Thing', [property]: value });
  const possible: [string, unknown][] = [
    ['datePublished', '2026-01-31'],
    ['datePublished', '2026'],
    ['datePublished', 2026],
    ['datePublished', '20260131'],
    ['datePublished', '2024-02-29T23:59:60+01:00'],
    ['datePublished', '2026-01-31 09:00'],
    ['datePublished', '2026 March 5'],
    ['datePublished', '2026-03-05/2026-03-08'],
    ['datePublished', '2026-W10-4'],
    ['datePublished', '2026-03-05T09:00+0100'],
    ['datePublished', '2026年5月1日'],
    ['datePublished', '{{ page.date }}'],
    ['datePublished', '%%date%%'],
    ['startDate', ['2026-01-01', '2026-02-01']],
    ['opens', '09:00'],
    ['opens', '1970-01-01T09:00:00'],
    ['closes', '18:00-05:00'],
    ['startTime', '24:00:00'],
    ['price', '19,90 €'],
    ['price', 0],
    ['price', '1 299,00'],
    ['price', 'CHF 5’000.–'],
    ['price', '₹1,29,900/-'],
    ['price', '١٩٫٩٠'],
    ['reviewCount', '1,234'],
    ['maxValue', 'INF'],
    ['url', '/relative'],
    ['url', 'a b'],
    ['image', 'Text where an object is expected'],
    ['availability', 'InStock'],
    ['latitude', 'text is allowed'],
    ['startDate', { '@type': 'Thing' }],
    ['isAccessibleForFree', 'maybe'],
  ];
  for (const [property, value] of possible) {
    t.match(await judgeValue(property, value), { result: 'PASS' }, `${property} ${JSON.stringify(value)}`);
  }
  const impossible: [string, unknown][] = [
    ['datePublished', 'invalid-date'],
    ['datePublished', '2026-13-01'],
    ['datePublished', '2026-02-30'],
    ['datePublished', '2023-02-29T00:00:00Z'],
    ['datePublished', '0000-00-00'],
    ['datePublished', '2026-01-31T25:00:00'],
    ['datePublished', '1700000000'],
    ['datePublished', 1_700_000_000],
    ['datePublished', '05/03/2026'],
    ['datePublished', 'Tue, 7 Jan 20'],
    ['datePublished', ['2026-01-01', '03.04.2026']],
    ['startDate', ['2026-01-01', 'soon']],
    ['opens', 'closed'],
    ['opens', '25:00-05:00'],
    ['price', 'on request'],
    ['price', '10-20'],
    ['price', 'from 12,50 EUR/month, call 555-1234'],
    ['price', '2 for 5'],
    ['reviewCount', 'many'],
    ['url', 'https://'],
    ['logo', 'https://exa mple.com/logo.png'],
  ];
  for (const [property, value] of impossible) {
    t.match(
      await judgeValue(property, value),
      { errorType: 'SCHEMA_MISMATCH', detail: `${property} of the Thing is not a` },
      `${property} ${JSON.stringify(value)}`,
    );
  }
});

t.test('C-SD-02: a date in another form is a remark where it has a year', async (t) => {
  const remark = { result: 'PASS', detail: /1 date is not in ISO 8601 form.*: write 2026-01-31\./ };
  for (const date of [
    '5 March 2026',
    'Tue, 07 Jan 2020 10:00:00 GMT',
    '13/04/2026',
    '2026 March 5',
    ['2026-01-01', '2026-4-3'],
    '5. März 2026',
    '30 February 2026',
    'spring 2026',
  ])
    t.match(await judge(cSd02, { '@type': 'Article', datePublished: date }), remark, String(date));
  t.match(await judge(cSd02, { '@type': 'Article', datePublished: '2026-03-05' }), {
    result: 'PASS',
    detail: /page\.$/,
  });
  t.match(await judge(cSd02, { '@type': 'Article', datePublished: '{{ 5 March 2026 }}' }), { detail: /page\.$/ });
});

t.test('C-SD-02: the url belongs to the page', async (t) => {
  const foreign = { '@type': 'WebSite', url: 'https://staging.other-host.com/' };
  t.match(await judge(cSd02, foreign), {
    errorType: 'SCHEMA_MISMATCH',
    detail: /url of the WebSite is on another/,
  });
  t.match(await judge(cSd02, { ...foreign, '@type': 'BlogPosting' }), { detail: /url of the Article/ });
  const canonical = '<link rel="canonical" href="https://www.other-host.com/">';
  t.match(await judgeSite(cSd02, pageOf([foreign], { head: canonical })), { result: 'PASS' }, 'as the canonical');
  const fine: Block[][] = [
    [{ '@type': 'WebPage', url: '/' }],
    [{ '@type': 'WebPage', url: 'http://fixture-site.com/' }],
    [{ '@type': 'WebPage', url: '{{ url }}' }],
    [{ '@type': 'Organization', url: 'https://www.other-host.com/' }],
    [{ '@type': 'ScholarlyArticle', url: 'https://doi.org/10.1000/182' }],
    [{ '@type': 'WebPage', citation: { '@type': 'Article', url: 'https://www.other-host.com/a' } }],
    [{ '@graph': [foreign, { ...foreign, url: 'https://third-host.com/' }] }],
  ];
  for (const blocks of fine) t.match(await judge(cSd02, ...blocks), { result: 'PASS' }, JSON.stringify(blocks));
  for (const host of ['127.0.0.1:8080', '[::1]', 'localhost', 'preview.localhost']) {
    const url = new URL(`http://${host}/`);
    const facts = parsePage(pageOf([foreign]), url);
    const page = { position: 1, origin: safeText`home page`, url, facts };
    const structuredData = { pages: [{ page, ...readJsonLd(facts.jsonLd, url), shownWords: null }] as const };
    t.match(cSd02.judge({ structuredData }), { result: 'PASS' }, `a local copy: ${host}`);
  }
});

t.test('C-SD-02: the page shows the headline and the name', async (t) => {
  const settings: [headline: string, heading: string][] = [
    ['Donaudampfschiff Fahrplan', 'Donau&shy;dampf&shy;schiff Fahr&#8203;plan'],
    ['Ελληνικά νέα', 'ΕΛΛΗΝΙΚΑ ΝΕΑ'],
    ['Große Straße', 'GROSSE STRASSE'],
    ['Işık', 'IŞIK'],
    ['می‌خواهم', 'میخواهم'],
  ];
  for (const [headline, heading] of settings) {
    const home = pageOf([{ '@type': 'Article', headline }], { body: `<h1>${heading}</h1>${PROSE}` });
    t.match(await judgeSite(cSd02, home), { result: 'PASS' }, `however it is set: ${headline}`);
  }
  const article = (headline: unknown) => ({ '@type': 'NewsArticle', headline });
  const shown: Block[] = [
    article('Sourdough bread at the old market'),
    article('SOURDOUGH &amp; “butter” cakes'),
    article('Sourdough robots'),
    article('{{ headline }}'),
    article('🙂'),
    { '@type': 'Product', name: 'Bakery Crumb' },
    { '@type': 'Product', description: 'no name' },
    { '@type': 'ItemList', itemListElement: { '@type': 'Product', name: 'Something drawn by a script' } },
  ];
  for (const block of shown) t.match(await judge(cSd02, block), { result: 'PASS' }, JSON.stringify(block));
  const unshown: Block[] = [
    article('Quantum robots invade Mars'),
    { '@type': 'Product', name: 'Turbo engine deluxe' },
    { '@type': 'WebPage', mainEntity: article('Quantum robots invade Mars') },
  ];
  for (const block of unshown) {
    t.match(await judge(cSd02, block), { errorType: 'SCHEMA_MISMATCH', detail: /fewer than half of the words/ });
  }
  const short = pageOf([article('Quantum robots invade Mars')], { body: '<div id="app"></div>' });
  t.match(await judgeSite(cSd02, short), { result: 'PASS' }, 'too little text was served to tell');
  const japanese = (headline: string) =>
    judgeSite(cSd02, pageOf([article(headline)], { body: '老舗の和菓子屋が京都で新しい店を開きました。'.repeat(20) }));
  t.match(await japanese('京都で老舗の和菓子屋が新しい店'), { result: 'PASS' });
  t.match(await japanese('東京電力の株価が急落する'), { errorType: 'SCHEMA_MISMATCH' });
});
