import t from 'tap';
import { DETAIL_CHARS_MAX } from '../../../src/scanner/artifacts/safe-text.js';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { type Block, expectBlocks, judge, ORGANIZATION } from './markup-sites.js';

const PRODUCT = { '@type': 'Product', name: 'Bread' };
const PAGE = { '@type': 'WebPage', name: 'Crumb' };

t.test('C-SD-02 to C-SD-04 need a schema.org node, even alongside a broken block', async (t) => {
  for (const check of [cSd02, cSd03, cSd04]) await expectBlocks(t, check, 'NOT_APPLICABLE', [[], ['{broken']]);
  for (const check of [cSd02, cSd03]) await expectBlocks(t, check, 'PASS', [['{broken', ORGANIZATION]]);
});

t.test('JSON-LD that is not read is not charged', async (t) => {
  const within = (name: string, definition: object) => ({
    '@context': ['https://schema.org', { [name]: { '@id': `schema:${name}`, ...definition } }],
  });
  const byIndex = (name: string) => within(name, { '@container': '@index' });
  const scoped = (name: string) => within(name, { '@context': { label: 'schema:name' } });
  const twoTypes = { '@type': ['LocalBusiness', 'Organization'], name: 'Crumb', url: '/' };
  const open: [check: Check, block: object][] = [
    [cSd03, { ...PAGE, ...byIndex('publisher'), publisher: { a: ORGANIZATION } }],
    [cSd03, { ...PAGE, ...scoped('publisher'), publisher: { label: 'x' } }],
    [cSd03, { '@type': 'Blog', ...byIndex('author'), author: { a: { '@type': 'Person' } } }],
    [cSd03, { ...ORGANIZATION, ...byIndex('name'), name: { a: 'Crumb' } }],
    [cSd03, { ...twoTypes, ...byIndex('logo'), logo: { a: '/l.png' } }],
    [cSd03, { ...PAGE, publisher: { '@graph': [ORGANIZATION] } }],
    [cSd03, { '@type': 'Person', label: 'Ada', ...scoped('Person') }],
    [cSd01, { '@context': { d: { '@id': 'https://schema.org/hasPart', '@container': '@graph' } }, d: PAGE }],
  ];
  const says = /Not read, because @context/;
  for (const [check, block] of open) await expectBlocks(t, check, 'UNDETERMINED', [[block]], says);
  const beside: [check: Check, block: object][] = [
    [cSd03, { ...PRODUCT, ...byIndex('offers'), offers: { a: { price: 5 } } }],
    [cSd03, { ...PRODUCT, ...scoped('Product') }],
    [cSd03, { ...PAGE, '@context': ['https://schema.org', { publisher: null }] }],
    [cSd03, { '@type': 'Product', '@nest': { offers: { '@type': 'Offer' } } }],
    [cSd02, { '@type': 'Offer', '@nest': { price: 'on request' } }],
  ];
  for (const [check, block] of beside) {
    await expectBlocks(t, check, 'UNDETERMINED', [[ORGANIZATION, block]], says);
    await expectBlocks(t, cSd01, 'PASS', [[ORGANIZATION, block]]);
  }
  // What a block lacks that is read is charged.
  await expectBlocks(t, cSd03, 'FAIL ENTITY_INCOMPLETE', [[ORGANIZATION, { ...PRODUCT, '@nest': {} }, PRODUCT]]);
});

t.test('one defect of the markup fails one check', async (t) => {
  const listItem = { '@type': 'ListItem', Position: 1, Name: 'a' };
  const misspelt: [block: Block, identity: string][] = [
    [{ ...ORGANIZATION, name: undefined, Name: 'Bakery Crumb' }, 'PASS'],
    [{ ...ORGANIZATION, '@type': 'Organisation' }, 'NOT_APPLICABLE'],
    [{ '@graph': [ORGANIZATION, { ...PRODUCT, ofers: { '@type': 'Offer' } }] }, 'PASS'],
    [{ '@graph': [ORGANIZATION, { '@type': 'BreadcrumbList', itemListElement: listItem }] }, 'PASS'],
  ];
  for (const [block, identity] of misspelt) {
    await expectBlocks(t, cSd02, 'FAIL SCHEMA_MISMATCH', [[block]]);
    await expectBlocks(t, cSd03, identity, [[block]]);
  }
  const noAddress = { ...ORGANIZATION, sameAs: ['https://', 'https://exa mple.com/'] };
  await expectBlocks(t, cSd02, 'PASS', [[noAddress]]);
  await expectBlocks(t, cSd04, 'FAIL BROKEN_SAMEAS', [[noAddress]]);
});

t.test('hostile markup is judged', async (t) => {
  const cycle = [
    { '@type': 'WebPage', '@id': '#a', about: { '@id': '#b' } },
    { '@type': 'Person', '@id': '#b', knows: { '@id': '#a' }, about: { '@id': '#b' } },
  ];
  const times = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
  const context = (index: number) => ({ [`t${index}`]: 'x:y' });
  const deep = times(90, () => 0).reduce((about: object) => ({ '@type': 'Thing', about }), { '@type': 'Oops' });
  const hostile: Readonly<Record<string, Block>> = {
    'cyclic references': { '@graph': cycle },
    'one @id on many nodes': { '@graph': times(20_000, () => ({ '@id': '#a', '@type': 'Product' })) },
    'long strings': {
      '@type': 'Article',
      headline: `${'あ'.repeat(100_000)}${'&'.repeat(100_000)}`,
      datePublished: '9'.repeat(200_000),
    },
    'deep nesting': { about: deep },
    'a context for each of many nodes': {
      '@graph': times(8_000, (index) => ({ '@context': context(index), '@type': 'Thing', nmae: 1 })),
    },
    'a long list of contexts': { '@context': times(20_000, context), '@type': 'Thing' },
  };
  for (const [what, block] of Object.entries(hostile)) {
    for (const check of [cSd01, cSd02, cSd03, cSd04]) {
      const { detail } = await judge(check, block);
      t.ok((detail?.length ?? 0) <= DETAIL_CHARS_MAX, what);
    }
  }
});
