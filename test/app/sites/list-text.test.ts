import t from 'tap';
import { readListText } from '../../../src/app/sites/list-text.js';
import { readList } from '../../../src/app/sites/site-list.js';
import { countTurns } from '../../support/count-turns.js';

/** What is read, one text a line, each after its number. */
async function read(text: string): Promise<string[]> {
  const lines = await readListText(text);
  return lines.map(
    ({ line, text, tags, isOpen }) =>
      `${line}: ${text}${tags === undefined ? '' : ` [${tags}]`}${isOpen ? ' (open)' : ''}`,
  );
}

t.test('a list is addresses one a line, with empty lines between them, whatever ends a line', async (t) => {
  t.same(await read('a.example\n\nb.example'), ['1: a.example', '3: b.example']);
  t.same(await read('\uFEFF a.example \r\nb.example\r\n'), ['1: a.example', '2: b.example']);
  t.same(await read('a.example\rb.example'), ['1: a.example', '2: b.example']);
  t.same(await read('https://a.example/x\t\n'), ['1: https://a.example/x']);
  t.same(await read(' \n\t\n'), []);
});

t.test('of a table the first column counts, or the one with such a heading', async (t) => {
  t.same(await read('a.example,shop\nb.example,"blog"'), ['1: a.example', '2: b.example']);
  t.same(await read('id;URL;owner\r\n1;a.example;x\r\n2;b.example'), ['2: a.example', '3: b.example']);
  t.same(await read('name\tDomain\nx\ta.example'), ['2: a.example']);
  t.same(await read('"host"\n"a.example"'), ['2: a.example']);
  t.same(await read('name,site\n"Lamps, and more",a.example'), ['2: a.example']);
  t.same(await read('name,site\nx'), ['2: '], 'a row without the column');
  t.same(await read('a.example\nurl'), ['1: a.example', '2: url'], 'a heading stands at the top');
});

t.test('without headings, each cell that is an address is a site, whatever else the line has', async (t) => {
  t.same(await read('a.example, b.example,https://c.example:8443/x?y\nd.example'), [
    ...['1: a.example', '1: b.example', '1: https://c.example:8443/x?y', '2: d.example'],
  ]);
  t.same(await read('Töpferei;täpf.example;27.11.2026;1.5;me@d.example\nLamps;b.example;'), [
    ...['1: täpf.example', '2: b.example'],
  ]);
  t.same(await read('Lamps;none'), ['1: Lamps'], 'the first where none is');
  t.equal((await readListText(`${'a.example,'.repeat(1000)}\nb.example`, 10)).length, 11);
});

t.test('a column of tags is read, where headings name it', async (t) => {
  t.same(await read('tags,url\n"Shops, spring",a.example\n,b.example'), [
    '2: a.example [Shops, spring]',
    '3: b.example',
  ]);
  t.same(await read('a.example,tags'), ['1: a.example']);
  const [tagged, refused] = await readList(
    `url;tags\na.example.com;Shops, shops,spring\nb.example.com;${'x'.repeat(41)}`,
  );
  t.same([tagged?.state, tagged?.tags], ['new', ['Shops', 'spring']]);
  t.match(refused, { state: 'refused', why: 'A tag has at most 40 characters.' });
});

t.test('comments are left out, and what tells Excel what parts the cells', async (t) => {
  t.same(await read('# our sites\na.example\n#b.example'), ['2: a.example']);
  t.same(await read('#;url\n1;a.example'), ['2: a.example'], 'a column may be called so');
  t.same(await read('\uFEFFsep=;\r\nname;url\r\n"x, y";a.example'), ['3: a.example']);
});

t.test('quotation marks are read as RFC 4180 says', async (t) => {
  t.same(await read('"a.example"\n"b""c"'), ['1: a.example', '2: b"c']);
  t.same(await read('name,url\n"two\r\nlines",a.example\nx,b.example'), ['2: a.example', '4: b.example']);
  t.same(await read('"a,b",c\n""'), ['1: a,b']);
  t.same(await read('"a.example" \nb.example'), ['1: a.example', '2: b.example']);
});

t.test('a mark that is never closed costs its own line', async (t) => {
  t.same(await read('a.example\n"b.example\nc.example'), ['1: a.example', '2: "b.example (open)', '3: c.example']);
  t.same(await read('a.example,"x\nb.example,y'), ['1: a.example (open)', '2: b.example']);
  t.same(await read('"'), ['1: " (open)']);
  t.same(await read('"a\nb.example\n"c\nd.example'), ['1: "a (open)', '2: b.example', '3: "c (open)', '4: d.example']);
});

t.test('one long record holds up nobody, and no more lines are read than are asked for', async (t) => {
  const { result, turns } = await countTurns(() => readListText(`a.example${','.repeat(1_000_000)}\nb.example`));
  t.same(
    result.map(({ text }) => text),
    ['a.example', 'b.example'],
  );
  t.ok(turns >= 2);
  t.equal((await readListText('a.example\n'.repeat(50), 10)).length, 11);
});

t.test('every line is told by itself', async (t) => {
  const text =
    'shop.example.com\nhttps://shop.example.com/lamps?a=1\nhttp://shop.example.com\nftp://x.example\n"b\n\u0000\u001b[31m';
  const lines = await readList(text);
  t.match(
    lines.map(({ line, state, hostname }) => [line, state, hostname]),
    [
      [1, 'new', 'shop.example.com'],
      [2, 'twice', 'shop.example.com'],
      [3, 'twice', 'shop.example.com'],
      [4, 'refused', null],
      [5, 'refused', null],
      [6, 'refused', null],
    ],
  );
  t.equal(lines[1]?.why, 'Line 1 has this site.');
  t.match(lines[3]?.why, 'Only http and https sites can be scanned');
  t.match(lines[4]?.why, 'A quotation mark is opened here');
  t.equal(lines[5]?.given, '\uFFFD\uFFFD[31m', 'nothing that a terminal obeys');
  for (const [text, given] of [
    ['https://me:hunter2@shop.example.com/a', 'https://…@shop.example.com/a'],
    ['me:hunter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://me:hun:t#er@2@shop.example.com', 'https://…@shop.example.com'],
    ['me:hun:ter2@shop.example.com', 'me:…@shop.example.com'],
    ['https://shop.example.com/@me', 'https://shop.example.com/@me'],
    ['https://shop.example.com/a?token=hunter2#hunter2', 'https://shop.example.com/a'],
    ['?token=hunter2', '…'],
  ] as const) {
    t.equal((await readList(text))[0]?.given, given, 'no secret is kept');
  }
  const [long] = await readList('x'.repeat(3000));
  t.match([long?.state, long?.given.length, long?.why], ['refused', 200, /^This is too long/]);
});

t.test('a workbook is told from a list', async (t) => {
  for (const start of ['PK\u0003\u0004', '\uFFFD\uFFFD\u0011\u0871']) {
    await t.rejects(readList(`${start}\u0014\n\u0000`), { message: /^This is a workbook, not text/ });
  }
});

t.test('a list has a line, and no more than can be added at once', async (t) => {
  await t.rejects(readList(' \n'), { name: 'InputError', message: /^Give at least one address/ });
  const many = Array.from({ length: 2001 }, (_, index) => `s${index}.example.com`);
  await t.rejects(readList(many.join('\n')), {
    message: 'This list has more than 2,000 lines. Split it.',
  });
  t.equal((await readList(`url\n${many.slice(1).join('\n')}`)).length, 2000, 'headings do not count');
});
