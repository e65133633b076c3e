import t from 'tap';
import { type FixPart, splitFix } from '../../../src/scanner/findings/fix-parts.js';

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
