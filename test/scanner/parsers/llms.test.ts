import t from 'tap';
import { blankFrontMatter, parseLlms } from '../../../src/scanner/parsers/llms.js';

const FILLER = 'A paragraph that only fills the file up.\n\n'.repeat(40);

/** The lines and targets of the links, in source order. */
function linksOf(text: string): [number, string][] {
  return parseLlms(text).links.map(({ line, target }) => [line, target]);
}

t.test('the first heading and the first H1 are those with text in the document itself', async (t) => {
  const cases: [text: string, first: [number, number] | null, h1Line: number | null][] = [
    ['# Name\n', [1, 1], 1],
    ['Name\n====\n', [1, 1], 1],
    ['\uFEFF# Name', [1, 1], 1],
    ['A note.\r\n\r\n# Name\r\n', [1, 3], 3],
    ['#\n# Name\n#\n', [1, 2], 2],
    ['# ![Name](logo.svg)\n', [1, 1], 1],
    ['# ![](logo.svg)\n', null, null],
    ['#Name\n', null, null],
    ['## Docs\n# Name\n', [2, 1], 2],
    ['### Docs\n', [3, 1], null],
    ['A note with a rule below\n---\n# Name\n', [1, 3], 3],
    ['> # Quoted\n\n- # Listed\n', null, null],
    ['```\n# code\n```\n# Name\n', [1, 4], 4],
    ['<!--\n# hidden\n-->\n\n# Name\n', [1, 5], 5],
    ['---\ntitle: x\n# comment\n---\n# Name\n', [1, 5], 5],
    ['+++\ntitle = "x"\n+++\n\n# Name\n', [1, 5], 5],
    ['---\n# Name\n---\n', [1, 2], 2],
    ['', null, null],
  ];
  for (const [text, first, h1Line] of cases) {
    const { firstHeading, h1 } = parseLlms(text);
    t.same(firstHeading && [firstHeading.level, firstHeading.line], first, JSON.stringify(text));
    t.equal(h1?.line ?? null, h1Line, JSON.stringify(text));
  }
});

t.test('links are found as CommonMark has them', async (t) => {
  const cases: [text: string, links: [number, string][]][] = [
    [
      '- [a](/a): note\n- *[b](/b)*',
      [
        [1, '/a'],
        [2, '/b'],
      ],
    ],
    [
      '[a](</with space>) [b](/b_(c)) [c [d]](/e)',
      [
        [1, '/with space'],
        [1, '/b_(c)'],
        [1, '/e'],
      ],
    ],
    [
      '[empty]() [also](<>)',
      [
        [1, ''],
        [1, ''],
      ],
    ],
    ['<https://example.com/auto>', [[1, 'https://example.com/auto']]],
    ['[![logo](/logo.svg)](/home)', [[1, '/home']]],
    [
      '[a][ref], [ref]\n\n[ref]: /target',
      [
        [1, '/target'],
        [1, '/target'],
      ],
    ],
    ['[a][nowhere], ![img](/img.png), `[code](/code)`', []],
    ['    [indented](/code)\n\n```\n[fenced](/code)\n```', []],
    ['https://example.com/bare', []],
  ];
  for (const [text, links] of cases) t.same(linksOf(text), links, JSON.stringify(text));
});

t.test('lists of nothing but bare URLs are told from lists that mention one', async (t) => {
  const cases: [text: string, lines: number[]][] = [
    ['- https://example.com/a\n- https://example.com/b', [1, 2]],
    ['- https://example.com/a', []],
    ['- Contact: https://example.com/a\n- https://example.com/b', []],
    ['- [a](https://example.com/a)\n- [b](https://example.com/b)', []],
  ];
  for (const [text, lines] of cases) t.same(parseLlms(text).bareUrlItemLines, lines, JSON.stringify(text));
});

t.test('a long file keeps its lines and its blocks', async (t) => {
  const nested = `# Name\n\n- Top\n${'  - [a](/a) with a note that takes some room\n    - [b](/b)\n'.repeat(100)}`;
  t.equal(linksOf(nested).length, 200, 'lists in lists stay lists');
  t.same(linksOf(nested).at(-1), [203, '/b']);

  const fenced = `# Name\n\n\`\`\`\n${'[code](/code)\n\n'.repeat(300)}\`\`\`\n\n[a](/a)\n`;
  t.same(linksOf(fenced), [[606, '/a']], 'code stays code until its fence is closed');

  const fencedInItem = `- item\n  ~~~\n${'  [code](/code)\n\n'.repeat(300)}\n[a](/a)\n`;
  t.same(linksOf(fencedInItem), [[604, '/a']], 'code in a list item ends with the item');

  const html = `# Name\n\n<!--\n${'[hidden](/hidden)\n\n'.repeat(300)}-->\n\n[a](/a)\n`;
  t.same(linksOf(html), [[606, '/a']], 'a comment stays a comment until its end');

  const references = `# Name\n\n[a][Ref]\n\n${FILLER}[ref]: /target\n`;
  t.same(linksOf(references), [[3, '/target']], 'a definition holds for the whole file');

  const indented = `    [a]\n\n# Name\n\n${FILLER}[a]: /target\n`;
  t.same(linksOf(indented), [], 'indented code stays code');

  const late = `${FILLER}# Name\n`;
  t.equal(parseLlms(late).h1?.line, 81, 'lines count from the start of the file');

  const longLine = `# Name\n\n${'[a](/a) and some words, '.repeat(1000)}# no heading\n## Next\n`;
  t.equal(linksOf(longLine).length, 1000, 'a long line has all of its links');
  t.equal(parseLlms(longLine).h1?.line, 1);
});

t.test('hostile files are read to an end', async (t) => {
  const patterns = [
    '[',
    '![',
    '*',
    '>',
    '> - ',
    '- ',
    'a*',
    '[a](',
    '[a]()',
    '- a\n  - b\n',
    '`a``',
    '<a ',
    '\t',
    '😀',
  ];
  for (const pattern of patterns) {
    const { isWhollyParsed } = parseLlms(pattern.repeat(Math.ceil(8_000 / pattern.length)));
    t.equal(isWhollyParsed, true, JSON.stringify(pattern));
  }
  const deep = Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n');
  t.equal(parseLlms(`# Name\n\n${deep}`).h1?.line, 1);
});

t.test('what stands past any length that an agent reads is not looked at, and no claim is made about it', async (t) => {
  const { h1, isWhollyParsed } = parseLlms(`${'word '.repeat(200_000)}\n\n# Name\n`);
  t.same([h1, isWhollyParsed], [null, false]);
});

t.test('what stands between two rules is front matter only where it holds a key', async (t) => {
  for (const [inside, isBlanked] of [
    ['title: Name', true],
    ['title = "Name"', true],
    ['a.b: c', false],
    ['Some words: and more', false],
  ] as const) {
    const text = `---\n${inside}\n---\n# Name`;
    t.equal(blankFrontMatter(text), isBlanked ? '\n\n\n# Name' : text, inside);
  }
});
