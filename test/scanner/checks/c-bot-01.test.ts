import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { redirectTo } from '../../support/visit-site.js';
import { expectOn, HOME, PAGE, robots } from './policy-sites.js';

const CORE = 'OAI-SearchBot Claude-SearchBot PerplexityBot Googlebot Bingbot Claude-User'.split(' ');
const named = (...tokens: readonly string[]) => tokens.map((token) => `User-agent: ${token}`);
const chain = {
  '/robots.txt': redirectTo('/r1'),
  ...Object.fromEntries([1, 2, 3, 4].map((at) => [`/r${at}`, redirectTo(`/r${at + 1}`)])),
};
const endless = /in a loop or more than 5 times/;
const docs = 'https://docs.fixture-site.com';

t.test('C-BOT-01: robots.txt lets AI search and user agents in', async (t) => {
  await expectOn(t, cBot01, {
    PASS: {
      'a circle of redirects': [{ '/robots.txt': redirectTo('/r'), '/r': redirectTo('/robots.txt') }, endless],
      'more than five, for any address': [{ '*': ({ url }) => redirectTo(`/r${url.pathname}`) }, endless],
      "agents with a fallback follow Googlebot's group if they have none": [
        robots('User-agent: *', 'Disallow: /', ...named(...CORE), 'Allow: /'),
        /not counted here: ChatGPT-User, Perplexity-User, DuckAssistBot, Amzn-User, meta-webindexer, meta-externalfetcher, MistralAI-User and MistralAI-Index\. To let them in, /,
      ],
      'and their own if they have one': [
        robots('User-agent: Amzn-SearchBot', 'Disallow: /', 'User-agent: Googlebot', 'Allow: /'),
        /not counted here: Amzn-SearchBot\. To let them in, remove the lines that block them\.$/,
      ],
      'a one-page site that keeps the part behind its login closed': {
        '/': '<!doctype html><a href="/docs/a">Open the app</a>',
        ...robots('User-agent: *', 'Disallow: /docs/'),
      },
      'pages that moved to a host with a robots.txt of its own': {
        '/docs/a': redirectTo(`${docs}/x`, 301),
        '/blog': redirectTo(`${docs}/y`, 301),
        [`${docs}/*`]: PAGE,
        ...robots('User-agent: Bingbot', 'Disallow: /x', 'Disallow: /y'),
      },
      'paths in UTF-8, whatever charset the server names': {
        '/': redirectTo('/日本/'),
        '/%E6%97%A5%E6%9C%AC/': HOME,
        '/robots.txt': {
          body: 'User-agent: *\nAllow: /日本/\nAllow: /docs\nDisallow: /',
          type: 'text/plain; charset=iso-8859-1',
        },
      },
      'a rule that our limit of 1 MiB cuts in two is not read': robots(
        ...['User-agent: *', 'Allow: /docs', `#${'x'.repeat(1_048_576 - 40)}`, 'Disallow: /private'],
      ),
    },
    'FAIL BLOCKED': {
      'five redirects lead to a file': { ...chain, '/r5': 'User-agent: *\nDisallow: /' },
      'only the home page is open, to us as well': [
        robots('User-agent: *', 'Allow: /$', 'Disallow: /'),
        /^Line 3 blocks .* from every sampled page except the home page/,
      ],
      'the final path of the home page decides': {
        '/': redirectTo('/en/', 301),
        '/en/': HOME,
        ...robots('User-agent: *', 'Disallow: /en/'),
      },
    },
    'FAIL UNREACHABLE': { 'a broken connection': { '/robots.txt': { failure: 'reset' } } },
    'FAIL OVERSIZE': {
      'rules past the limit': [
        robots('User-agent: *', `# ${'x'.repeat(512_000)}`, 'Disallow: /'),
        /512,000 bytes.*OAI-SearchBot/,
      ],
    },
    UNDETERMINED: {
      '429': { '/robots.txt': 429 },
      'a challenge': { '/robots.txt': { status: 403, headers: { 'cf-mitigated': 'challenge' } } },
      'everything unknown fails': { '*': 500 },
    },
  });
});
