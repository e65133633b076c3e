import t from 'tap';
import { parseSiteList } from '../../../src/app/sites/add-sites.js';

/** The lines that were read, as `line: address [tags]`. */
function read(text: string): string[] {
  return parseSiteList(text).map(
    ({ line, shownAddress, tags }) => `${line}: ${shownAddress}${tags.length === 0 ? '' : ` [${tags.join(', ')}]`}`,
  );
}

t.test('a list is addresses one a line, with empty lines and comments between them, whatever ends a line', (t) => {
  t.same(read('a.example\n\nb.example'), ['1: a.example', '3: b.example']);
  t.same(read('\uFEFF a.example \r\nb.example\r\n'), ['1: a.example', '2: b.example']);
  t.same(read('a.example\rb.example'), ['1: a.example', '2: b.example']);
  t.same(read('https://a.example/x\t\n'), ['1: https://a.example/x']);
  t.same(read('# our sites\na.example\n#b.example'), ['2: a.example']);
  t.equal(parseSiteList(`# sites\n\n${Array(500).fill('a.example').join('\n')}`).length, 500, 'at most');
  t.throws(() => parseSiteList('\uFEFF\n# nothing'), { name: 'InputError' });
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

t.test('lines are shortened and shown without secrets', (t) => {
  for (const [text, given] of [
    ['https://me:hunter2@shop.example.com/a', 'https://…@shop.example.com/a'],
    ['me:hunter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://me:hun:t#er@2@shop.example.com', 'https://…@shop.example.com'],
    ['me:hun:ter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://shop.example.com/@me', 'https://shop.example.com/@me'],
    ['https://shop.example.com/a?token=hunter2#hunter2', 'https://shop.example.com/a'],
    ['?token=hunter2', '…'],
    ['\u0000\u001b[31m', '\uFFFD\uFFFD[31m'],
  ] as const) {
    t.equal(parseSiteList(text)[0]?.shownAddress, given);
  }
  const [long] = parseSiteList('x'.repeat(3000));
  t.match(long, { state: 'refused', why: /too long/ });
  t.equal(long?.shownAddress.length, 200);
  t.end();
});

t.test('a long line of white space takes no longer than its length', (t) => {
  t.match(parseSiteList(`a.example${' '.repeat(1_000_000)}b`), [{ state: 'refused' }]);
  t.end();
});
