import t from 'tap';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { type Block, each, expectBlocks, judgeSite, ORGANIZATION, pageOf, PROSE } from './markup-sites.js';

const INCOMPLETE = 'FAIL ENTITY_INCOMPLETE';
const ADA = { '@type': 'Person', name: 'Ada' };
const JOB = { title: 'a', description: 'b', datePosted: '2026-01-01', hiringOrganization: 'c' };
/** Pages that say who is behind them, and one block more. */
const besideOrganization = (...blocks: Block[]) => blocks.map((block) => [ORGANIZATION, block]);

t.test('C-SD-03: the identity node of the home page', async (t) => {
  const byReference = [
    { '@type': 'WebPage', about: { '@id': '#me' } },
    { ...ADA, '@id': '#me' },
  ];
  await expectBlocks(t, cSd03, 'PASS', [
    [ORGANIZATION],
    [{ '@type': 'Restaurant', name: 'Crumb', address: 'Old Market 1' }],
    [ADA],
    [{ ...ORGANIZATION, '@type': ['LocalBusiness', 'Organization'] }],
    [{ '@type': 'WebSite', name: 'Crumb', url: '/' }],
    [{ '@type': 'WebPage', publisher: ORGANIZATION }],
    [{ '@type': 'ProfilePage', mainEntity: ADA }],
    [{ '@graph': byReference }],
    [
      { '@type': 'Organization', '@id': '/#org', name: 'Crumb' },
      { '@id': 'https://www.fixture-site.com/#org', url: '/', sameAs: ['https://a.com'] },
    ],
    [{ '@type': 'Organization' }, { '@type': 'WebSite', name: 'Crumb', url: '/' }],
    ...each(...['logo', 'sameAs'].map((one) => ({ '@type': 'NGO', name: 'a', url: '/', [one]: 'https://a.com/' }))),
    [{ '@type': 'NGO', name: 'a', url: '/', description: 'b' }],
  ]);
  const nobody = 'The home page does not say who runs the site.';
  const incomplete: [Block, string | RegExp][] = [
    [
      { '@type': 'Organization', name: ' ', url: null },
      /^Home page, block 1: Organization lacks name, url and one of logo\/description\/sameAs\./,
    ],
    [{ '@type': 'LocalBusiness', name: 'Crumb', url: '/', logo: '/l.png' }, 'LocalBusiness lacks address.'],
    [{ '@type': 'WebSite', url: '/' }, 'WebSite lacks name.'],
    [{ '@type': 'WebPage', author: ADA }, nobody],
    [{ '@type': 'WebPage', publisher: { '@id': '#elsewhere' } }, nobody],
  ];
  for (const [block, says] of incomplete) await expectBlocks(t, cSd03, INCOMPLETE, [[block]], says);
});

t.test('C-SD-03: the author of the site’s own blog stands behind it', async (t) => {
  await expectBlocks(t, cSd03, 'PASS', [
    [{ '@type': 'WebPage', isPartOf: { '@type': 'WebSite', author: ADA } }],
    [
      { '@type': 'Blog', '@id': '/#blog', author: { '@id': '#ada' } },
      { '@type': 'Thing', about: { ...ADA, '@id': '#ada' } },
    ],
    [{ '@type': 'Blog', author: { ...ADA, '@id': 'https://orcid.org/0000-0001' } }],
  ]);
  await expectBlocks(t, cSd03, INCOMPLETE, [
    [{ '@type': 'Blog', author: 'Ada' }],
    [{ '@type': 'Blog', blogPost: { '@type': 'BlogPosting', author: ADA } }],
    [{ '@type': 'WebPage', hasPart: { '@type': 'Blog', author: ADA } }],
  ]);
});

t.test('C-SD-03: what Google requires of main nodes', async (t) => {
  const item = (position: number, rest: object) => ({ '@type': 'ListItem', position, ...rest });
  const crumbs = (...itemListElement: unknown[]) => ({ '@type': 'BreadcrumbList', itemListElement });
  const referenced = [
    { '@type': 'WebPage', mainEntity: { '@id': '#p' } },
    { '@type': 'Product', '@id': '#p' },
  ];
  const complete = besideOrganization(
    { '@type': 'ProductGroup', name: 'Breads' },
    { '@type': 'ProductCollection', name: 'Breads' },
    { '@type': 'MusicEvent', name: 'a', startDate: '2026-01-01', location: 'b' },
    { '@type': 'BroadcastEvent' },
    { '@type': 'JobPosting', ...JOB, jobLocationType: 'TELECOMMUTE' },
    crumbs(item(1, { name: 'a', item: '/a' }), item(2, { item: { '@id': '/b', name: 'b' } }), item(3, { name: 'c' })),
    crumbs({ '@id': '#elsewhere' }),
    crumbs({ '@type': '@json', '@value': {} }),
    crumbs(item(2, { name: 'b' }), item(1, { name: 'a', item: '/a' })),
    { '@type': 'FAQPage', mainEntity: { '@type': 'Question', name: 'a' } },
    { '@type': 'ItemList', itemListElement: [{ '@type': 'Product', name: 'contained, so no main node' }] },
    { '@graph': referenced },
    { '@id': '#p' },
  );
  await expectBlocks(t, cSd03, 'PASS', complete);
  const incomplete: [object, string][] = [
    [{ '@type': 'Product', name: 'Bread' }, 'Home page, block 2: Product lacks one of offers/review/aggregateRating.'],
    [{ '@type': 'BreadcrumbList' }, 'lacks itemListElement.'],
    [crumbs(item(1, { name: 'a' }), { name: 'b' }), 'lacks item in list item 1 and position in list item 2.'],
    [crumbs('Home'), 'lacks position in list item 1 and name in list item 1.'],
  ];
  for (const [block, says] of incomplete) await expectBlocks(t, cSd03, INCOMPLETE, besideOrganization(block), says);
  const home = pageOf([ORGANIZATION], { body: `<a href="/bread">Bread</a>${PROSE}` });
  const other = await judgeSite(cSd03, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) });
  const detail = 'Page 2 (link 1 of the home page), block 1: Product lacks';
  t.match(other, { errorType: 'ENTITY_INCOMPLETE', detail }, 'on every sampled page');
  const listOf = (count: number) => {
    const whole = { '@type': 'ListItem', position: 1, name: 'a', item: '/a' };
    return besideOrganization(crumbs(...Array<object>(count).fill(whole), { ...whole, name: '' }));
  };
  await expectBlocks(t, cSd03, INCOMPLETE, listOf(999), /lacks name in .* 1000\./);
  await expectBlocks(t, cSd03, 'PASS', listOf(1000), '');
});

t.test('C-SD-03 asks for each property that Google requires, and takes each alternative', async (t) => {
  const whole: [type: string, properties: Record<string, unknown>][] = [
    ['Product', { name: 'a', offers: { '@type': 'Offer' } }],
    ['Product', { name: 'a', review: { '@type': 'Review' } }],
    ['Product', { name: 'a', aggregateRating: { '@type': 'AggregateRating' } }],
    ['Event', { name: 'a', startDate: '2026-01-01', location: 'b' }],
    ['JobPosting', { ...JOB, jobLocation: 'd' }],
    ['Recipe', { name: 'a', image: '/b.png' }],
    ['VideoObject', { name: 'a', thumbnailUrl: '/b.png', uploadDate: '2026-01-01' }],
  ];
  for (const [type, properties] of whole) {
    const node = { '@type': type, ...properties };
    await expectBlocks(t, cSd03, 'PASS', besideOrganization(node));
    for (const name of Object.keys(properties)) {
      const lacking = besideOrganization({ ...node, [name]: ' ' });
      await expectBlocks(t, cSd03, INCOMPLETE, lacking, new RegExp(`lacks .*${name}`));
    }
  }
});

t.test('C-SD-03 charges nothing that may stand in a block that could not be read', async (t) => {
  const product = { '@type': 'Product', '@id': '#p', name: 'Bread' };
  for (const node of [
    { '@type': 'WebPage', name: 'Crumb' },
    { '@type': 'WebSite', url: '/' },
  ]) {
    await expectBlocks(t, cSd03, 'NOT_APPLICABLE', [[node, '{broken']]);
    await expectBlocks(t, cSd03, 'UNDETERMINED', [[node, '['.repeat(300)]]);
  }
  await expectBlocks(t, cSd03, 'PASS', [[ORGANIZATION, product, '{broken']]);
  const charged = [
    [ORGANIZATION, product],
    [ORGANIZATION, { ...product, '@id': null }, '{broken'],
  ];
  await expectBlocks(t, cSd03, INCOMPLETE, charged);
});
