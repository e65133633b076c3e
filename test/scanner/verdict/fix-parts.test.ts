import t from 'tap';
import { cBot01Failures } from '../../../src/scanner/checks/c-bot-01/failures.js';
import { CORE_TOKENS } from '../../../src/scanner/artifacts/agents/tokens.js';
import { cLlms03Failures } from '../../../src/scanner/checks/c-llms-03/failures.js';
import { fixFor, type FixPart, redirectFrom, splitFix } from '../../../src/scanner/verdict/fix-parts.js';

t.test('prose ends like a sentence, or has the words of one and does not end like code', async (t) => {
  const cases: readonly (readonly [text: string, kind: FixPart['kind']])[] = [
    ...['Write.', 'Write:', 'Write?', 'Write!', '"Write" it.', '/.well-known is a folder.'].map(
      (text) => [text, 'prose'] as const,
    ),
    ['one two three four five six', 'prose'],
    ['one two three four five', 'snippet'],
    ['curl -i -H "Accept: text/markdown" https://www.example.com/', 'snippet'],
    ['curl --head https://www.example.com/ is all that it takes.', 'snippet'],
    ['curl - one two three four five.', 'prose'],
    ['Read how it is done at https://www.example.com/', 'prose'],
    ...Array.from('])}>;,').map((end) => [`const a = b of c and d${end}`, 'snippet'] as const),
    ['one two three\nfour five six', 'snippet'],
    ['one two three four five six\nseven', 'prose'],
    ['Write:\nUser-agent: GPTBot', 'snippet'],
    ['# A title of six words here.', 'snippet'],
    ['404 is an answer that says so.', 'snippet'],
    ['- One.\n- Two.', 'list'],
    ['- One.\nTwo.', 'prose'],
    ['- "One" is one of six words', 'list'],
    ['-One.', 'snippet'],
  ];
  for (const [text, kind] of cases) t.same(splitFix(text), [{ kind, text }], text);
});

t.test('a line that names a server introduces what is for it alone', async (t) => {
  t.same(splitFix('Do this.\n\nIn nginx:\n\n# in server\n\nOn Vercel and Netlify:\n\nDo that.'), [
    { kind: 'prose', text: 'Do this.' },
    { kind: 'server', text: 'nginx' },
    { kind: 'snippet', text: '# in server' },
    { kind: 'server', text: 'Vercel and Netlify' },
    { kind: 'prose', text: 'Do that.' },
  ]);
  for (const text of ['In nginx, write:', 'Write this. In nginx:', 'In IIS:'])
    t.same(splitFix(text), [{ kind: 'prose', text }], text);
});

t.test('a fix is shown with the origin of the site in place of that of the example', async (t) => {
  const fix = 'Sitemap: https://www.example.com/sitemap.xml\n\nserver_name www.example.com; # not login.example.com';
  t.equal(
    fixFor('https://shop.test:8443', fix, null),
    'Sitemap: https://shop.test:8443/sitemap.xml\n\nserver_name shop.test:8443; # not login.example.com',
  );
  t.equal(fixFor('http://$&.test', 'https://www.example.com/', null), 'http://$&.test/', 'it is not a pattern');
  t.equal(fixFor('https://www.example.com', fix, null), fix);
});

t.test('a fix that redirects does so from the page that is gone, where its path needs no quoting', async (t) => {
  const { fix } = cLlms03Failures.DEAD_LINK;
  const shown = redirectFrom('/glazes/blue.html', fix);
  for (const line of [
    'location = /glazes/blue.html { return 301 /new-address; }',
    'RedirectMatch 301 ^/glazes/blue\\.html$ /new-address',
    'redir /glazes/blue.html /new-address 301',
    '(http.request.uri.path eq "/glazes/blue.html")',
    '{"source": "/glazes/blue.html", "destination": "/new-address", "permanent": true}',
    'from = "/glazes/blue.html"\n  to = "/new-address"',
    '- [Name of the page](https://www.example.com/new-address): what it is about',
  ])
    t.ok(shown.includes(line), line);
  t.notMatch(shown, '/old-pricing');
  for (const path of ['', '/', '/a b', '/a;}', '/a"b', '/a%0Ab', '/$&', '/a\n/b', '//b', '/(a+)+'])
    t.equal(redirectFrom(path, fix), fix, path);
  t.equal(redirectFrom('/glazes', 'See /pricing.'), 'See /pricing.', 'nothing but redirects');
});

t.test('a fix that lets agents in names just those that this site shuts out', async (t) => {
  const { fix } = cBot01Failures.BLOCKED;
  const groupsIn = (detail: string | null) => {
    const shown = fixFor('https://shop.test', fix, detail).split('\nAllow: /\n')[0] ?? '';
    return [...shown.matchAll(/^User-agent: (.*)$/gm)].map(([, agent]) => agent);
  };
  const some = 'Line 6 closes the home page to OAI-SearchBot and PerplexityBot. The other 4 agents may fetch it.';
  t.same(groupsIn(some), ['OAI-SearchBot', 'PerplexityBot']);
  t.match(fixFor('https://shop.test', fix, some), 'PerplexityBot\nAllow: /\nDisallow: /account/\n');
  t.same(groupsIn('Line 2 closes the home page to Googlebot. Line 9 closes it to Bingbot.'), ['Googlebot', 'Bingbot']);
  for (const detail of [null, 'Some rules come too late.', 'It closes it to Bingbot and 2 more.', 'Closed to Bingbot…'])
    t.same(groupsIn(detail), CORE_TOKENS, `${detail}`);
});
