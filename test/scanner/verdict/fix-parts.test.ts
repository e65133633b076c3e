import t from 'tap';
import { fixFor, type FixPart, splitFix } from '../../../src/scanner/verdict/fix-parts.js';

t.test('prose ends like a sentence, or has the words of one and does not end like code', async (t) => {
  const cases: readonly (readonly [text: string, kind: FixPart['kind']])[] = [
    ...['Write.', 'Write:', 'Write?', 'Write!', '"Write" it.', '/.well-known is a folder.'].map(
      (text) => [text, 'prose'] as const,
    ),
    ['one two three four five six', 'prose'],
    ['one two three four five', 'snippet'],
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
    fixFor('https://shop.test:8443', fix),
    'Sitemap: https://shop.test:8443/sitemap.xml\n\nserver_name shop.test:8443; # not login.example.com',
  );
  t.equal(fixFor('http://$&.test', 'https://www.example.com/'), 'http://$&.test/', 'it is not a pattern');
  t.equal(fixFor('https://www.example.com', fix), fix);
});
