import t from 'tap';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { DETAIL_CHARS_MAX } from '../../../src/scanner/artifacts/safe-text.js';
import { type Block, ORGANIZATION, judge } from './markup-sites.js';

t.test('C-SD-02 to C-SD-04 need a schema.org node, even alongside a broken block', async (t) => {
  for (const check of [cSd02, cSd03, cSd04]) {
    t.match(await judge(check), { result: 'NOT_APPLICABLE' });
    t.match(await judge(check, '{broken'), { result: 'NOT_APPLICABLE' });
  }
  t.match(await judge(cSd02, '{broken', ORGANIZATION), { result: 'PASS' });
  t.match(await judge(cSd03, '{broken', ORGANIZATION), { result: 'PASS' });
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
      { '@context': { d: { '@id': 'https://schema.org/hasPart', '@container': '@graph' } }, d: page },
    ],
  ];
  for (const [what, check, block] of open) {
    const finding = await judge(check, block);
    t.match(finding, { result: 'UNDETERMINED', detail: /Not read, because it defines/ }, what);
  }
  const beside: [what: string, check: Check, block: object][] = [
    ['offers by index', cSd03, { ...product, '@context': byIndex('offers'), offers: { a: { price: 5 } } }],
    ['a type with its own context', cSd03, { ...product, '@context': scoped('Product') }],
    ['a publisher mapped to null', cSd03, { ...page, '@context': ['https://schema.org', { publisher: null }] }],
    ['a nest that lacks a name', cSd03, { '@type': 'Product', '@nest': { offers: { '@type': 'Offer' } } }],
    ['a nest with a mismatch', cSd02, { '@type': 'Offer', '@nest': { price: 'on request' } }],
  ];
  for (const [what, check, block] of beside) {
    t.match(
      await judge(check, ORGANIZATION, block),
      { result: 'UNDETERMINED', detail: /Not read, because it defines/ },
      what,
    );
    t.match(await judge(cSd01, ORGANIZATION, block), { result: 'PASS' }, what);
  }
  const charged = await judge(cSd03, ORGANIZATION, { ...product, '@nest': {} }, product);
  t.match(charged, { errorType: 'ENTITY_INCOMPLETE' }, 'what a block lacks that is read');
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
