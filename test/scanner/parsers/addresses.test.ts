import t from 'tap';
import { findMentions, httpUrlOf } from '../../../src/scanner/parsers/addresses.js';
import { isRsl, parseReservation, parseTdmFile } from '../../../src/scanner/parsers/preference-files.js';

t.test('an address in a text ends where prose goes on', async (t) => {
  const own = 'https://shop.example/.well-known/mcp.json';
  const hrefs = (text: string): string[] =>
    findMentions(text, '/.well-known/mcp.json', new URL('https://shop.example/llms.txt')).map(({ href }) => href);
  const cases: Record<string, readonly string[]> = {
    'See /.well-known/mcp.json.': [own],
    '(/.well-known/mcp.json), `/.well-known/mcp.json`; [x](/.well-known/mcp.json)': [own, own, own],
    'HTTP://SHOP.EXAMPLE/.well-known/mcp.json!': [own.replace('s:', ':')],
    'It is at shop.example/.well-known/mcp.json': [own],
    'https://other.example/.well-known/mcp.json': ['https://other.example/.well-known/mcp.json'],
    '/docs/.well-known/mcp.json': ['https://shop.example/docs/.well-known/mcp.json'],
    '/.well-known/mcp.json5': [`${own}5`],
    '/.well-known/mcp': [],
    'https://[/.well-known/mcp.json': [own],
  };
  for (const [text, found] of Object.entries(cases)) t.same(hrefs(text), found, text);
  t.equal(hrefs('/.well-known/mcp.json '.repeat(40_000)).length, 100);
  t.ok(hrefs('x'.repeat(500_000) + '/.well-known/mcp.json'.repeat(20_000)).length <= 100);
});

t.test('an address of up to 4,096 characters is one', async (t) => {
  const ofLength = (length: number) => httpUrlOf(`https://example.com/`.padEnd(length, 'a'));
  t.equal(ofLength(4096)?.href.length, 4096);
  t.equal(ofLength(4097), null);
});

t.test('tdmrep.json gives locations a reservation', async (t) => {
  const files = {
    read: [
      '\uFEFF[{"location":"/a","tdm-reservation":0},{"location":"/*","tdm-reservation":"1"}]',
      '[{"location":"/a","tdm-reservation":1}]',
    ],
    malformed: ['', '{}', '[]', '[1]', '[{"location":1,"tdm-reservation":1}]', '[{"location":"/"}]'],
    unread: ['['.repeat(50_000)],
  };
  for (const [kind, texts] of Object.entries(files)) for (const text of texts) t.equal(parseTdmFile(text), kind, text);
  t.strictSame([' 1 ', 0, true, '1;', null].map(parseReservation), ['1', '0', 'other', 'other', 'other']);
});

t.test('a document of RSL', async (t) => {
  const rsl = ['<rsl/>', '<x:rsl xmlns:x="https://rslstandard.org/rsl"><x:content/></x:rsl>'];
  const others = [
    ...['<rsl xmlns="https://other.org/"/>', '<license/>', '<rsl>', '', `<rsl>${'<a>'.repeat(100_000)}`],
    '<!DOCTYPE rsl [<!ENTITY a "b">]><rsl>&a;</rsl>',
  ];
  for (const text of rsl) t.ok(isRsl(text), text);
  for (const text of others) t.notOk(isRsl(text), text.slice(0, 40));
});
