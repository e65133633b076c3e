import t from 'tap';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { HOME, PAGE, elsewhere, llms, robots, runCases, sitemap, withHeaders } from './policy-sites.js';

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
      /closes 1 address to Claude-User that the site advertises: line 3 of llms\.txt \(closed by line 2\)/,
    ],
    [
      'llms.txt itself',
      { ...closed, ...llms('/blog') },
      'FAIL POLICY_INCONSISTENT',
      /llms\.txt itself \(closed by line 4\)/,
    ],
    [
      'an entry of the sitemap',
      { ...closed, ...sitemap('/blog', '/docs/a') },
      'FAIL POLICY_INCONSISTENT',
      /closes 1 address to Googlebot and Bingbot that .*: sitemap entry 2 \(closed by line 3\)/,
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
      'in two groups for the same agents, as a CDN writes one before the site’s own',
      robots(
        'User-agent: *',
        'Content-Signal: ai-train=no',
        'Allow: /',
        'User-agent: *',
        'Content-Signal: ai-train=yes',
      ),
      'FAIL POLICY_INCONSISTENT',
      /ai-train to both yes and no \(lines 2 and 5 of robots\.txt\)/,
    ],
    [
      'in two groups for the same agent, one of which has another name too',
      robots(
        ...['User-agent: GPTBot', 'User-agent: CCBot', 'Content-Signal: search=no', 'Disallow: /a'],
        ...['User-agent: gptbot', 'Content-Signal: search=yes', 'Disallow: /b'],
      ),
      'FAIL POLICY_INCONSISTENT',
      /search to both yes and no \(lines 3 and 6 of robots\.txt\)/,
    ],
    [
      'in a group that replaces the one for all others',
      robots(
        ...['User-agent: *', 'Content-Signal: ai-train=no', 'Allow: /'],
        ...['User-agent: GPTBot', 'Content-Signal: ai-train=yes', 'Allow: /'],
      ),
      'PASS',
    ],
    [
      'in two groups for the same agents, for different paths',
      robots(
        ...['User-agent: *', 'Content-Signal: ai-train=no', 'Allow: /'],
        ...['User-agent: *', 'Content-Signal: /open/ ai-train=yes'],
      ),
      'PASS',
    ],
    [
      'a Content-Usage that says both, of which the no counts',
      robots('User-agent: *', 'Content-Usage: train-ai=n', 'Allow: /', 'User-agent: *', 'Content-Usage: train-ai=y'),
      'PASS',
    ],
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
      'a training ban alongside open search',
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
      'in the meta element of one search engine, listed in the sitemap',
      {
        '/': HOME.replace('<title>', '<meta name="googlebot" content="noindex"><title>'),
        ...sitemap('/'),
        ...robots(''),
      },
      'FAIL POLICY_INCONSISTENT',
      /its googlebot meta element says noindex/,
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
