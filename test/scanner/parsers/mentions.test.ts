import t from 'tap';
import { findMentions } from '../../../src/scanner/parsers/mentions.js';

const BASE = new URL('https://shop.example/llms.txt');
const hrefs = (text: string, path = '/.well-known/mcp.json'): string[] =>
  findMentions(text, path, BASE).map(({ href }) => href);

t.test('an address in a text ends where prose goes on', async (t) => {
  const own = 'https://shop.example/.well-known/mcp.json';
  const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
    ['See /.well-known/mcp.json.', [own]],
    ['(/.well-known/mcp.json), `/.well-known/mcp.json`; [x](/.well-known/mcp.json)', [own, own, own]],
    [
      'https://shop.example/.well-known/mcp.json, or HTTP://SHOP.EXAMPLE/.well-known/mcp.json!',
      [own, own.replace('s:', ':')],
    ],
    ['It is at shop.example/.well-known/mcp.json', [own]],
    ['https://other.example/.well-known/mcp.json', ['https://other.example/.well-known/mcp.json']],
    ['/docs/.well-known/mcp.json', ['https://shop.example/docs/.well-known/mcp.json']],
    ['/.well-known/mcp.json5 /.well-known/mcp.jsonl', [`${own}5`, `${own}l`]],
    ['/.well-known/mcp', []],
  ];
  for (const [text, found] of cases) t.same(hrefs(text), found, text);
});

t.test('a hostile text costs little', async (t) => {
  t.equal(hrefs('/.well-known/mcp.json '.repeat(40_000)).length, 100);
  t.ok(hrefs('x'.repeat(500_000) + '/.well-known/mcp.json'.repeat(20_000)).length <= 100);
  t.same(hrefs(`https://[/.well-known/mcp.json`), ['https://shop.example/.well-known/mcp.json']);
});
