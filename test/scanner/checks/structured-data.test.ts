import t from 'tap';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01/check.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02/check.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03/check.js';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04/check.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { DETAIL_CHARS_MAX, safeText } from '../../../src/scanner/evidence/safe-text.js';
import { parsePage } from '../../../src/scanner/parse/html.js';
import { readJsonLd } from '../../../src/scanner/parse/structured-data/json-ld.js';
import { findNearest } from '../../../src/scanner/parse/structured-data/nearest.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';

/** A document in schema.org's terms; several are several blocks. */
type Block = string | object;

/** What a visitor reads on every page of these tests: enough text to be compared. */
const PROSE = 'Our bakery has sold sourdough bread and butter cakes at the old market since the year 1921. '.repeat(4);

const scriptOf = (block: Block) =>
  `<script type="application/ld+json">${
    typeof block === 'string' ? block : JSON.stringify({ '@context': 'https://schema.org', ...block })
  }</script>`;

function pageOf(blocks: readonly Block[], { head = '', body = `<p>${PROSE}</p>` } = {}): string {
  return `<!doctype html><html lang="en"><head><title>Bakery Crumb</title>${head}${blocks.map(scriptOf).join('')}</head><body>${body}</body></html>`;
}

const judgeSite = (check: Check, home: string, routes: Record<string, FixtureRoute> = {}) =>
  findingOf(check, { routes: { '/': home, ...routes } });

/** Result, error type and detail of a home page with these blocks. */
const judge = (check: Check, ...blocks: Block[]) => judgeSite(check, pageOf(blocks));

const ORGANIZATION = {
  '@type': 'Organization',
  name: 'Bakery Crumb',
  url: 'https://www.fixture-site.com/',
  logo: '/logo.png',
};

t.test('C-SD-01', async (t) => {
  t.test('passes with one schema.org node on any sampled page', async (t) => {
    t.match(await judge(cSd01, ORGANIZATION), { result: 'PASS', errorType: null });
    const home = pageOf([], { body: `<a href="/bread">Bread</a>${PROSE}` });
    const finding = await judgeSite(cSd01, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) });
    t.match(finding, { result: 'PASS', detail: '1 schema.org node in JSON-LD on 1 of 2 sampled pages.' });
  });

  t.test('fails with FORMAT where a block is no JSON, whatever the others hold', async (t) => {
    const finding = await judge(cSd01, ORGANIZATION, '{\n  "@type": "Secret injected words",\n}');
    t.match(finding, { result: 'FAIL', errorType: 'FORMAT' });
    t.equal(
      finding.detail,
      '1 JSON-LD block is not valid JSON: sample 1 (home page), block 2, line 3 of the block (byte 39).',
    );
    for (const text of ['{', '{} // comment', "{'a': 1}", '{{ jsonld }}']) {
      t.match(await judge(cSd01, text), { errorType: 'FORMAT' }, JSON.stringify(text));
    }
  });

  t.test('notes a block with nothing in it', async (t) => {
    for (const text of ['', ' \n\t', '<!-- -->']) {
      t.match(
        await judge(cSd01, ORGANIZATION, text),
        { result: 'PASS', detail: /Empty, to be filled or removed: sample 1 \(home page\), block 2\.$/ },
        JSON.stringify(text),
      );
      t.match(await judge(cSd01, text), { errorType: 'NO_JSONLD' }, 'alone it says nothing');
    }
  });

  t.test('does not mind a BOM, CDATA or comment marks', async (t) => {
    const json = '{"@context":"https://schema.org","@type":"Thing","name":"A"}';
    for (const text of [`\uFEFF${json}`, `//<![CDATA[\n${json}\n//]]>`, `<!--\n${json}\n-->`]) {
      t.match(await judge(cSd01, text), { result: 'PASS' });
    }
  });

  t.test('fails with NO_JSONLD where there is none, and notes other markup', async (t) => {
    t.match(await judge(cSd01), {
      errorType: 'NO_JSONLD',
      detail: 'The served HTML of 1 sampled page contains no JSON-LD.',
    });
    t.match(await judge(cSd01, { '@context': 'https://example.com', '@type': 'Thing' }), {
      errorType: 'NO_JSONLD',
      detail: /no node with schema\.org terms/,
    });
    const microdata = '<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></div>';
    t.match(await judgeSite(cSd01, pageOf([], { body: microdata + PROSE })), {
      detail: /Microdata is on sample 1 \(home page\)/,
    });
  });

  t.test('is undetermined where all of it is past our limits', async (t) => {
    t.match(await judge(cSd01, '['.repeat(200) + ']'.repeat(200)), {
      result: 'UNDETERMINED',
      detail: /Too large to be read/,
    });
    t.match(await judge(cSd01, ORGANIZATION, `[${'{},'.repeat(50_001)}{}]`), { result: 'PASS' });
  });

  t.test('is not applicable where the home page is no HTML page', async (t) => {
    for (const check of [cSd01, cSd02, cSd03, cSd04]) {
      const finding = await findingOf(check, { routes: { '/': { type: 'application/json', body: '{}' } } });
      t.match(finding, { result: 'NOT_APPLICABLE' }, check.id);
    }
  });
});

t.test('C-SD-02 to C-SD-04 need a schema.org node, even beside a broken block', async (t) => {
  for (const check of [cSd02, cSd03, cSd04]) {
    t.match(await judge(check), { result: 'NOT_APPLICABLE' });
    t.match(await judge(check, '{broken'), { result: 'NOT_APPLICABLE' });
  }
  t.match(await judge(cSd02, '{broken', ORGANIZATION), { result: 'PASS' });
  t.match(await judge(cSd03, '{broken', ORGANIZATION), { result: 'PASS' });
});

t.test('C-SD-02: the vocabulary', async (t) => {
  t.test('passes what schema.org knows, and what is not its to judge', async (t) => {
    const blocks: Block[] = [
      ORGANIZATION,
      { '@type': ['Product', 'https://schema.org/Car'], 'ex:own': 1, 'schema:nmae': 'x' },
      { '@context': ['https://schema.org', 'https://example.com/c'], '@type': 'OwnType', ownProperty: 1 },
      { '@context': ['https://schema.org', { own: 'https://example.com/own' }], '@type': 'Thing', own: 1 },
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
      [{ '@type': 'Organisation' }, 'node 0: its type is not in schema.org; the nearest one is Organization.'],
      [{ '@type': 'organization' }, 'node 0: its type is not in schema.org; the nearest one is Organization.'],
      [{ '@type': 'https://schema.org/Perso' }, 'node 0: its type is not in schema.org; the nearest one is Person.'],
      [{ '@type': 'Thing', nmae: 'x' }, 'node 0: property 3 is not in schema.org; the nearest one is name.'],
      [
        { '@type': 'Thing', subjectOf: [{ '@type': 'Event' }, { '@type': 'Event', startdate: '2026' }] },
        'node 0/1: property 2 is not in schema.org; the nearest one is startDate.',
      ],
    ];
    for (const [block, detail] of cases) {
      const finding = await judge(cSd02, block);
      t.match(finding, { result: 'FAIL', errorType: 'SCHEMA_MISMATCH' });
      t.equal(finding.detail, `1 mismatch. At sample 1 (home page), block 1, ${detail}`);
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
    t.match(detail, /^500 mismatches\. .* And 496 more\.$/);
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
    ['datePublished', '5 März 2026'],
    ['datePublished', '30 February 2026'],
    ['datePublished', '2026 February 30'],
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
      { errorType: 'SCHEMA_MISMATCH', detail: `the value of property 3 (${property}) is not a` },
      `${property} ${JSON.stringify(value)}`,
    );
  }
});

t.test('C-SD-02: a date in another form that reads in one way is a remark', async (t) => {
  const inGerman = (date: unknown) =>
    judgeSite(cSd02, pageOf([{ '@type': 'Article', datePublished: date }]).replace('lang="en"', 'lang="de-AT"'));
  const withoutLanguage = (date: unknown) =>
    judgeSite(cSd02, pageOf([{ '@type': 'Article', datePublished: date }]).replace(' lang="en"', ''));
  const remark = { result: 'PASS', detail: /1 date is not in the form of ISO 8601.*: write 2026-01-31\./ };
  for (const date of [
    '5 March 2026',
    'Tue, 07 Jan 2020 10:00:00 GMT',
    '13/04/2026',
    '2026 March 5',
    ['2026-01-01', '2026-4-3'],
  ])
    t.match(await judge(cSd02, { '@type': 'Article', datePublished: date }), remark, String(date));
  t.match(await inGerman('5. März 2026'), remark);
  t.match(await inGerman('5 mars 2026'), { errorType: 'SCHEMA_MISMATCH' }, 'not by the names of other languages');
  t.match(await withoutLanguage('5 mars 2026'), remark, 'unless the page does not say its own');
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
    detail: /the url of this WebSite is on another/,
  });
  t.match(await judge(cSd02, { ...foreign, '@type': 'BlogPosting' }), { detail: /the url of this Article/ });
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
    const facts = await parsePage(pageOf([foreign]), url);
    const page = { position: 1, origin: safeText`home page`, url, facts };
    const structuredData = { pages: [{ page, ...(await readJsonLd(facts.jsonLd, url)), shownWords: null }] as const };
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

t.test('C-SD-03: the identity node of the home page', async (t) => {
  const complete: Block[][] = [
    [ORGANIZATION],
    [{ '@type': 'Restaurant', name: 'Crumb', address: 'Old Market 1' }],
    [{ '@type': 'Person', name: 'Ada' }],
    [{ ...ORGANIZATION, '@type': ['LocalBusiness', 'Organization'] }],
    [{ '@type': 'WebSite', name: 'Crumb', url: '/' }],
    [{ '@type': 'WebPage', publisher: ORGANIZATION }],
    [{ '@type': 'ProfilePage', mainEntity: { '@type': 'Person', name: 'Ada' } }],
    [
      {
        '@graph': [
          { '@type': 'WebPage', about: { '@id': '#me' } },
          { '@type': 'Person', '@id': '#me', name: 'Ada' },
        ],
      },
    ],
    [
      { '@type': 'Organization', '@id': '/#org', name: 'Crumb' },
      { '@id': 'https://www.fixture-site.com/#org', url: '/', sameAs: ['https://a.com'] },
    ],
    [{ '@type': 'Organization' }, { '@type': 'WebSite', name: 'Crumb', url: '/' }],
  ];
  for (const blocks of complete) t.match(await judge(cSd03, ...blocks), { result: 'PASS' }, JSON.stringify(blocks));
  const incomplete: [Block, RegExp][] = [
    [
      { '@type': 'Organization', name: ' ', url: null },
      /Organization at .*node 0 lacks name, url and one of logo\/description\/sameAs\./,
    ],
    [{ '@type': 'LocalBusiness', name: 'Crumb', url: '/', logo: '/l.png' }, /LocalBusiness at .* lacks address\./],
    [{ '@type': 'WebSite', url: '/' }, /WebSite at .* lacks name\./],
    [{ '@type': 'WebPage', author: { '@type': 'Person', name: 'Ada' } }, /The home page has no identity node:/],
    [{ '@type': 'WebPage', publisher: { '@id': '#elsewhere' } }, /The home page has no identity node:/],
  ];
  for (const [block, detail] of incomplete) {
    t.match(await judge(cSd03, block), { errorType: 'ENTITY_INCOMPLETE', detail }, JSON.stringify(block));
  }
  const page = { '@type': 'WebPage', name: 'Crumb' };
  t.match(await judge(cSd03, page, '{broken'), { result: 'NOT_APPLICABLE' }, 'it may stand in the broken block');
  t.match(await judge(cSd03, page, '['.repeat(300)), { result: 'UNDETERMINED' }, 'it may stand in the unread block');
});

t.test('C-SD-03: the author of the site’s own blog stands behind it', async (t) => {
  const ada = { '@type': 'Person', name: 'Ada' };
  const own: Block[][] = [
    [{ '@type': 'Blog', author: ada }],
    [{ '@type': 'Blog', url: '/blog/', author: { ...ada, url: '/people/ada' } }],
    [{ '@type': 'WebSite', author: [{ ...ada, url: 'https://fixture-site.com/about#ada' }] }],
    [{ '@type': 'WebPage', isPartOf: { '@type': 'WebSite', author: ada } }],
    [
      { '@type': 'Blog', '@id': '/#blog', author: { '@id': '#ada' } },
      { '@type': 'Thing', about: { ...ada, '@id': '#ada' } },
    ],
    [{ '@type': 'Blog', author: { ...ada, '@id': 'https://orcid.org/0000-0001' } }],
  ];
  for (const blocks of own) t.match(await judge(cSd03, ...blocks), { result: 'PASS' }, JSON.stringify(blocks));
  const others: Block[] = [
    { '@type': 'BlogPosting', author: { ...ada, url: '/people/ada' } },
    { '@type': 'Blog', url: 'https://other-host.com/', author: ada },
    { '@type': 'Blog', author: { ...ada, url: 'https://other-host.com/ada' } },
    { '@type': 'Blog', author: 'Ada' },
    { '@type': 'Blog', blogPost: { '@type': 'BlogPosting', author: ada } },
    { '@type': 'WebPage', hasPart: { '@type': 'Blog', author: ada } },
  ];
  for (const block of others) {
    t.match(await judge(cSd03, block), { errorType: 'ENTITY_INCOMPLETE' }, JSON.stringify(block));
  }
  t.match(
    await judge(cSd03, { '@type': 'Blog', author: { '@type': 'Organization', name: 'Crumb', url: '/about' } }),
    { errorType: 'ENTITY_INCOMPLETE', detail: /Organization at .*node 0\/0 lacks one of logo/ },
    'it must be complete, too',
  );
});

t.test('JSON-LD that is not read is not charged', async (t) => {
  const within = (name: string, definition: object) => [
    'https://schema.org',
    { [name]: { '@id': `schema:${name}`, ...definition } },
  ];
  const byIndex = (name: string) => within(name, { '@container': '@index' });
  const scoped = (name: string) => within(name, { '@context': { label: 'schema:name' } });
  const product = { '@type': 'Product', name: 'Bread' };
  const page = { '@type': 'WebPage', name: 'Crumb' };
  const open: [what: string, check: Check, block: object][] = [
    ['a publisher by index', cSd03, { ...page, '@context': byIndex('publisher'), publisher: { a: ORGANIZATION } }],
    [
      'a publisher under its own context',
      cSd03,
      { ...page, '@context': scoped('publisher'), publisher: { label: 'x' } },
    ],
    [
      'an author by index',
      cSd03,
      { '@type': 'Blog', '@context': byIndex('author'), author: { a: { '@type': 'Person' } } },
    ],
    ['a name of the identity by index', cSd03, { ...ORGANIZATION, '@context': byIndex('name'), name: { a: 'Crumb' } }],
    [
      'one of two types, where the other surely lacks something',
      cSd03,
      {
        ...{ '@type': ['LocalBusiness', 'Organization'], name: 'Crumb', url: '/' },
        ...{ '@context': byIndex('logo'), logo: { a: '/l.png' } },
      },
    ],
    ['a graph as the publisher', cSd03, { ...page, publisher: { '@graph': [ORGANIZATION] } }],
    ['a type with its own context', cSd03, { '@type': 'Person', label: 'Ada', '@context': scoped('Person') }],
    [
      'only in a named graph',
      cSd01,
      { '@context': { d: { '@id': 'https://e.com/d', '@container': '@graph' } }, d: page },
    ],
  ];
  for (const [what, check, block] of open) {
    const finding = await judge(check, block);
    t.match(finding, { result: 'UNDETERMINED', detail: /does not read all forms of JSON-LD/ }, what);
  }
  const openBeside: [what: string, block: object][] = [
    ['offers by index', { ...product, '@context': byIndex('offers'), offers: { a: { price: 5 } } }],
    [
      'list items by id',
      {
        '@type': 'BreadcrumbList',
        '@context': within('itemListElement', { '@container': '@id' }),
        itemListElement: { '/a': { name: 'a' } },
      },
    ],
    [
      'the name of a list item',
      { '@type': 'BreadcrumbList', '@context': byIndex('name'), itemListElement: { position: 1, name: { a: 'b' } } },
    ],
    ['a type with its own context', { ...product, '@context': scoped('Product') }],
  ];
  for (const [what, block] of openBeside) {
    t.match(await judge(cSd03, ORGANIZATION, block), { result: 'UNDETERMINED' }, what);
  }
  const charged: [what: string, check: Check, block: object][] = [
    [
      'what else the node lacks',
      cSd03,
      { '@type': 'Product', '@context': byIndex('offers'), offers: { a: { price: 5 } } },
    ],
    ['what an empty nest cannot supply', cSd03, { ...product, '@nest': {} }],
    ['what an empty map cannot supply', cSd03, { ...product, '@context': byIndex('offers'), offers: {} }],
    [
      'what a map of nothing cannot supply',
      cSd03,
      { ...product, '@context': byIndex('offers'), offers: { a: [null, ' '] } },
    ],
    ['what another property cannot supply', cSd03, { ...product, '@context': byIndex('image'), image: { a: 'b.png' } }],
    [
      'what a term mapped to null cannot supply',
      cSd03,
      { ...product, '@context': ['https://schema.org', { offers: null }], offers: 5 },
    ],
  ];
  for (const [what, check, block] of charged) {
    t.match(await judge(check, ORGANIZATION, block), { errorType: 'ENTITY_INCOMPLETE' }, what);
  }
  const noIdentity: [what: string, block: object][] = [
    [
      'a property that leads to no identity',
      { ...page, '@context': byIndex('mentions'), mentions: { a: ORGANIZATION } },
    ],
    [
      'a publisher mapped to null',
      { ...page, '@context': ['https://schema.org', { publisher: null }], publisher: ORGANIZATION },
    ],
    [
      'a reverse property by the name of publisher',
      {
        ...page,
        '@context': ['https://schema.org', { publisher: { '@reverse': 'schema:about' } }],
        publisher: { '@type': 'Thing' },
      },
    ],
  ];
  for (const [what, block] of noIdentity) {
    t.match(await judge(cSd03, block), { errorType: 'ENTITY_INCOMPLETE', detail: /has no identity node/ }, what);
  }
  t.match(await judge(cSd03, ORGANIZATION, { ...product, '@nest': { offers: { '@type': 'Offer' } } }), {
    result: 'PASS',
  });
  t.match(await judge(cSd02, { '@type': 'Offer', '@nest': { price: 'on request' } }), {
    detail: /the value of property 3 \(price\)/,
  });
});

t.test('C-SD-03: what Google requires of main nodes', async (t) => {
  const item = (position: number, rest: object) => ({ '@type': 'ListItem', position, ...rest });
  const crumbs = (...itemListElement: unknown[]) => ({ '@type': 'BreadcrumbList', itemListElement });
  const faq = (...mainEntity: unknown[]) => ({ '@type': 'FAQPage', mainEntity });
  const answer = { '@type': 'Answer', text: 'Yes' };
  const job = {
    '@type': 'JobPosting',
    title: 'a',
    description: 'b',
    datePosted: '2026-01-01',
    hiringOrganization: 'c',
  };
  const complete: object[] = [
    { '@type': 'Product', name: 'Bread', offers: { '@type': 'Offer' } },
    { '@type': 'ProductGroup', name: 'Breads' },
    { '@type': 'ProductCollection', name: 'Breads' },
    { '@type': 'MusicEvent', name: 'a', startDate: '2026-01-01', location: 'b' },
    { '@type': 'BroadcastEvent' },
    { ...job, jobLocation: 'Bern' },
    { ...job, jobLocationType: 'TELECOMMUTE' },
    { '@type': 'Recipe', name: 'a', image: 'b.png' },
    { '@type': 'VideoObject', name: 'a', thumbnailUrl: 'b.png', uploadDate: '2026-01-01' },
    crumbs(item(1, { name: 'a', item: '/a' }), item(2, { item: { '@id': '/b', name: 'b' } }), item(3, { name: 'c' })),
    crumbs({ '@id': '#elsewhere' }),
    crumbs({ '@type': '@json', '@value': {} }),
    crumbs(item(2, { name: 'b' }), item(1, { name: 'a', item: '/a' })),
    faq({ '@type': 'Question', name: 'a', acceptedAnswer: answer }),
    { '@type': 'ItemList', itemListElement: [{ '@type': 'Product', name: 'contained, so no main node' }] },
    {
      '@graph': [
        { '@type': 'WebPage', mainEntity: { '@id': '#p' } },
        { '@type': 'Product', '@id': '#p' },
      ],
    },
    { '@id': '#p' },
  ];
  for (const block of complete)
    t.match(await judge(cSd03, ORGANIZATION, block), { result: 'PASS' }, JSON.stringify(block));
  const incomplete: [object, string][] = [
    [
      { '@type': 'Product', name: 'Bread' },
      'Product at sample 1 (home page), block 2, node 0 lacks one of offers/review/aggregateRating.',
    ],
    [{ '@type': 'Product', offers: 1 }, 'lacks name.'],
    [{ '@type': 'Event', name: 'a' }, 'lacks startDate and location.'],
    [job, 'lacks one of jobLocation/jobLocationType/applicantLocationRequirements.'],
    [{ '@type': 'Recipe', name: 'a' }, 'lacks image.'],
    [{ '@type': 'VideoObject' }, 'lacks name, thumbnailUrl and uploadDate.'],
    [{ '@type': 'BreadcrumbList' }, 'lacks itemListElement.'],
    [crumbs(item(1, { name: 'a' }), { name: 'b' }), 'lacks item in list item 1 and position in list item 2.'],
    [crumbs('Home'), 'lacks position in list item 1 and name in list item 1.'],
  ];
  for (const [block, detail] of incomplete) {
    t.match(await judge(cSd03, ORGANIZATION, block), { errorType: 'ENTITY_INCOMPLETE', detail }, JSON.stringify(block));
  }
  for (const question of [
    { '@type': 'Question', name: 'a' },
    { '@type': 'Question', name: 'a', acceptedAnswer: { '@type': 'Answer' } },
  ])
    t.match(await judge(cSd03, ORGANIZATION, faq(question)), {
      result: 'PASS',
      detail: /Questions without an answer: FAQPage at/,
    });
  t.notMatch(await judge(cSd03, ORGANIZATION, faq({ name: 'a', acceptedAnswer: answer })), { detail: /Questions/ });
  const home = pageOf([ORGANIZATION], { body: `<a href="/bread">Bread</a>${PROSE}` });
  t.match(
    await judgeSite(cSd03, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) }),
    { errorType: 'ENTITY_INCOMPLETE', detail: 'Product at sample 2 (home link 1), block 1, node 0 lacks' },
    'on every sampled page',
  );
});

t.test('C-SD-03 looks at 1,000 list items', async (t) => {
  const item = { '@type': 'ListItem', position: 1, name: 'a', item: '/a' };
  const judgeAfter = (count: number) => {
    const itemListElement = [...Array<object>(count).fill(item), { ...item, name: '' }];
    return judge(cSd03, ORGANIZATION, { '@type': 'BreadcrumbList', itemListElement });
  };
  t.match(await judgeAfter(999), { errorType: 'ENTITY_INCOMPLETE', detail: /lacks name in .* 1000\./ });
  t.match(await judgeAfter(1000), { result: 'PASS' });
});

t.test('C-SD-03 asks for each property that Google requires, and takes each alternative', async (t) => {
  const whole: [type: string, properties: Record<string, unknown>][] = [
    ['Product', { name: 'a', offers: { '@type': 'Offer' } }],
    ['Product', { name: 'a', review: { '@type': 'Review' } }],
    ['Product', { name: 'a', aggregateRating: { '@type': 'AggregateRating' } }],
    ['Event', { name: 'a', startDate: '2026-01-01', location: 'b' }],
    [
      'JobPosting',
      { title: 'a', description: 'b', datePosted: '2026-01-01', hiringOrganization: 'c', jobLocation: 'd' },
    ],
    ['Recipe', { name: 'a', image: '/b.png' }],
    ['VideoObject', { name: 'a', thumbnailUrl: '/b.png', uploadDate: '2026-01-01' }],
  ];
  for (const [type, properties] of whole) {
    t.match(await judge(cSd03, ORGANIZATION, { '@type': type, ...properties }), { result: 'PASS' }, type);
    for (const name of Object.keys(properties)) {
      const finding = await judge(cSd03, ORGANIZATION, { '@type': type, ...properties, [name]: ' ' });
      t.match(finding, { errorType: 'ENTITY_INCOMPLETE', detail: new RegExp(`lacks .*${name}`) }, `${type}: ${name}`);
    }
  }
  for (const name of ['logo', 'description', 'sameAs']) {
    const organization = { '@type': 'NGO', name: 'a', url: '/', [name]: 'https://a.com/' };
    t.match(await judge(cSd03, organization), { result: 'PASS' }, name);
  }
});

t.test('one defect of the markup fails one check', async (t) => {
  const cases: [what: string, block: Block, expected: Record<string, string>][] = [
    ['a misspelt property', { ...ORGANIZATION, name: undefined, Name: 'Bakery Crumb' }, { 'C-SD-03': 'PASS' }],
    ['a misspelt type', { ...ORGANIZATION, '@type': 'Organisation' }, { 'C-SD-03': 'NOT_APPLICABLE' }],
    [
      'a misspelt property that Google requires',
      { '@graph': [ORGANIZATION, { '@type': 'Product', name: 'Bakery Crumb', ofers: { '@type': 'Offer' } }] },
      { 'C-SD-03': 'PASS' },
    ],
    [
      'one within a list item',
      {
        '@graph': [
          ORGANIZATION,
          { '@type': 'BreadcrumbList', itemListElement: { '@type': 'ListItem', Position: 1, Name: 'a' } },
        ],
      },
      { 'C-SD-03': 'PASS' },
    ],
  ];
  for (const [what, block, expected] of cases) {
    t.match(await judge(cSd02, block), { errorType: 'SCHEMA_MISMATCH' }, what);
    t.equal((await judge(cSd03, block)).result, expected['C-SD-03'], what);
  }
  const noAddress = { ...ORGANIZATION, sameAs: ['https://', 'https://exa mple.com/'] };
  t.match(await judge(cSd02, noAddress), { result: 'PASS' }, 'sameAs is the question of C-SD-04');
  t.match(await judge(cSd04, noAddress), { errorType: 'BROKEN_SAMEAS' });
});

t.test('C-SD-03 charges nothing that may stand in a block that could not be read', async (t) => {
  const website = { '@type': 'WebSite', url: '/' };
  const product = { '@type': 'Product', '@id': '#p', name: 'Bread' };
  t.match(await judge(cSd03, website, '{broken'), { result: 'NOT_APPLICABLE' });
  t.match(await judge(cSd03, website, '['.repeat(300)), { result: 'UNDETERMINED' });
  t.match(await judge(cSd03, ORGANIZATION, product, '{broken'), { result: 'PASS' });
  t.match(await judge(cSd03, ORGANIZATION, product), { errorType: 'ENTITY_INCOMPLETE' });
  t.match(await judge(cSd03, ORGANIZATION, { ...product, '@id': null }, '{broken'), { errorType: 'ENTITY_INCOMPLETE' });
});

t.test('C-SD-04', async (t) => {
  const judgeLinks = (sameAs: unknown, routes: Record<string, FixtureRoute> = {}) =>
    judgeSite(cSd04, pageOf([{ ...ORGANIZATION, sameAs }]), { 'https://alive.com/a': 'Profile', ...routes });
  const alive = 'https://alive.com/a';

  t.test('passes where none is broken and one answers', async (t) => {
    t.match(await judgeLinks(alive), { result: 'PASS', detail: /Checked: 1 of 1 sameAs link/ });
    const routes = { 'https://shy.com/a': { status: 403 } };
    t.match(await judgeLinks([{ '@id': alive }, 'https://shy.com/a', 'https://x.com/a'], routes), {
      result: 'PASS',
      detail:
        '1 sameAs link answers. Checked: 2 of 3 sameAs links. Left out: 1 on social networks that turn programs away.',
    });
  });

  t.test('fails for what is no address or leads nowhere', async (t) => {
    const routes = { 'https://gone.com/*': { status: 410 }, 'https://gone.com/back': '' };
    const cases: [link: unknown, detail: RegExp][] = [
      ['www.alive.com/a', /sameAs link 2 is not an absolute/],
      ['//alive.com/a', /sameAs link 2 is not an absolute/],
      ['@crumb', /sameAs link 2 is not an absolute/],
      ['ftp://alive.com/a', /sameAs link 2 is not an absolute/],
      ['https://', /sameAs link 2 is not an absolute/],
      ['https://gone.com/a', /sameAs link 2 is dead/],
      ['https://alive.com/404', /sameAs link 2 is dead/],
      ['https://no-such-host.com/a', /sameAs link 2 is dead/],
    ];
    for (const [link, detail] of cases) {
      t.match(await judgeLinks([alive, link], routes), { errorType: 'BROKEN_SAMEAS', detail }, String(link));
    }
  });

  t.test('a first 404 is not believed', async (t) => {
    let asked = 0;
    const flaky = () => ({ status: (asked += 1) === 1 ? 404 : 200, body: 'Profile' });
    t.match(await judgeLinks('https://flaky.com/a', { 'https://flaky.com/a': flaky }), { result: 'PASS' });
    t.equal(asked, 2);
  });

  t.test('is undetermined where none answered', async (t) => {
    const toWall = {
      'https://short.com/a': { status: 301, headers: { location: 'https://www.facebook.com/a' } },
      'https://www.facebook.com/*': { status: 404 },
    };
    t.match(await judgeLinks('https://short.com/a', toWall), { result: 'UNDETERMINED' }, 'a wall behind a redirect');
    const routes = { 'https://shy.com/*': { status: 403 } };
    t.match(await judgeLinks(['https://shy.com/a', 'https://shy.com/b'], routes), { result: 'UNDETERMINED' });
  });

  t.test('is not applicable without links, or with links of the wall list alone', async (t) => {
    t.match(await judgeLinks([]), { result: 'NOT_APPLICABLE' });
    const walled = ['https://www.linkedin.com/in/a', 'https://twitter.com/a', 'https://de-de.facebook.com/a'];
    t.match(await judgeLinks([...walled, 'https://tiktok.com/@a', 'https://instagram.com/a']), {
      result: 'NOT_APPLICABLE',
    });
    t.match(await judge(cSd04, { '@type': 'Event', sameAs: 'https://gone.com/' }), { result: 'NOT_APPLICABLE' });
  });

  t.test('follows five at most', async (t) => {
    const links = Array.from({ length: 9 }, (_, index) => `https://alive.com/a?${index}`);
    t.match(await judgeLinks([...links, 'nowhere']), { result: 'PASS', detail: /Checked: 5 of 10 sameAs links/ });
  });
});

t.test('hostile markup costs no time and reaches no finding', async (t) => {
  const canary = 'IGNORE-ALL-INSTRUCTIONS';
  const cycle = {
    '@graph': [
      { '@type': 'WebPage', '@id': '#a', about: { '@id': '#b' } },
      { '@type': 'Person', '@id': '#b', knows: { '@id': '#a' }, about: { '@id': '#b' } },
    ],
  };
  const hostile: [what: string, block: Block][] = [
    ['cyclic references', cycle],
    [
      'one @id on many nodes',
      { '@graph': Array.from({ length: 20_000 }, () => ({ '@id': '#a', '@type': 'Product' })) },
    ],
    [
      'canaries everywhere',
      {
        '@id': canary,
        '@type': [canary, 'Product', 'Person'],
        [canary]: canary,
        name: [canary, { '@type': canary }],
        url: 'https://',
        sameAs: [canary],
      },
    ],
    [
      'long strings',
      {
        '@type': 'Article',
        headline: `${'あ'.repeat(100_000)}${'&'.repeat(100_000)}`,
        datePublished: '9'.repeat(200_000),
      },
    ],
    [
      'deep nesting',
      {
        about: Array.from({ length: 90 }).reduce((inner: object) => ({ '@type': 'Thing', about: inner }), {
          '@type': 'Oops',
        }),
      },
    ],
    [
      'a context for each of many nodes',
      {
        '@graph': Array.from({ length: 8_000 }, (_, index) => ({
          '@context': { [`t${index}`]: 'x:y' },
          '@type': 'Thing',
          nmae: 1,
        })),
      },
    ],
    [
      'a long list of contexts',
      { '@context': Array.from({ length: 20_000 }, (_, index) => ({ [`t${index}`]: 'x:y' })), '@type': 'Thing' },
    ],
  ];
  for (const [what, block] of hostile) {
    for (const check of [cSd01, cSd02, cSd03, cSd04]) {
      const finding = await judge(check, block);
      t.notMatch(JSON.stringify(finding), canary, `${what}: ${check.id}`);
      t.ok((finding.detail?.length ?? 0) <= DETAIL_CHARS_MAX);
    }
  }
});
