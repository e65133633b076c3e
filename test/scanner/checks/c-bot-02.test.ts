import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { findingOf } from '../../support/collect.js';
import { elsewhere, expectOn, HOME, llms, PAGE, robots, SITE, sitemap, withHeaders } from './policy-sites.js';

const INCONSISTENT = 'FAIL POLICY_INCONSISTENT';

t.test('C-BOT-02: (a) the same path is allowed and disallowed', async (t) => {
  await expectOn(t, cBot02, {
    [INCONSISTENT]: {
      'in merged groups': [
        robots('User-agent: Bingbot', 'Disallow: /', 'User-agent: *', 'Disallow:', 'User-agent: bingbot', 'Allow: /'),
        /line 2.*line 6.*for Bingbot\.$/,
      ],
    },
    PASS: { 'for an agent that is not core': robots('User-agent: Other', 'Disallow: /', 'Allow: /') },
  });
});

t.test('C-BOT-02: (b) what the site advertises is closed', async (t) => {
  const manyRules = robots('User-agent: *', ...Array<string>(1_999).fill('Disallow: /docs/'));
  const many = (count: number) => llms(...Array<string>(count).fill('/blog'), '/docs/a');
  await expectOn(t, cBot02, {
    [INCONSISTENT]: {
      'the last of as many addresses as are compared with 1,999 rules': [
        { ...manyRules, ...many(98) },
        /line 101 of llms\.txt/,
      ],
    },
    PASS: {
      'the one after it, which is not looked at': { ...manyRules, ...many(99) },
      'an entry of the sitemap, for one that reads none': {
        ...robots('User-agent: Claude-User', 'Disallow: /docs/'),
        ...sitemap('/docs/a'),
      },
      'what C-BOT-01 says already: nothing but the home page is open': {
        ...robots('User-agent: *', 'Allow: /$', 'Disallow: /'),
        ...llms('/docs/a'),
      },
      'an agent that may not fetch / either': { ...robots('User-agent: *', 'Disallow: /'), ...llms('/blog') },
    },
  });
});

t.test('C-BOT-02: (c) and (d) signals', async (t) => {
  const group = (...lines: string[]) => robots('User-agent: *', ...lines);
  await expectOn(t, cBot02, {
    [INCONSISTENT]: {
      'in two groups for the same agents, as a CDN writes one before the site’s own': [
        group('Content-Signal: ai-train=no', 'Allow: /', 'User-agent: *', 'Content-Signal: ai-train=yes'),
        /ai-train to both yes and no \(lines 2 and 5 of robots\.txt\)/,
      ],
      'in two groups for the same agent, one of which has another name too': [
        robots(
          ...['User-agent: GPTBot', 'User-agent: CCBot', 'Content-Signal: search=no', 'Disallow: /a'],
          ...['User-agent: gptbot', 'Content-Signal: search=yes', 'Disallow: /b'],
        ),
        /search to both yes and no \(lines 3 and 6 of robots\.txt\)/,
      ],
      'in the header': [withHeaders({ 'content-signal': 'search=yes, search=no' }), /header of the home page/],
      'yes where everything is closed': [
        group('Content-Signal: search=yes', 'Disallow: /'),
        /says yes \(line 2 of robots\.txt\)/,
      ],
    },
    PASS: {
      'for different paths': group('Content-Signal: ai-train=no', 'Content-Signal: /open/ ai-train=yes'),
      'in a group that replaces the one for all others': group(
        ...['Content-Signal: ai-train=no', 'Allow: /'],
        ...['User-agent: GPTBot', 'Content-Signal: ai-train=yes', 'Allow: /'],
      ),
      'yes where another group of the same agents opens something': group(
        ...['Content-Signal: search=yes', 'Disallow: /', 'User-agent: *', 'Allow: /blog'],
      ),
      'yes to training alone, where everything is closed': group('Content-Signal: ai-train=yes', 'Disallow: /'),
      'yes where something is open': group('Content-Signal: search=yes', 'Disallow: /', 'Allow: /blog'),
    },
  });
});

t.test('C-BOT-02: (e) a listed home page that wants to be in no index', async (t) => {
  const tagged = withHeaders({ 'x-robots-tag': 'noindex' });
  const withMeta = (name: string, content: string) => ({
    '/': HOME.replace('<title>', `<meta name="${name}" content="${content}"><title>`),
  });
  const forGoogle = { ...withMeta('googlebot', 'noindex'), ...robots('') };
  const unsampled = sitemap('/blog', '/', ...Array.from({ length: 40 }, (_, entry) => `/docs/${entry}`));
  await expectOn(t, cBot02, {
    [INCONSISTENT]: {
      'listed in llms.txt': [{ ...tagged, ...llms('/') }, /listed in llms\.txt, but its X-Robots-Tag/],
      'listed in the sitemap': [
        { ...withMeta('robots', 'NONE'), ...sitemap('/', '/blog') },
        /the sitemap, but its robots meta/,
      ],
      'for one search engine, listed in the sitemap': {
        ...withHeaders({ 'x-robots-tag': 'googlebot: noindex' }),
        ...sitemap('/'),
      },
      'listed in the sitemap at a place that is not sampled': { ...tagged, ...unsampled },
    },
    PASS: {
      'for one search engine, listed in llms.txt, which search engines do not read': { ...forGoogle, ...llms('/') },
    },
  });
});

t.test('C-BOT-02: a named group that leaves out rules for all others is noted, no more', async (t) => {
  const named = ['User-agent: Bingbot', 'Disallow: /a'];
  await expectOn(t, cBot02, {
    PASS: {
      'two of three are left out': [
        robots('User-agent: *', 'Disallow: /a', 'Disallow: /b', 'Disallow: /c', ...named),
        /Bingbot \(2 missing lines\)/,
      ],
      'only the named may enter': [robots('User-agent: *', 'Disallow: /', ...named), /^$/],
    },
  });
});

t.test('C-BOT-02: where there is no policy to judge', async (t) => {
  await expectOn(t, cBot02, {
    NOT_APPLICABLE: {
      'a header of another domain is none': elsewhere({ 'x-robots-tag': 'noarchive' }),
      'a robots.txt that is HTML': { '/robots.txt': { body: PAGE } },
    },
  });
});

t.test('hostile policies are judged, and soon', async (t) => {
  const bait = `User-agent: *\n${'Disallow: /*a*a*a*a*b\n'.repeat(40_000)}Allow: /`;
  const many = llms(...Array.from({ length: 200 }, (_, index) => `/${'a'.repeat(20)}${index}`));
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { result } = await findingOf(check, { routes: { ...SITE, '/robots.txt': bait, ...many } });
    t.not(result, 'UNDETERMINED', check.id);
  }
});
