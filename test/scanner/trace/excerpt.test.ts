import t from 'tap';
import { excerptOf as excerptUpTo } from '../../../src/scanner/trace/excerpt.js';
import type { Place } from '../../../src/scanner/artifacts/safe-text.js';

const EXCERPT_CHARS_MAX = 2000;
const excerptOf = (body: string, places: readonly Place[]) => excerptUpTo(body, places, EXCERPT_CHARS_MAX);

const line = (n: number): Place => ({ file: 'robots.txt', at: { line: n } });
const linesUpTo = (n: number): string => Array.from({ length: n }, (_, at) => `line number ${at + 1}\n`).join('');

t.test('an excerpt has whole lines around the place and the number of its first line', async (t) => {
  const { text, firstLine, marked } = excerptOf(linesUpTo(1000), [line(500), line(502), line(900)]);
  t.ok(text.length <= EXCERPT_CHARS_MAX && text.length > EXCERPT_CHARS_MAX - 100);
  t.ok(text.startsWith(`line number ${firstLine}\n`));
  t.ok(text.endsWith('\n') || text.endsWith(String(firstLine + text.split('\n').length - 1)));
  t.same(marked, [500, 502], 'those that it reaches');
  t.equal(text.split('\n')[500 - firstLine], 'line number 500');
});

t.test('without a place, an excerpt is the start of the body', async (t) => {
  const { text, firstLine, marked } = excerptOf(linesUpTo(1000), []);
  t.ok(text.length <= 500);
  t.same([firstLine, marked], [1, []]);
  t.same(excerptOf('short', [line(7)]), { text: 'short', firstLine: 1, marked: [] }, 'nor where it is not reached');
  t.same(excerptOf('', []), { text: '', firstLine: 1, marked: [] });
});

t.test('lines end with any of the three line breaks', async (t) => {
  for (const end of ['\n', '\r\n', '\r']) {
    t.same(excerptOf(['a', 'b', 'c'].join(end), [line(3)]), { text: 'a\nb\nc', firstLine: 1, marked: [3] });
  }
});

t.test('one endless line is cut around the place', async (t) => {
  const text = `${'x '.repeat(5000)}HERE${' y'.repeat(5000)}`;
  const excerpt = excerptOf(text, [{ file: new URL('https://a.example/'), at: { text: 'x HERE', offset: 2 } }]);
  t.match(excerpt, { text: /HERE/, firstLine: 1, marked: [1] });
  t.equal(excerpt.text.length, EXCERPT_CHARS_MAX);
});

t.test('entries of XML and of lists', async (t) => {
  const at = (entry: number): Place => ({ file: new URL('https://a.example/'), at: { entry } });
  t.same(excerptOf('<urlset>\n<loc>1</loc>\n<loc>2</loc>\n', [at(2)]).marked, [3]);
  t.same(excerptOf('https://a.example/1\nhttps://a.example/2\n', [at(2)]).marked, [2]);
  t.same(excerptOf('<urlset>\n<loc>1</loc>\n', [at(2)]).marked, []);
});
