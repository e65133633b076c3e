import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { redirectTo } from '../../support/visit-site.js';
import { HOME, PAGE, robots, runCases } from './policy-sites.js';

const CORE = 'OAI-SearchBot Claude-SearchBot PerplexityBot Googlebot Bingbot Claude-User'.split(' ');

t.test('C-BOT-01: robots.txt lets AI search and user agents in', async (t) => {
  await runCases(t, cBot01, [
    ['no robots.txt', {}, 'PASS', /status 404/],
    ['a refused robots.txt allows all', { '/robots.txt': { status: 403 } }, 'PASS', /status 403/],
    [
      'a circle of redirects means that there is none',
      { '/robots.txt': redirectTo('/r'), '/r': redirectTo('/robots.txt') },
      'PASS',
      /redirects in a circle or more than 5 times/,
    ],
    [
      'and so do more than five, whatever else the site does with unknown addresses',
      { '*': ({ url }) => redirectTo(`/r${url.pathname}`) },
      'PASS',
      /redirects in a circle or more than 5 times/,
    ],
    [
      'five redirects lead to a file',
      {
        '/robots.txt': redirectTo('/r1'),
        ...Object.fromEntries([1, 2, 3, 4].map((at) => [`/r${at}`, redirectTo(`/r${at + 1}`)])),
        '/r5': 'User-agent: *\nDisallow: /',
      },
      'FAIL BLOCKED',
    ],
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
      /^Line 2 closes the home page to Googlebot\.$/,
    ],
    [
      'an index page that not every reader takes for the home page',
      robots('User-agent: *', 'Disallow: /', 'Allow: /docs', 'Allow: /index.html'),
      'PASS',
      /No AI search or user agent is clearly kept from.*disagree about OAI-SearchBot.*Bingbot and Claude-User\./,
    ],
    [
      'a name that Google shares no groups with',
      robots('User-agent: *', 'Disallow: /', 'Disallow: /a b'),
      'FAIL BLOCKED',
      /^Line 2 closes the home page to OAI-SearchBot, Claude-SearchBot, .*Googlebot, Bingbot and Claude-User\.$/,
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
      /^Line 5 closes the home page to Googlebot\./,
    ],
    [
      'a name for which nobody knows where its group ends',
      robots('User-agent: Bingbot', 'Crawl-delay: 2', 'User-agent: other', 'Disallow: /'),
      'PASS',
      /^No AI search or user agent is clearly kept from the home page, but readers of robots\.txt disagree about Bingbot\.$/,
    ],
    [
      'all is closed',
      robots('User-agent: *', 'Disallow: /'),
      'FAIL BLOCKED',
      /^Line 2 closes the home page to OAI-SearchBot, .*Claude-User\.$/,
    ],
    [
      'one token is closed',
      robots('User-agent: *', 'Allow: /', '', 'User-agent: claude-user', 'Disallow: /'),
      'FAIL BLOCKED',
      /^Line 5 closes the home page to Claude-User\./,
    ],
    [
      'closed for all but a named one',
      robots('User-agent: *', 'Disallow: /', ...CORE.slice(1).map((token) => `User-agent: ${token}`), 'Allow: /'),
      'FAIL BLOCKED',
      /^Line 2 closes the home page to OAI-SearchBot\./,
    ],
    [
      'only the home page is open',
      robots('User-agent: Bingbot', 'Allow: /$', 'Disallow: /'),
      'FAIL BLOCKED',
      /Line 3 closes every page that was read but the home page to .*Bingbot/,
    ],
    [
      'only the home page is open, to us as well',
      robots('User-agent: *', 'Allow: /$', 'Disallow: /'),
      'FAIL BLOCKED',
      /^Line 3 closes every page that was read but the home page to /,
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
    ['a site without https', { '/': { failure: 'connect_failed' }, 'http://www.fixture-site.com/': PAGE }, 'PASS'],
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
      'NOT_APPLICABLE',
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
