import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { type Expected, expectFindings, json, type Routes, url } from '../../scanner/checks/expect-findings.js';

const MIB = 1_048_576;
const PROSE = '<p>The bakery at the old market sells sourdough bread, butter cakes and coffee every day. '.repeat(5);
const LD = '<script type="application/ld+json">';
const ORGANIZATION = { '@type': 'Organization', name: 'Crumb', url: '/', logo: '/logo.png' };
const ARTICLE = { '@type': 'Article', headline: 'Seven winters among quiet lighthouse keepers' };
const BREAD = { '@id': '#it', '@type': 'Product', name: 'Bread' };

const block = (value: object): string =>
  `${LD}${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`;
const article = block(ARTICLE);
const organization = block(ORGANIZATION);
const page = (...parts: readonly string[]): Routes => ({ '/': `<!doctype html>${PROSE}${parts.join('')}` });
const series = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');
const keys = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
const MANY_KEYS = keys(Array.from({ length: 5_000 }, (_, index) => `x:k${index}`));
const UNKNOWN_NAMES = keys('one two six ten abc bcd cde def efg fgh urll'.split(' '));
const THINGS = Array.from({ length: 2_000 }, () => ({ '@type': 'Thing' }));

/** More than is read of a page. */
const PAST_PAGE = `<!--${'a'.repeat(2 * MIB)}-->`;
const PAST_TAGS = '<i></i>'.repeat(250_001);
const ICONS = '<link rel=icon href=/icon.png>'.repeat(1_000);
const OPENAPI = { '/openapi.json': json({ openapi: '3.1.0', info: { title: 'Shop' }, paths: { '/orders': {} } }) };
const API_LINK = '<a href="/openapi.json">API</a>';
const CANONICAL = '<link rel=canonical href=https://shop.example/>';
const LONG_BASE = `<base href="/${'b'.repeat(4_000)}/">`;
const LONG_PATH = `/${'a'.repeat(1_000)}`;
const MARKDOWN_LINK = '<link rel=alternate type=text/markdown href=/a.md>';
const SIGNAL = 'Content-Signal: ';
const LONG_COMMENT = `#${'a'.repeat(MIB)}\n`;
const SITEMAP_LINE = `Sitemap: ${url('/sitemap.xml')}\n`;

const urlset = (inside: string): Routes => ({
  '/sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`,
});
/** A sitemap with a page of another site, which has this robots.txt. */
const foreign = (body: string): Routes => ({
  ...urlset('<url><loc>https://other.example.net/a</loc></url>'),
  'https://other.example.net/robots.txt': { type: 'text/plain', body },
  'https://other.example.net/a': 'x',
});
const robots = (text: string): Routes => ({ '/robots.txt': `User-agent: *\n${text}` });
const signal = (text: string): Routes => robots(`${SIGNAL}${text}search=yes\nAllow: /\n`);
const manifest = (path: string): Routes => ({ [path]: json({ more: Array.from({ length: 20_001 }, () => ({})) }) });
const catalog = (hrefs: readonly string[]): Routes => {
  const entry = { anchor: '/', 'service-desc': [{ href: '/' }], about: hrefs.map((href) => ({ href })) };
  return { '/.well-known/api-catalog': json({ linkset: [entry] }) };
};

/** What is past a limit of ours, by the check that would fail without it. */
const CASES: Readonly<Record<string, Expected>> = {
  'C-SD-01': {
    UNDETERMINED: {
      'JSON-LD past 2 MiB': page(PAST_PAGE, organization),
      'a 1,001st block': page(`${LD}{}</script>`.repeat(1_000), organization),
      '5,001 keys of one object': page(block({ ...ORGANIZATION, ...MANY_KEYS })),
      '10,001 nodes': page(`${LD}[${'{},'.repeat(10_000)}{}]</script>`),
      '50,001 values': page(`${LD}[${'1,'.repeat(50_000)}{}]</script>`),
      'JSON-LD past 250,000 tags': page(PAST_TAGS, organization),
      '100 levels': page(`${LD}${'['.repeat(101)}${']'.repeat(101)}</script>`),
      '1 MiB of blocks': page(block({ ...ORGANIZATION, description: 'a'.repeat(MIB) })),
    },
  },
  'C-SD-03': {
    UNDETERMINED: {
      'an identity node past 2 MiB': page(block({ '@type': 'Thing', name: 'A' }), PAST_PAGE, organization),
      'what the identity node lacks in a block that is too large': page(
        block({ '@id': '#us', '@type': 'Organization' }),
        block({ '@id': '#us', ...ORGANIZATION, ...MANY_KEYS }),
      ),
      'the 2,001st node': page(block({ '@graph': [...THINGS, ORGANIZATION] })),
    },
    PASS: {
      'what a product lacks past 2 MiB': page(
        ...[organization, block({ ...BREAD, name: undefined }), PAST_PAGE],
        block({ ...BREAD, offers: { '@type': 'Offer', price: 1 } }),
      ),
      'the 11th unknown name, which may be a misspelt one': page(
        block({ '@type': 'Organization', name: 'Crumb', logo: '/l.png', ...UNKNOWN_NAMES }),
      ),
      'ids of a page whose address has 1,000 characters': {
        '/': { status: 302, headers: { location: LONG_PATH } },
        [LONG_PATH]: `<p>x${organization}${block(BREAD)}${block({ '@id': `${url(LONG_PATH)}#it`, offers: 1 })}`,
      },
    },
  },
  'C-SD-02': {
    PASS: {
      'a headline past 2 MiB': page(article, PAST_PAGE, `<h1>${ARTICLE.headline}</h1>`),
      'a headline past 500,000 characters': page(article, 'bread '.repeat(90_000)),
      'a headline past 50,000 words': page(article, ...Array.from({ length: 50_001 }, (_, index) => `w${index} `)),
      'a headline in a title of 10,000 characters': page(
        article,
        `<title>${'a b '.repeat(5_000)}${ARTICLE.headline}</title>`,
      ),
      'a headline of 1,000 characters': page(
        block({ ...ARTICLE, headline: `${'wolves '.repeat(142)}the bakery at the old market sells bread` }),
      ),
      'the canonical link among 1,001': page(
        block({ '@type': 'WebSite', url: 'https://shop.example/' }),
        ICONS + CANONICAL,
      ),
    },
  },
  'C-MD-01': {
    UNDETERMINED: {
      'a Markdown version past 2 MiB': page(PAST_PAGE, MARKDOWN_LINK),
      'a Markdown version among 1,001 links': page(ICONS, MARKDOWN_LINK),
      'a Markdown version past 2 MiB of addresses': page(LONG_BASE, ICONS.slice(0, 18_000), MARKDOWN_LINK),
    },
    PASS: {
      'the text of a page with scripts past 250,000 tags': {
        '/': ({ headers: { accept } }) =>
          accept?.includes('text/markdown')
            ? { type: 'text/markdown', body: `# Bread\n\n${'We bake bread. '.repeat(7)}` }
            : `<!doctype html><script>1</script>${PAST_TAGS}${PROSE}`,
      },
    },
  },
  'C-WK-03': {
    NOT_APPLICABLE: {
      'an API that the 5,001st link names': { ...page('<a href=/b>'.repeat(5_000), API_LINK), ...OPENAPI },
      'an API that is named past 2 MiB': { ...page(PAST_PAGE, API_LINK), ...OPENAPI },
      'an API that llms.txt names past 1 MiB': {
        ...OPENAPI,
        '/llms.txt': `# A\n\n${'bread '.repeat(MIB / 6)}\n- [API](/openapi.json)`,
      },
    },
    PASS: {
      'an API that the 5,001st link of a catalog names': {
        ...OPENAPI,
        ...catalog([...Array.from({ length: 5_000 }, (_, index) => `/${index}`), '/openapi.json']),
      },
    },
    UNDETERMINED: { 'a catalog of 20,001 nodes': manifest('/.well-known/api-catalog') },
  },
  'C-WK-01': { UNDETERMINED: { 'a card of 20,001 nodes': manifest('/.well-known/mcp.json') } },
  'C-WK-02': { UNDETERMINED: { 'a card of 20,001 nodes': manifest('/.well-known/agent-card.json') } },
  'C-BOT-01': {
    UNDETERMINED: {
      'the rule that opens the site, past 250,000 characters of wildcards': robots(
        `Disallow: /\n${series(9_000, (index) => `Allow: /*${index}-nowhere-on-this-site\n`)}Allow: /*$\n`,
      ),
    },
  },
  'C-BOT-02': { PASS: { 'a signal at 4,096 characters': signal(`${'a'.repeat(4_086)}, `) } },
  'C-FWD-01': {
    UNDETERMINED: {
      'a signal past 4,096 characters': signal(`${'a'.repeat(4_096)}, `),
      'the 201st signal': signal('a, '.repeat(200)),
      'the 1,001st preference': robots(`${`${SIGNAL}a\n`.repeat(1_000)}${SIGNAL}search=yes\n`),
      'a preference past 1 MiB': robots(`${LONG_COMMENT}${SIGNAL}search=yes\n`),
    },
  },
  'C-SITE-01': {
    UNDETERMINED: {
      'a sitemap that robots.txt names past 1 MiB': robots(`${LONG_COMMENT}Sitemap: ${url('/map.xml')}\n`),
      'a link past 250,000 tags': page(PAST_TAGS, '<a href=/b>b</a>'),
      'a sitemap of 65 levels': urlset('<a>'.repeat(65) + '</a>'.repeat(65)),
    },
  },
  'C-SITE-02': {
    PASS: {
      'a permission past 1 MiB': foreign(`${LONG_COMMENT}${SITEMAP_LINE}`),
      'a permission past 2 MiB of addresses': foreign(
        `${series(75_000, (index) => `Sitemap: ${index}\n`)}${SITEMAP_LINE}`,
      ),
    },
  },
  'C-BOT-03': {
    UNDETERMINED: {
      'words past 2 MiB that one agent is served': {
        '/': ({ headers }) =>
          headers['user-agent']?.includes('Claude-User') ? `<p>${'<i></i>'.repeat(MIB / 3)}${PROSE}` : PROSE.repeat(20),
      },
    },
  },
};

t.test('a site is never charged for content beyond our own limits', async (t) => {
  for (const [checkId, expected] of Object.entries(CASES)) {
    const check = CHECKS.find(({ id }) => id === checkId);
    if (!check) throw new Error(`no such check: ${checkId}`);
    // A site with a link is expected to have a sitemap.
    const base = checkId.startsWith('C-SITE') ? page('<a href=/b>b</a>') : page();
    await expectFindings(t, check, base, expected);
  }
});
