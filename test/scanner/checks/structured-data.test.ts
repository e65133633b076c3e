import t from 'tap';
import { DETAIL_CHARS_MAX } from '../../../src/scanner/artifacts/safe-text.js';
import { cSd01 } from '../../../src/scanner/checks/c-sd-01.js';
import { cSd02 } from '../../../src/scanner/checks/c-sd-02.js';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import { type Block, expectBlocks, judge, ORGANIZATION } from './markup-sites.js';

const PRODUCT = { '@type': 'Product', name: 'Bread' };
const PAGE = { '@type': 'WebPage', name: 'Crumb' };

t.test('C-SD-02 to C-SD-04 need a schema.org node, even alongside a broken block', async (t) => {
  for (const check of [cSd02, cSd03, cSd04]) await expectBlocks(t, check, 'NOT_APPLICABLE', [[], ['{broken']]);
  for (const check of [cSd02, cSd03]) await expectBlocks(t, check, 'PASS', [['{broken', ORGANIZATION]]);
});

t.test('JSON-LD that is not read is not charged, and what is read beside it is', async (t) => {
  const says = /Not read, because @context/;
  await expectBlocks(t, cSd03, 'UNDETERMINED', [[{ ...PAGE, publisher: { '@graph': [ORGANIZATION] } }]], says);
  const ofItsOwn = { '@context': { d: { '@id': 'https://schema.org/hasPart', '@container': '@graph' } }, d: PAGE };
  await expectBlocks(t, cSd01, 'UNDETERMINED', [[ofItsOwn]], says);
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
