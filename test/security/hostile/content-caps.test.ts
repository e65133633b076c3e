import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

type Routes = Readonly<Record<string, FixtureRoute>>;

const MIB = 1_048_576;
const PROSE = '<p>The bakery at the old market sells sourdough bread, butter cakes and coffee every day. '.repeat(5);
const LD = '<script type="application/ld+json">';
const ORGANIZATION = { '@type': 'Organization', name: 'Crumb', url: '/', logo: '/logo.png' };
const ARTICLE = { '@type': 'Article', headline: 'Seven winters among quiet lighthouse keepers' };

const block = (value: object): string =>
  `${LD}${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`;
const page = (...parts: readonly string[]): Routes => ({ '/': `<!doctype html>${PROSE}${parts.join('')}` });
const json = (value: unknown): FixtureRoute => ({ type: 'application/json', body: JSON.stringify(value) });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x:k${index}`, 1]));
const series = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');

/** More than is read of a page; of robots.txt, llms.txt and manifests it is half. */
const PAST_PAGE = `<!--${'a'.repeat(2 * MIB)}-->`;
const PAST_TAGS = '<i></i>'.repeat(250_001);
const LINK = '<link rel=icon href=/icon.png>';
const OPENAPI = { '/openapi.json': json({ openapi: '3.1.0', info: { title: 'Shop' }, paths: { '/orders': {} } }) };
const API_LINK = '<a href="/openapi.json">API</a>';
const MARKDOWN_LINK = '<link rel=alternate type=text/markdown href=/a.md>';
const MANY_NODES = Array.from({ length: 20_001 }, () => ({}));
const SIGNAL = 'Content-Signal: ';
const LONG_COMMENT = `#${'a'.repeat(MIB)}\n`;

const urlset = (inside: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`;
const FOREIGN_MAP = urlset('<url><loc>https://other.example.net/a</loc></url>');
const foreign = (robots: string): Routes => ({
  ...page('<a href=/b>b</a>'),
  '/sitemap.xml': FOREIGN_MAP,
  'https://other.example.net/robots.txt': { type: 'text/plain', body: robots },
  'https://other.example.net/a': 'x',
});
const robots = (text: string): Routes => ({ ...page(), '/robots.txt': `User-agent: *\n${text}` });
const manifest = (path: string, value: object): Routes => ({ ...page(), [path]: json({ ...value, more: MANY_NODES }) });

/** What a site holds past a limit of ours. */
type Case = readonly [cap: string, routes: Routes, result?: 'PASS' | 'NOT_APPLICABLE'];

/** By the check that would charge the absence of what was cut off, or what the cut left of it. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'C-SD-01': [
    ['JSON-LD past 2 MiB', page(PAST_PAGE, block(ORGANIZATION))],
    ['a 1,001st block', page(`${LD}{}</script>`.repeat(1_000), block(ORGANIZATION))],
    ['5,001 keys of one object', page(block({ ...ORGANIZATION, ...keys(5_000) }))],
    ['10,001 nodes', page(`${LD}[${'{},'.repeat(10_000)}{}]</script>`)],
    ['50,001 values', page(`${LD}[${'1,'.repeat(50_000)}{}]</script>`)],
    ['JSON-LD past 250,000 tags', page(PAST_TAGS, block(ORGANIZATION))],
    ['100 levels', page(`${LD}${'['.repeat(101)}${']'.repeat(101)}</script>`)],
    ['1 MiB of blocks', page(block({ ...ORGANIZATION, description: 'a'.repeat(MIB) }))],
  ],
  'C-SD-03': [
    ['an identity node past 2 MiB', page(block({ '@type': 'Thing', name: 'A' }), PAST_PAGE, block(ORGANIZATION))],
    [
      'what the identity node lacks in a block that is too large',
      page(block({ '@id': '#us', '@type': 'Organization' }), block({ '@id': '#us', ...ORGANIZATION, ...keys(5_000) })),
    ],
    [
      'what a product lacks past 2 MiB',
      page(
        block(ORGANIZATION),
        block({ '@id': '#it', '@type': 'Product' }),
        PAST_PAGE,
        block({ '@id': '#it', '@type': 'Product', name: 'Bread', offers: { '@type': 'Offer', price: 1 } }),
      ),
      'PASS',
    ],
    [
      'the 2,001st node',
      page(block({ '@graph': [...Array.from({ length: 2_000 }, () => ({ '@type': 'Thing' })), ORGANIZATION] })),
    ],
    [
      'the 11th unknown name, which may be a misspelt one',
      page(
        block({
          '@type': 'Organization',
          name: 'Crumb',
          logo: '/l.png',
          ...Object.fromEntries(
            ['one', 'two', 'six', 'ten', 'abc', 'bcd', 'cde', 'def', 'efg', 'fgh', 'urll'].map((k) => [k, 1]),
          ),
        }),
      ),
      'PASS',
    ],
    [
      'ids of a page whose address has 1,000 characters',
      {
        '/': { status: 302, headers: { location: `/${'a'.repeat(1_000)}` } },
        [`/${'a'.repeat(1_000)}`]: `<p>x${block(ORGANIZATION)}${block({ '@id': '#it', '@type': 'Product', name: 'Bread' })}${block({ '@id': `${FIXTURE_ORIGIN}/${'a'.repeat(1_000)}#it`, offers: 1 })}`,
      },
      'PASS',
    ],
  ],
  'C-SD-02': [
    ['a headline past 2 MiB', page(block(ARTICLE), PAST_PAGE, `<h1>${ARTICLE.headline}</h1>`), 'PASS'],
    ['a headline past 500,000 characters', page(block(ARTICLE), 'bread '.repeat(90_000)), 'PASS'],
    [
      'a headline past 50,000 words',
      page(
        block(ARTICLE),
        series(50_001, (index) => `w${index} `),
      ),
      'PASS',
    ],
    [
      'a headline in a title of 10,000 characters',
      page(block(ARTICLE), `<title>${'a b '.repeat(5_000)}${ARTICLE.headline}</title>`),
      'PASS',
    ],
    [
      'a headline of 1,000 characters',
      page(block({ ...ARTICLE, headline: 'wolves '.repeat(142) + 'the bakery at the old market sells bread' })),
      'PASS',
    ],
    [
      'the canonical link among 1,001',
      page(
        block({ '@type': 'WebSite', url: 'https://shop.example/' }),
        LINK.repeat(1_000),
        '<link rel=canonical href=https://shop.example/>',
      ),
      'PASS',
    ],
  ],
  'C-MD-01': [
    ['a Markdown version past 2 MiB', page(PAST_PAGE, MARKDOWN_LINK)],
    [
      'the text of a page with scripts past 250,000 tags',
      {
        '/': ({ headers }) =>
          headers.accept?.includes('text/markdown')
            ? { type: 'text/markdown', body: `# Bread\n\n${'We bake bread. '.repeat(7)}` }
            : `<!doctype html><script>1</script>${PAST_TAGS}${PROSE}`,
      },
      'PASS',
    ],
    ['a Markdown version among 1,001 links', page(LINK.repeat(1_000), MARKDOWN_LINK)],
    [
      'a Markdown version past 2 MiB of addresses',
      page(`<base href="/${'b'.repeat(4_000)}/">`, LINK.repeat(600), MARKDOWN_LINK),
    ],
  ],
  'C-WK-03': [
    [
      'an API that the 5,001st link names',
      { ...page('<a href=/b>'.repeat(5_000), API_LINK), ...OPENAPI },
      'NOT_APPLICABLE',
    ],
    ['an API that is named past 2 MiB', { ...page(PAST_PAGE, API_LINK), ...OPENAPI }, 'NOT_APPLICABLE'],
    [
      'an API that llms.txt names past 1 MiB',
      { ...page(), ...OPENAPI, '/llms.txt': `# A\n\n${'bread '.repeat(MIB / 6)}\n- [API](/openapi.json)` },
      'NOT_APPLICABLE',
    ],
    [
      'an API that the 5,001st link of a catalog names',
      {
        ...page(),
        ...OPENAPI,
        '/.well-known/api-catalog': json({
          linkset: [
            {
              anchor: '/',
              'service-desc': [{ href: '/' }],
              about: [
                ...Array.from({ length: 5_000 }, (_, index) => ({ href: `/${index}` })),
                { href: '/openapi.json' },
              ],
            },
          ],
        }),
      },
      'PASS',
    ],
    ['a catalog of 20,001 nodes', manifest('/.well-known/api-catalog', {})],
  ],
  'C-WK-01': [['a card of 20,001 nodes', manifest('/.well-known/mcp.json', {})]],
  'C-WK-02': [['a card of 20,001 nodes', manifest('/.well-known/agent-card.json', {})]],
  'C-BOT-01': [
    [
      'the rule that opens the site, past 5,000 rules with wildcards',
      robots(`Disallow: /\n${series(5_000, (index) => `Allow: /*${index}-nowhere-on-this-site\n`)}Allow: /*$\n`),
    ],
  ],
  'C-BOT-02': [
    ['a signal at 4,096 characters', robots(`${SIGNAL}${'a'.repeat(4_086)}, search=yes\nAllow: /\n`), 'PASS'],
  ],
  'C-FWD-01': [
    ['a signal past 4,096 characters', robots(`${SIGNAL}${'a'.repeat(4_096)}, search=yes\n`), 'PASS'],
    ['the 201st signal', robots(`${SIGNAL}${'a, '.repeat(200)}search=yes\n`), 'PASS'],
    ['the 1,001st preference', robots(`${`${SIGNAL}a\n`.repeat(1_000)}${SIGNAL}search=yes\n`)],
    ['a preference past 1 MiB', robots(`${LONG_COMMENT}${SIGNAL}search=yes\n`)],
  ],
  'C-SITE-01': [
    [
      'a sitemap that robots.txt names past 1 MiB',
      {
        ...page('<a href=/b>b</a>'),
        '/robots.txt': `User-agent: *\n${LONG_COMMENT}Sitemap: ${FIXTURE_ORIGIN}/map.xml\n`,
      },
    ],
    ['a link past 250,000 tags', page(PAST_TAGS, '<a href=/b>b</a>')],
    [
      'a sitemap of 65 levels',
      { ...page('<a href=/b>b</a>'), '/sitemap.xml': urlset('<a>'.repeat(65) + '</a>'.repeat(65)) },
    ],
  ],
  'C-SITE-02': [
    ['a permission past 1 MiB', foreign(`${LONG_COMMENT}Sitemap: ${FIXTURE_ORIGIN}/sitemap.xml\n`), 'PASS'],
    [
      'a permission past 2 MiB of addresses',
      foreign(`${series(75_000, (index) => `Sitemap: ${index}\n`)}Sitemap: ${FIXTURE_ORIGIN}/sitemap.xml\n`),
      'PASS',
    ],
  ],
  'C-BOT-03': [
    [
      'words past 2 MiB that one agent is served',
      {
        '/': ({ headers }) =>
          headers['user-agent']?.includes('Claude-User') ? `<p>${'<i></i>'.repeat(MIB / 3)}${PROSE}` : PROSE.repeat(20),
      },
    ],
  ],
};

t.test('what a limit of ours cut off is never charged', async (t) => {
  for (const [checkId, cases] of Object.entries(CASES)) {
    const check = CHECKS.find(({ id }) => id === checkId);
    if (!check) throw new Error(`no such check: ${checkId}`);
    for (const [cap, routes, result = 'UNDETERMINED'] of cases) {
      const finding = await findingOf(check, { routes });
      t.equal(finding.result, result, `${checkId}: ${cap}: ${finding.detail ?? ''}`);
    }
  }
});
