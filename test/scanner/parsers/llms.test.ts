import t from 'tap';
import { blankFrontMatter, parseLlms } from '../../../src/scanner/parsers/llms.js';

const FILLER = 'A paragraph that only fills the file up.\n\n'.repeat(40);

/** The lines and targets of the links, in source order. */
const linksOf = (text: string) => parseLlms(text).targets.map(({ line, target }) => `${line} ${target}`);

t.test('the first heading and the first H1 are those with text in the document itself', async (t) => {
  const cases: [text: string, first: string, h1Line: number | null][] = [
    ['# Name\n', 'H1 on 1', 1],
    ['Name\n====\n', 'H1 on 1', 1],
    ['\uFEFF# Name', 'H1 on 1', 1],
    ['A note.\r\n\r\n# Name\r\n', 'H1 on 3', 3],
    ['#\n# Name\n#\n', 'H1 on 2', 2],
    ['# ![Name](logo.svg)\n', 'H1 on 1', 1],
    ['# ![](logo.svg)\n', '', null],
    ['#Name\n', '', null],
    ['## Docs\n# Name\n', 'H2 on 1', 2],
    ['### Docs\n', 'H3 on 1', null],
    ['A note with a rule below\n---\n# Name\n', 'H1 on 3', 3],
    ['> # Quoted\n\n- # Listed\n', '', null],
    ['```\n# code\n```\n# Name\n', 'H1 on 4', 4],
    ['<!--\n# hidden\n-->\n\n# Name\n', 'H1 on 5', 5],
    ['---\ntitle: x\n# comment\n---\n# Name\n', 'H1 on 5', 5],
    ['+++\ntitle = "x"\n+++\n\n# Name\n', 'H1 on 5', 5],
    ['---\n# Name\n---\n', 'H1 on 2', 2],
    ['', '', null],
  ];
  for (const [text, first, h1Line] of cases) {
    const { firstHeading, h1 } = parseLlms(text);
    t.equal(firstHeading ? `H${firstHeading.level} on ${firstHeading.line}` : '', first, JSON.stringify(text));
    t.equal(h1?.line ?? null, h1Line, JSON.stringify(text));
  }
});

t.test('links are found as CommonMark has them', async (t) => {
  const cases: [text: string, ...links: string[]][] = [
    ['- [a](/a): note\n- *[b](/b)*', '1 /a', '2 /b'],
    ['[a](</with space>) [b](/b_(c)) [c [d]](/e)', '1 /with space', '1 /b_(c)', '1 /e'],
    ['[empty]() [also](<>)', '1 ', '1 '],
    ['<https://example.com/auto>', '1 https://example.com/auto'],
    ['[![logo](/logo.svg)](/home)', '1 /home'],
    ['[a][ref], [ref]\n\n[ref]: /target', '1 /target', '1 /target'],
    ['[a][nowhere], ![img](/img.png), `[code](/code)`'],
    ['    [indented](/code)\n\n```\n[fenced](/code)\n```'],
    ['https://example.com/bare'],
    // Code stays code until its fence or its list item ends, a comment until its end; a definition holds for the whole file.
    [`# Name\n\n\`\`\`\n${'[code](/code)\n\n'.repeat(300)}\`\`\`\n\n[a](/a)\n`, '606 /a'],
    [`- item\n  ~~~\n${'  [code](/code)\n\n'.repeat(300)}\n[a](/a)\n`, '604 /a'],
    [`# Name\n\n<!--\n${'[hidden](/hidden)\n\n'.repeat(300)}-->\n\n[a](/a)\n`, '606 /a'],
    [`# Name\n\n[a][Ref]\n\n${FILLER}[ref]: /target\n`, '3 /target'],
    [`    [a]\n\n# Name\n\n${FILLER}[a]: /target\n`],
  ];
  for (const [text, ...links] of cases) t.same(linksOf(text), links, JSON.stringify(text));
  const nested = linksOf(
    `# Name\n\n- Top\n${'  - [a](/a) with a note that takes some room\n    - [b](/b)\n'.repeat(100)}`,
  );
  t.same([nested.length, nested.at(-1)], [200, '203 /b'], 'lists in lists stay lists');
});

t.test('lists of bare URLs only', async (t) => {
  const cases: [text: string, lines: number[]][] = [
    ['- https://example.com/a\n- https://example.com/b', [1, 2]],
    ['- https://example.com/a', []],
    ['- Contact: https://example.com/a\n- https://example.com/b', []],
    ['- [a](https://example.com/a)\n- [b](https://example.com/b)', []],
  ];
  for (const [text, lines] of cases) t.same(parseLlms(text).bareUrlItemLines, lines, JSON.stringify(text));
});

t.test('a long line has all of its links, and a link that the limit cuts is none', async (t) => {
  t.equal(linksOf(`# Name\n\n${'[a](/a) and some words, '.repeat(1000)}\n## Next\n`).length, 1000);
  t.same(linksOf(`# Name\n\n[a][r]\n\n${'word '.repeat(19_990)}\n\n[r]: /a${'/b'.repeat(50)}\n`), []);
  t.match(parseLlms(`${'word '.repeat(200_000)}\n\n# Name\n`), { h1: null, isFullyParsed: false });
});

t.test('text between two rules is front matter only if it has a key', async (t) => {
  const cases = { 'title: Name': true, 'title = "Name"': true, 'a.b: c': false, 'Some words: and more': false };
  for (const [inside, isBlanked] of Object.entries(cases)) {
    const text = `---\n${inside}\n---\n# Name`;
    t.equal(blankFrontMatter(text), isBlanked ? '\n\n\n# Name' : text, inside);
  }
});
