import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

const { host } = new URL(FIXTURE_ORIGIN);
const NOW = new Date('2026-06-01T00:00:00Z');

/** The paragraphs of a check's fix, with the site's own host in place of the example's. */
function paragraphsOf(checkId: string): readonly string[] {
  const fix = CHECKS.find(({ id }) => id === checkId)?.fix ?? '';
  return fix.replaceAll('www.example.com', host).split('\n\n');
}

/** The snippet of a fix: `count` paragraphs, from the one that begins like this. */
function snippetOf(checkId: string, start: string, count = 1): string {
  const paragraphs = paragraphsOf(checkId);
  const first = paragraphs.findIndex((paragraph) => paragraph.startsWith(start));
  if (first < 0) throw new Error(`no paragraph of the fix of ${checkId} begins with ${start}`);
  return paragraphs.slice(first, first + count).join('\n\n');
}

const PAGE: FixtureAnswer = { type: 'text/html', body: '<!doctype html><title>Page</title><p>A page' };
const ALIVE: FixtureAnswer = { status: 405, type: null };
const json = (body: string, type = 'application/json'): FixtureAnswer => ({ type, body });
const home = (markup: string): FixtureAnswer => ({
  type: 'text/html',
  body: `<!doctype html><title>Shop</title>${markup}<body><a href="/start">Start</a>`,
});
const llms = (checkId: string): FixtureSite['routes'] => ({
  '/llms.txt': { type: 'text/plain', body: snippetOf(checkId, '# ', 4) },
  '/delivery': PAGE,
  '/returns': PAGE,
});
const inScript = (members: string): string =>
  `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Lamp", ${members}}</script>`;

/** A site that did what the fix of a check says, by pasting its snippet. */
const MENDED: Readonly<Record<string, () => FixtureSite['routes']>> = {
  'C-LLMS-01': () => llms('C-LLMS-01'),
  'C-LLMS-02': () => llms('C-LLMS-02'),
  'C-LLMS-03': () => llms('C-LLMS-02'),
  'C-LLMS-04': () => ({ '/llms.txt': { type: 'text/plain', body: snippetOf('C-LLMS-04', '# ', 3) } }),
  'C-SITE-01': () => ({
    '/robots.txt': { type: 'text/plain', body: snippetOf('C-SITE-01', 'Sitemap:') },
    '/sitemap.xml': { type: 'application/xml', body: snippetOf('C-SITE-01', '<?xml') },
  }),
  'C-SITE-02': () => ({
    '/sitemap.xml': {
      type: 'application/xml',
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${snippetOf('C-SITE-02', '<url>')}</urlset>`,
    },
    '/pricing': PAGE,
  }),
  'C-BOT-01': () => ({
    '/robots.txt': {
      type: 'text/plain',
      body: [
        snippetOf('C-BOT-01', 'User-agent: OAI-SearchBot'),
        snippetOf('C-BOT-01', 'User-agent: GPTBot'),
        'User-agent: *\nDisallow: /',
      ].join('\n\n'),
    },
  }),
  'C-BOT-02': () => ({ '/robots.txt': { type: 'text/plain', body: snippetOf('C-BOT-02', 'User-agent: *') } }),
  'C-SD-01': () => ({ '/': home(snippetOf('C-SD-01', '<script')) }),
  'C-SD-02': () => ({
    '/': home(inScript(snippetOf('C-SD-02', '"datePublished"').replace('datePublished', 'releaseDate'))),
  }),
  'C-SD-03': () => ({ '/': home(snippetOf('C-SD-03', '<script')) }),
  'C-SD-04': () => ({
    '/': home(inScript(snippetOf('C-SD-04', '"sameAs"')).replace('Product', 'Organization')),
    'https://en.wikipedia.org/wiki/Example': PAGE,
    'https://github.com/example': PAGE,
  }),
  'C-WK-01': () => ({
    '/.well-known/ard.json': json(snippetOf('C-WK-01', '{"entries"')),
    '/.well-known/mcp/server-card.json': json(snippetOf('C-WK-01', '{"$schema"')),
    '/mcp': ALIVE,
  }),
  'C-WK-02': () => ({ '/.well-known/agent-card.json': json(snippetOf('C-WK-02', '{"name"')), '/a2a': ALIVE }),
  'C-WK-03': () => ({
    '/.well-known/api-catalog': json(snippetOf('C-WK-03', '{"linkset"'), 'application/linkset+json'),
    '/.well-known/oauth-protected-resource': json(snippetOf('C-WK-03', '{"resource"')),
    '/openapi.json': json('{}'),
    '/docs/api': PAGE,
  }),
  'C-MD-01': () => ({
    '/': home(snippetOf('C-MD-01', '<link')),
    '/about.md': { type: 'text/markdown', body: `# About\n\n${'Words about the shop. '.repeat(5)}` },
  }),
  'C-FWD-01': () => ({ '/robots.txt': { type: 'text/plain', body: snippetOf('C-FWD-01', 'User-agent: *') } }),
};

t.test('a site that pastes the snippet of a fix passes the check', async (t) => {
  for (const check of CHECKS) {
    const mend = MENDED[check.id];
    if (!mend) {
      t.equal(check.id, 'C-BOT-03', 'only a fix for a firewall has no snippet that a site could serve');
      continue;
    }
    const finding = await findingOf(check, { routes: { '/': home(''), '/start': PAGE, ...mend() } }, { now: NOW });
    t.match(finding, { result: 'PASS' }, `${check.id}: ${finding.detail ?? ''}`);
  }
});

t.test('the fix of C-FWD-01 shows a second form, which passes as well', async (t) => {
  const body = snippetOf('C-FWD-01', 'User-agent: *\nContent-Usage');
  const fwd = CHECKS.find(({ id }) => id === 'C-FWD-01');
  if (fwd)
    t.match(await findingOf(fwd, { routes: { '/': home(''), '/robots.txt': { type: 'text/plain', body } } }), {
      result: 'PASS',
    });
});
