import t from 'tap';
import { cSd03 } from '../../../src/scanner/checks/c-sd-03.js';
import { type Block, ORGANIZATION, PROSE, judge, judgeSite, pageOf } from './markup-sites.js';

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
      /^Home page, block 1: Organization lacks name, url and one of logo\/description\/sameAs\./,
    ],
    [{ '@type': 'LocalBusiness', name: 'Crumb', url: '/', logo: '/l.png' }, /LocalBusiness lacks address\./],
    [{ '@type': 'WebSite', url: '/' }, /WebSite lacks name\./],
    [
      { '@type': 'WebPage', author: { '@type': 'Person', name: 'Ada' } },
      /The home page does not say who is behind it:/,
    ],
    [{ '@type': 'WebPage', publisher: { '@id': '#elsewhere' } }, /The home page does not say who is behind it:/],
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
    { errorType: 'ENTITY_INCOMPLETE', detail: /block 1: Organization lacks one of logo/ },
    'it must be complete, too',
  );
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
    [{ '@type': 'Product', name: 'Bread' }, 'Home page, block 2: Product lacks one of offers/review/aggregateRating.'],
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
      detail: /Questions without an answer, in a FAQPage: home page, block 2\./,
    });
  t.notMatch(await judge(cSd03, ORGANIZATION, faq({ name: 'a', acceptedAnswer: answer })), { detail: /Questions/ });
  const home = pageOf([ORGANIZATION], { body: `<a href="/bread">Bread</a>${PROSE}` });
  t.match(
    await judgeSite(cSd03, home, { '/bread': pageOf([{ '@type': 'Product', name: 'Bread' }]) }),
    { errorType: 'ENTITY_INCOMPLETE', detail: 'Page 2 (link 1 of the home page), block 1: Product lacks' },
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

t.test('C-SD-03 charges nothing that may stand in a block that could not be read', async (t) => {
  const website = { '@type': 'WebSite', url: '/' };
  const product = { '@type': 'Product', '@id': '#p', name: 'Bread' };
  t.match(await judge(cSd03, website, '{broken'), { result: 'NOT_APPLICABLE' });
  t.match(await judge(cSd03, website, '['.repeat(300)), { result: 'UNDETERMINED' });
  t.match(await judge(cSd03, ORGANIZATION, product, '{broken'), { result: 'PASS' });
  t.match(await judge(cSd03, ORGANIZATION, product), { errorType: 'ENTITY_INCOMPLETE' });
  t.match(await judge(cSd03, ORGANIZATION, { ...product, '@id': null }, '{broken'), { errorType: 'ENTITY_INCOMPLETE' });
});
