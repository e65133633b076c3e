import t from 'tap';
import { cLlms02 } from '../../../src/scanner/checks/c-llms-02.js';
import { found } from '../../../src/scanner/artifacts/evidence.js';
import { judge } from '../../../src/scanner/verdict/judge.js';
import { collectFrom, findingOf } from '../../support/collect.js';
import { GOOD, outcomeOf, site } from './llms-sites.js';

t.test('C-LLMS-02: does it follow the format?', async (t) => {
  const cases: [name: string, body: string | Uint8Array, outcome: string][] = [
    ['the whole format', GOOD, 'PASS'],
    ['an H1 alone', '# Name', 'PASS'],
    ['a BOM', '\uFEFF# Name', 'PASS'],
    ['front matter', '---\ntitle: Name\n---\n\n# Name', 'PASS'],
    ['front matter of many lines', `---\n${'key: value\n'.repeat(300)}---\n\n# Name`, 'PASS'],
    ['a note before the H1', 'Made by a plugin.\n\n# Name', 'PASS'],
    ['several H1s, H3s, prose, CRLF', '# A\r\n\r\n### B\r\n\r\nProse.\r\n\r\n# C\r\n', 'PASS'],
    ['relative links, `*` bullets, parentheses', '# A\n\n* [a](../b_(c))\n* [d](#e)', 'PASS'],
    ['a heading in code', '```\n## no\n```\n# Name', 'PASS'],
    ['bare URLs alongside a link', '# A\n\n- https://a.com/1\n- https://a.com/2\n\n[b](/b)', 'PASS'],
    ['no UTF-8', Buffer.from('# Gr\xfc\xdfe', 'latin1'), 'FAIL FORMAT'],
    ['NUL bytes', '# Name\n\0', 'FAIL FORMAT'],
    ['nothing', '', 'FAIL FORMAT'],
    ['white space', ' \n\uFEFF\n', 'FAIL FORMAT'],
    ['no H1', 'Just words and a [link](/a).', 'FAIL FORMAT'],
    ['an empty H1', '#\n\nWords', 'FAIL FORMAT'],
    ['an H2 before the H1', '## Docs\n\n# Name', 'FAIL STRUCTURE'],
    ['an H3 before the H1', '### Docs\n\n# Name', 'FAIL STRUCTURE'],
    ['an empty target', '# A\n\n- [a]()', 'FAIL STRUCTURE'],
    ['a target that is not a URL', '# A\n\n- [a](http://[)', 'FAIL STRUCTURE'],
    ['lists of bare URLs', '# A\n\n- https://a.com/1\n- https://a.com/2', 'FAIL STRUCTURE'],
  ];
  for (const [name, body, outcome] of cases) t.equal(await outcomeOf(cLlms02, site({ body })), outcome, name);

  const { detail } = await findingOf(cLlms02, site('## B\n# A\n\n[x]() [y](/y)\n\n[z](<>)'));
  t.equal(
    detail,
    'An H2 on line 1 comes before the H1 on line 2. 2 links have an empty or invalid address: lines 4 and 6.',
  );
});

t.test('a cut of our own is not a fault of the encoding', async (t) => {
  const document = await collectFrom(site({ body: `# A ${'字'.repeat(400_000)}` }), 'llmsDocument');
  t.match(document, { ok: { textFault: null, isOverLimit: true } });
});

t.test('no claim is made about what was not looked at', async (t) => {
  const document = {
    ...{ textFault: null, characterCount: 9, isOverLimit: true, firstHeading: { level: 1, line: 1 } as const },
    ...{ h1: { level: 1, line: 1 } as const, links: [], bareUrlItemLines: [3, 4], hasTemplateText: false },
  };
  const judged = (isWhollyParsed: boolean) =>
    judge(cLlms02, { llmsDocument: found({ ...document, isWhollyParsed }) }).finding;
  t.match(judged(true), { result: 'FAIL', errorType: 'STRUCTURE' });
  t.match(judged(false), { result: 'PASS' });
});
