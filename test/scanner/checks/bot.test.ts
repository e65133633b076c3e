import type { Test } from 'tap';
import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01/check.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02/check.js';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01/check.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';

const HOME = '<!doctype html><title>Home</title><a href="/docs/a">Docs</a><a href="/blog">Blog</a>';
const PAGE = '<!doctype html><title>Page</title><p>Text</p>';
const SITE = { '/': HOME, '/docs/a': PAGE, '/blog': PAGE } as const;
const CORE = 'OAI-SearchBot Claude-SearchBot PerplexityBot Googlebot Bingbot Claude-User'.split(' ');

type Routes = FixtureSite['routes'];
/** A site, its result (with the error type of a FAIL), and what the detail says. */
type Case = [what: string, routes: Routes, result: string, detail?: RegExp];

async function runCases(t: Test, check: Check, cases: readonly Case[]): Promise<void> {
  for (const [what, routes, expected, detail] of cases) {
    const { result, errorType, detail: given } = await findingOf(check, { routes: { ...SITE, ...routes } });
    t.equal(errorType === null ? result : `${result} ${errorType}`, expected, what);
    if (detail) t.match(given ?? '', detail, what);
  }
}

const robots = (...lines: string[]): Routes => ({ '/robots.txt': lines.join('\n') });
const llms = (...paths: string[]) => ({
  '/llms.txt': `# Site\n\n${paths.map((path) => `- [x](${path})`).join('\n')}\n`,
});
const sitemap = (...paths: string[]) => ({
  '/sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>https://www.fixture-site.com${path}</loc></url>`)
    .join('')}</urlset>`,
});
const withHeaders = (headers: FixtureAnswer['headers'] & object): Routes => ({ '/': { body: HOME, headers } });
/** The home page redirects to another domain, which sends these headers. */
const elsewhere = (headers: FixtureAnswer['headers'] & object): Routes => ({
  '/': { status: 302, headers: { location: 'https://other.com/' } },
  'https://other.com/': { body: HOME, headers },
});

t.test('C-BOT-01: robots.txt lets AI search and user agents in', async (t) => {
  await runCases(t, cBot01, [
    ['no robots.txt', {}, 'PASS', /status 404/],
    ['a refused robots.txt allows all', { '/robots.txt': { status: 403 } }, 'PASS', /status 403/],
    ['an empty file', robots(''), 'PASS'],
    ['everything is open', robots('User-agent: *', 'Allow: /'), 'PASS'],
    ['a part is closed', robots('User-agent: *', 'Disallow: /blog'), 'PASS'],
    ['one of the sampled pages is closed to one', robots('User-agent: Bingbot', 'Disallow: /docs'), 'PASS'],
    [
      'training crawlers are the right of the owner',
      robots(
        'User-agent: GPTBot',
        'User-agent: ClaudeBot',
        'User-agent: CCBot',
        'User-agent: Google-Extended',
        'Disallow: /',
      ),
      'PASS',
    ],
    [
      'a key that only Google knows',
      robots('User-agent: *', 'Disallow all: /'),
      'FAIL BLOCKED',
      /^robots\.txt bars these agents from the home page: Googlebot \(by line 2\)\.$/,
    ],
    [
      'an index page that not every reader takes for the home page',
      robots('User-agent: *', 'Disallow: /', 'Allow: /docs', 'Allow: /index.html'),
      'PASS',
      /No AI search or user agent is surely barred.*disagree on OAI-SearchBot.*Bingbot and Claude-User\./,
    ],
    [
      'a name that Google shares no groups with',
      robots('User-agent: *', 'Disallow: /', 'Disallow: /a b'),
      'FAIL BLOCKED',
      /OAI-SearchBot \(by line 2\), Claude-SearchBot .*Googlebot .*Bingbot .*and Claude-User/,
    ],
    [
      'agents that are only noted',
      robots('User-agent: Applebot', 'User-agent: ChatGPT-User', 'Disallow: /'),
      'PASS',
      /ChatGPT-User and Applebot/,
    ],
    [
      "agents with a fallback follow Googlebot's group where they have none",
      robots('User-agent: *', 'Disallow: /', ...CORE.map((token) => `User-agent: ${token}`), 'Allow: /'),
      'PASS',
      /does not count here: ChatGPT-User, Perplexity-User, DuckAssistBot, Amzn-User, meta-webindexer, meta-externalfetcher, MistralAI-User and MistralAI-Index\.$/,
    ],
    [
      'and their own where they have one',
      robots('User-agent: Amzn-SearchBot', 'Disallow: /', 'User-agent: Googlebot', 'Allow: /'),
      'PASS',
      /does not count here: Amzn-SearchBot\.$/,
    ],
    [
      "names that other records divide, for Google's reader and for those that nobody knows",
      robots('User-agent: Bingbot', 'User-agent: Googlebot', 'Crawl-delay: 2', 'User-agent: other', 'Disallow: /'),
      'FAIL BLOCKED',
      /home page: Googlebot \(by line 5\)\.$/,
    ],
    [
      'a name for which nobody knows where its group ends',
      robots('User-agent: Bingbot', 'Crawl-delay: 2', 'User-agent: other', 'Disallow: /'),
      'PASS',
      /^No AI search or user agent is surely barred from the home page; readers of robots\.txt disagree on Bingbot\.$/,
    ],
    [
      'all is closed',
      robots('User-agent: *', 'Disallow: /'),
      'FAIL BLOCKED',
      /home page: OAI-SearchBot \(by line 2\).*Claude-User \(by line 2\)/,
    ],
    [
      'one token is closed',
      robots('User-agent: *', 'Allow: /', '', 'User-agent: claude-user', 'Disallow: /'),
      'FAIL BLOCKED',
      /home page: Claude-User \(by line 5\)\.$/,
    ],
    [
      'closed for all but a named one',
      robots('User-agent: *', 'Disallow: /', ...CORE.slice(1).map((token) => `User-agent: ${token}`), 'Allow: /'),
      'FAIL BLOCKED',
      /: OAI-SearchBot \(by line 2\)\.$/,
    ],
    [
      'only the home page is open',
      robots('User-agent: Bingbot', 'Allow: /$', 'Disallow: /'),
      'FAIL BLOCKED',
      /every other page that was looked at: Bingbot \(by line 3\)/,
    ],
    [
      'only the home page is open, to us as well',
      robots('User-agent: *', 'Allow: /$', 'Disallow: /'),
      'FAIL BLOCKED',
      /every other page that was looked at/,
    ],
    [
      'a one-page site that keeps the part behind its login closed',
      { '/': '<!doctype html><a href="/docs/a">Open the app</a>', ...robots('User-agent: *', 'Disallow: /docs/') },
      'PASS',
    ],
    [
      'pages that moved to a host with a robots.txt of its own',
      {
        '/docs/a': { status: 301, headers: { location: 'https://docs.fixture-site.com/x' } },
        '/blog': { status: 301, headers: { location: 'https://docs.fixture-site.com/y' } },
        'https://docs.fixture-site.com/*': PAGE,
        ...robots('User-agent: Bingbot', 'Disallow: /x', 'Disallow: /y'),
      },
      'PASS',
    ],
    [
      'paths in UTF-8, whatever charset the server names',
      {
        '/': { status: 302, headers: { location: '/日本/' } },
        '/%E6%97%A5%E6%9C%AC/': HOME,
        '/robots.txt': {
          body: 'User-agent: *\nAllow: /日本/\nAllow: /docs\nDisallow: /',
          type: 'text/plain; charset=iso-8859-1',
        },
      },
      'PASS',
    ],
    ['a server error', { '/robots.txt': { status: 500 } }, 'FAIL UNREACHABLE', /status 500/],
    ['a broken connection', { '/robots.txt': { failure: 'reset' } }, 'FAIL UNREACHABLE'],
    ['a stall', { '/robots.txt': { failure: 'stalled' } }, 'FAIL TIMEOUT'],
    ['a HTML page', { '/robots.txt': { body: PAGE, type: 'text/plain' } }, 'FAIL WRONG_MIME'],
    ['the HTML page for everything', { '*': PAGE }, 'PASS', /like one that does not exist/],
    [
      'a site without https',
      { '/': { failure: 'connect_failed' }, 'http://www.fixture-site.com/': PAGE },
      'PASS',
      /read over http\./,
    ],
    [
      'rules past the limit',
      robots('User-agent: *', `# ${'x'.repeat(512_000)}`, 'Disallow: /'),
      'FAIL OVERSIZE',
      /512,000 bytes.*OAI-SearchBot/,
    ],
    ['429', { '/robots.txt': { status: 429 } }, 'UNDETERMINED'],
    ['a challenge', { '/robots.txt': { status: 403, headers: { 'cf-mitigated': 'challenge' } } }, 'UNDETERMINED'],
    ['everything unknown fails', { '*': { status: 500 } }, 'UNDETERMINED'],
    [
      'a home page of another domain',
      {
        '/': { status: 301, headers: { location: 'https://other.com/x' } },
        'https://other.com/x': PAGE,
        ...robots('User-agent: *', 'Disallow: /x'),
      },
      'PASS',
    ],
    [
      'the final path of the home page decides',
      {
        '/': { status: 301, headers: { location: '/en/' } },
        '/en/': HOME,
        ...robots('User-agent: *', 'Disallow: /en/'),
      },
      'FAIL BLOCKED',
    ],
    ['a home page that refuses us', { '/': { status: 403 } }, 'UNDETERMINED', /403/],
  ]);
});

t.test('C-BOT-02: (a) the same path is allowed and disallowed', async (t) => {
  await runCases(t, cBot02, [
    [
      'for all',
      robots('User-agent: *', 'Disallow: /', 'Allow: /'),
      'FAIL POLICY_INCONSISTENT',
      /"Disallow: \/" \(line 2\) and "Allow: \/" \(line 3\) for all other agents/,
    ],
    [
      'in merged groups',
      robots('User-agent: Bingbot', 'Disallow: /', 'User-agent: *', 'Disallow:', 'User-agent: bingbot', 'Allow: /'),
      'FAIL POLICY_INCONSISTENT',
      /line 2.*line 6.*for Bingbot\.$/,
    ],
    ['for an agent that is not core', robots('User-agent: Other', 'Disallow: /', 'Allow: /'), 'PASS'],
    ['in different groups', robots('User-agent: Bingbot', 'Disallow: /', 'User-agent: *', 'Allow: /'), 'PASS'],
  ]);
});

t.test('C-BOT-02: (b) what the site advertises is closed', async (t) => {
  const closed = robots('User-agent: *', 'Allow: /', 'Disallow: /docs/', 'Disallow: /llms.txt');
  const manyRules = robots('User-agent: *', ...Array<string>(1_999).fill('Disallow: /docs/'));
  await runCases(t, cBot02, [
    [
      'a link of llms.txt',
      { ...robots('User-agent: *', 'Disallow: /docs/'), ...llms('/docs/a', '/blog') },
      'FAIL POLICY_INCONSISTENT',
      /1 address that the site advertises: line 3 of llms\.txt \(by line 2 of robots\.txt\)/,
    ],
    [
      'llms.txt itself',
      { ...closed, ...llms('/blog') },
      'FAIL POLICY_INCONSISTENT',
      /llms\.txt itself \(by line 4 of robots\.txt\)/,
    ],
    [
      'an entry of the sitemap',
      { ...closed, ...sitemap('/blog', '/docs/a') },
      'FAIL POLICY_INCONSISTENT',
      /bars Googlebot and Bingbot from .*: sitemap entry 2 \(by line 3 of robots\.txt\)/,
    ],
    [
      'an entry of the sitemap, for one that reads none',
      { ...robots('User-agent: Claude-User', 'Disallow: /docs/'), ...sitemap('/docs/a') },
      'PASS',
    ],
    [
      'a link to another host',
      { ...robots('User-agent: *', 'Disallow: /docs/'), ...llms('https://docs.fixture-site.com/docs/a', '/blog') },
      'PASS',
    ],
    [
      'what C-BOT-01 says already: nothing but the home page is open',
      { ...robots('User-agent: *', 'Allow: /$', 'Disallow: /'), ...llms('/docs/a') },
      'PASS',
    ],
    [
      'the same for one agent alone',
      { ...robots('User-agent: Bingbot', 'Disallow: /docs/', 'Disallow: /blog'), ...sitemap('/docs/a') },
      'PASS',
    ],
    [
      'the last of as many addresses as are compared with 1,999 rules',
      { ...manyRules, ...llms(...Array<string>(98).fill('/blog'), '/docs/a') },
      'FAIL POLICY_INCONSISTENT',
      /line 101 of llms\.txt/,
    ],
    [
      'the one after it, which is not looked at',
      { ...manyRules, ...llms(...Array<string>(99).fill('/blog'), '/docs/a') },
      'PASS',
    ],
    ['an agent that may not fetch / either', { ...robots('User-agent: *', 'Disallow: /'), ...llms('/blog') }, 'PASS'],
    [
      'nothing of it',
      { ...robots('User-agent: *', 'Disallow: /private/'), ...llms('/blog'), ...sitemap('/', '/blog') },
      'PASS',
    ],
  ]);
});

t.test('C-BOT-02: (c) and (d) signals', async (t) => {
  const group = (...lines: string[]) => robots('User-agent: *', ...lines);
  await runCases(t, cBot02, [
    [
      'both yes and no',
      group('Content-Signal: search=yes, search=no', 'Allow: /'),
      'FAIL POLICY_INCONSISTENT',
      /search to both yes and no \(line 2 of robots\.txt\)/,
    ],
    [
      'both on two lines',
      group('Content-Signal: ai-train=no', 'Content-Signal: AI-Train=YES'),
      'FAIL POLICY_INCONSISTENT',
      /ai-train to both yes and no \(lines 2 and 3 of robots\.txt\)/,
    ],
    [
      'something else',
      group('Content-Signal: ai-input=maybe'),
      'FAIL POLICY_INCONSISTENT',
      /ai-input a value other than yes or no/,
    ],
    ['for different paths', group('Content-Signal: ai-train=no', 'Content-Signal: /open/ ai-train=yes'), 'PASS'],
    [
      'in different groups',
      {
        '/robots.txt':
          'User-agent: a\nContent-Signal: search=yes\nAllow: /\nUser-agent: b\nContent-Signal: search=no\nAllow: /',
      },
      'PASS',
    ],
    [
      'below different names, where no rule ends the first group',
      {
        '/robots.txt':
          'User-agent: a\nContent-Signal: ai-train=no\nUser-agent: b\nContent-Signal: ai-train=yes\nAllow: /',
      },
      'PASS',
    ],
    ['unknown signals', group('Content-Signal: other=perhaps, search=yes'), 'PASS'],
    [
      'in the header',
      withHeaders({ 'content-signal': 'search=yes, search=no' }),
      'FAIL POLICY_INCONSISTENT',
      /header of the home page/,
    ],
    [
      'yes where everything is closed',
      group('Content-Signal: search=yes', 'Disallow: /'),
      'FAIL POLICY_INCONSISTENT',
      /says yes \(line 2 of robots\.txt\)/,
    ],
    [
      'yes where another group of the same agents opens something',
      { '/robots.txt': 'User-agent: *\nContent-Signal: search=yes\nDisallow: /\nUser-agent: *\nAllow: /blog' },
      'PASS',
    ],
    ['yes to training alone, where everything is closed', group('Content-Signal: ai-train=yes', 'Disallow: /'), 'PASS'],
    ['yes where something is open', group('Content-Signal: search=yes', 'Disallow: /', 'Allow: /blog'), 'PASS'],
    [
      'a training ban beside open search',
      {
        '/robots.txt':
          'User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\nUser-agent: GPTBot\nDisallow: /',
      },
      'PASS',
    ],
    [
      'a closed group of training crawlers',
      { '/robots.txt': 'User-agent: GPTBot\nContent-Signal: search=yes, ai-train=no\nDisallow: /' },
      'PASS',
    ],
    [
      'ai-train=no with GPTBot allowed',
      { '/robots.txt': 'User-agent: GPTBot\nContent-Signal: ai-train=no\nAllow: /' },
      'PASS',
    ],
  ]);
});

t.test('C-BOT-02: (e) a listed home page that wants to be in no index', async (t) => {
  const tagged = withHeaders({ 'x-robots-tag': 'noindex' });
  const marked = { '/': HOME.replace('<title>', '<meta name="robots" content="NONE"><title>') };
  await runCases(t, cBot02, [
    [
      'listed in llms.txt',
      { ...tagged, ...llms('/') },
      'FAIL POLICY_INCONSISTENT',
      /listed in llms\.txt, but its X-Robots-Tag/,
    ],
    [
      'listed in the sitemap',
      { ...marked, ...sitemap('/', '/blog') },
      'FAIL POLICY_INCONSISTENT',
      /the sitemap, but its robots meta/,
    ],
    [
      'for one search engine, listed in the sitemap',
      { ...withHeaders({ 'x-robots-tag': 'googlebot: noindex' }), ...sitemap('/') },
      'FAIL POLICY_INCONSISTENT',
    ],
    [
      'for one search engine, listed in llms.txt, which search engines do not read',
      { '/': HOME.replace('<title>', '<meta name="googlebot" content="noindex"><title>'), ...llms('/'), ...robots('') },
      'PASS',
    ],
    ['for another crawler', { ...withHeaders({ 'x-robots-tag': 'otherbot: noindex' }), ...llms('/') }, 'PASS'],
    [
      'listed in the sitemap at a place that is not sampled',
      { ...tagged, ...sitemap('/blog', '/', ...Array.from({ length: 40 }, (_, entry) => `/docs/${entry}`)) },
      'FAIL POLICY_INCONSISTENT',
    ],
    ['not listed', { ...tagged, ...llms('/blog') }, 'PASS'],
    ['not open', { ...tagged, ...llms('/'), ...robots('User-agent: *', 'Disallow: /') }, 'PASS'],
  ]);
});

t.test('C-BOT-02: a named group that leaves out rules for all others is noted, no more', async (t) => {
  const named = ['User-agent: Bingbot', 'Disallow: /a'];
  await runCases(t, cBot02, [
    [
      'two of three are left out',
      robots('User-agent: *', 'Disallow: /a', 'Disallow: /b', 'Disallow: /c', ...named),
      'PASS',
      /Bingbot \(2 Disallow lines\)/,
    ],
    ['nothing is left out', robots('User-agent: *', 'Disallow: /a', ...named), 'PASS', /^$/],
    ['only the named may enter', robots('User-agent: *', 'Disallow: /', ...named), 'PASS', /^$/],
  ]);
});

t.test('C-BOT-02: where there is no policy to judge', async (t) => {
  await runCases(t, cBot02, [
    ['no statement at all', {}, 'NOT_APPLICABLE', /states no access policy/],
    ['a robots.txt is one', robots(''), 'PASS'],
    ['a header of another domain is none', elsewhere({ 'x-robots-tag': 'noarchive' }), 'NOT_APPLICABLE'],
    ['a robots.txt that fails', { '/robots.txt': { status: 500 } }, 'NOT_APPLICABLE', /could not be read/],
    ['a robots.txt that is busy', { '/robots.txt': { status: 429 } }, 'NOT_APPLICABLE'],
    ['a robots.txt that is HTML', { '/robots.txt': { body: PAGE } }, 'NOT_APPLICABLE'],
    ['a home page that refuses us', { '/': { status: 403 } }, 'UNDETERMINED'],
  ]);
});

t.test('C-FWD-01: a preference for AI use is declared', async (t) => {
  t.strictSame([cFwd01.scored, cFwd01.pillar], [false, null]);
  await runCases(t, cFwd01, [
    ['none', {}, 'FAIL MISSING', /Neither robots\.txt nor/],
    ['in a group', robots('User-agent: *', 'Content-Signal: ai-train=no'), 'PASS', /declared with Content-Signal\./],
    ['outside of a group', robots('Content-Usage: train-ai=y'), 'PASS', /Content-Usage/],
    ['in a header', withHeaders({ 'content-usage': 'train-ai=n' }), 'PASS'],
    [
      'in a header, with a robots.txt that fails',
      { ...withHeaders({ 'content-usage': 'train-ai=n' }), '/robots.txt': { status: 500 } },
      'PASS',
    ],
    ['one of two is usable', robots('User-agent: *', 'Content-Signal: x', 'Content-Signal: search=no'), 'PASS'],
    [
      'not usable',
      { ...withHeaders({ 'content-signal': 'perhaps' }), ...robots('User-agent: *', 'Content-Usage:') },
      'FAIL FORMAT',
      /2 preferences have .*: line 2 of robots\.txt \(.* has no value\) and a header/,
    ],
    ['in a header of another domain', elsewhere({ 'content-usage': 'train-ai=n' }), 'FAIL MISSING'],
    ['a robots.txt that fails', { '/robots.txt': { status: 500 } }, 'UNDETERMINED'],
    ['a robots.txt that is busy', { '/robots.txt': { status: 429 } }, 'UNDETERMINED'],
    [
      'every path of it closed',
      robots('User-agent: *', 'Disallow: /', 'Content-Usage: search=n'),
      'FAIL MISSING',
      /closes/,
    ],
    [
      'of an agent that has a path',
      robots('User-agent: a', 'Disallow: /', 'Allow: /b', 'Content-Usage: search=n'),
      'PASS',
    ],
    ['a syntax error', robots('Content-Usage: search=n, !=y'), 'FAIL FORMAT', /byte 10 of its value/],
    ['fields are one dictionary', withHeaders({ 'content-usage': 'search=n, search=yes' }), 'FAIL FORMAT'],
    ['a TDM header', withHeaders({ 'tdm-reservation': '1' }), 'PASS', /with TDMRep\./],
    ['a TDM header of another domain', elsewhere({ 'tdm-reservation': '1' }), 'FAIL MISSING'],
    [
      'a TDM file that fails',
      { '/.well-known/tdmrep.json': { status: 500 } },
      'UNDETERMINED',
      /tdmrep\.json could not/,
    ],
    ['a TDM file that is HTML', { '/.well-known/tdmrep.json': { body: PAGE } }, 'FAIL MISSING'],
    ['noai is told', withHeaders({ 'x-robots-tag': 'noai' }), 'FAIL MISSING', /Also seen: noai\./],
    ['other signals are told', { '/llms-full.txt': '# All' }, 'FAIL MISSING', /Also seen: llms-full\.txt\./],
  ]);
});

t.test('nothing of the site gets into a finding', async (t) => {
  const canary = 'canary-7f3a';
  const routes: Record<string, FixtureRoute> = {
    '/': {
      body: `<!doctype html><title>${canary}</title><meta name="robots" content="noindex, ${canary}"><a href="/${canary}">${canary}</a>`,
      headers: {
        'content-signal': `search=${canary}`,
        'x-robots-tag': `noindex, ${canary}`,
        link: `</${canary}>; rel=${canary}`,
      },
    },
    [`/${canary}`]: PAGE,
    '/robots.txt': `User-agent: ${canary}\nUser-agent: *\nAllow: /$\nAllow: /\nDisallow: /\nDisallow: /${canary}\nContent-Signal: ${canary}=yes, search=${canary}`,
    ...llms('/', `/${canary}`),
    ...sitemap('/', `/${canary}`),
  };
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { detail } = await findingOf(check, { routes });
    t.notMatch(detail ?? '', canary, check.id);
  }
});

t.test('hostile policies are judged, and soon', async (t) => {
  const bait = `User-agent: *\n${'Disallow: /*a*a*a*a*b\n'.repeat(40_000)}Allow: /`;
  const many = llms(...Array.from({ length: 200 }, (_, index) => `/${'a'.repeat(20)}${index}`));
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { result } = await findingOf(check, { routes: { ...SITE, '/robots.txt': bait, ...many } });
    t.not(result, 'UNDETERMINED', check.id);
  }
});
