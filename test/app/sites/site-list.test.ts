import t from 'tap';
import { parseSiteList } from '../../../src/app/sites/add-sites.js';

/** The lines that were read, as `line: address [tags]`. */
function read(text: string): string[] {
  return parseSiteList(text).map(
    ({ line, given, tags }) => `${line}: ${given}${tags.length === 0 ? '' : ` [${tags.join(', ')}]`}`,
  );
}

t.test('a list is addresses one a line, with empty lines and comments between them, whatever ends a line', (t) => {
  t.same(read('a.example\n\nb.example'), ['1: a.example', '3: b.example']);
  t.same(read('\uFEFF a.example \r\nb.example\r\n'), ['1: a.example', '2: b.example']);
  t.same(read('a.example\rb.example'), ['1: a.example', '2: b.example']);
  t.same(read('https://a.example/x\t\n'), ['1: https://a.example/x']);
  t.same(read('# our sites\na.example\n#b.example'), ['2: a.example']);
  t.end();
});

t.test('tags follow the address', (t) => {
  t.same(read('a.example #Shops #shops\t#spring sale'), ['1: a.example [Shops, spring sale]']);
  t.same(read('https://a.example/#top #shops'), ['1: https://a.example/ [shops]'], 'a fragment is none');
  t.same(read('a.example   #shops, #a,b #'), ['1: a.example [shops, a, b]']);
  t.match(parseSiteList(`a.example #${'x'.repeat(41)}`), [{ state: 'refused', why: / 40 / }]);
  const eleven = Array.from({ length: 11 }, (_, index) => ` #tag${index}`).join('');
  t.match(parseSiteList(`a.example${eleven}`), [{ state: 'refused', why: / 10 tags/ }]);
  t.match(parseSiteList('a.example #a\u202Eb'), [{ state: 'refused', why: /visible/ }]);
  t.end();
});

t.test('each line has its own outcome', (t) => {
  const lines = parseSiteList(
    [
      ...['shop.example.com', 'https://shop.example.com/lamps?a=1', 'http://shop.example.com', 'ftp://x.example'],
      ...['"b', '\u0000\u001b[31m', 'Lamps;a.example;x', 'Töpferei.example', 'xn--tpferei-90a.example.'],
      ...['<script>alert(1)</script>', 'me@shop.example.com'],
    ].join('\n'),
  );
  t.match(
    lines.map((line) => [line.line, line.state === 'unchecked' ? 'candidate' : line.state, line.hostname]),
    [
      [1, 'candidate', 'shop.example.com'],
      [2, 'duplicate', 'shop.example.com'],
      [3, 'duplicate', 'shop.example.com'],
      [4, 'refused', null],
      // The guard refuses this name.
      [5, 'candidate', '"b'],
      [6, 'refused', null],
      [7, 'candidate', 'lamps;a.example;x'],
      [8, 'candidate', 'xn--tpferei-90a.example'],
      [9, 'duplicate', 'xn--tpferei-90a.example'],
      [10, 'refused', null],
      [11, 'refused', null],
    ],
  );
  t.match(lines[1], { why: /line 1/ });
  t.match(lines[3], { why: /\bhttps\b/ });
  t.equal(lines[5]?.given, '\uFFFD\uFFFD[31m', 'nothing that a terminal obeys');
  t.end();
});

t.test('lines are shortened and shown without secrets', (t) => {
  for (const [text, given] of [
    ['https://me:hunter2@shop.example.com/a', 'https://…@shop.example.com/a'],
    ['me:hunter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://me:hun:t#er@2@shop.example.com', 'https://…@shop.example.com'],
    ['me:hun:ter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://shop.example.com/@me', 'https://shop.example.com/@me'],
    ['https://shop.example.com/a?token=hunter2#hunter2', 'https://shop.example.com/a'],
    ['?token=hunter2', '…'],
  ] as const) {
    t.equal(parseSiteList(text)[0]?.given, given);
  }
  const [long] = parseSiteList('x'.repeat(3000));
  t.match(long, { state: 'refused', why: /too long/ });
  t.equal(long?.given.length, 200);
  t.end();
});

t.test('a long line of white space takes no longer than its length', (t) => {
  t.match(parseSiteList(`a.example${' '.repeat(1_000_000)}b`), [{ state: 'refused' }]);
  t.end();
});

t.test('a list has at least one line and at most 500', (t) => {
  for (const empty of ['', ' \n', '\uFEFF\n# nothing'])
    t.throws(() => parseSiteList(empty), { name: 'InputError', message: /at least one/ });
  const many = Array.from({ length: 1501 }, (_, index) => `s${index}.example.com`);
  t.throws(() => parseSiteList(many.join('\n')), {
    message: / 1,501 .* 500 /,
  });
  t.equal(parseSiteList(`# sites\n\n${many.slice(0, 500).join('\n')}`).length, 500);
  t.end();
});
