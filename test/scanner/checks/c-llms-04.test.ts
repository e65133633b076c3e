import t from 'tap';
import { cLlms04 } from '../../../src/scanner/checks/c-llms-04.js';
import { findingOf } from '../../support/collect.js';
import { outcomeOf, site } from './llms-sites.js';

t.test('C-LLMS-04: characters are counted, not bytes', async (t) => {
  const cases: [name: string, body: string, outcome: string][] = [
    ['100,000 of one byte', `# A${'a'.repeat(99_997)}`, 'PASS'],
    ['one more', `# A${'a'.repeat(99_998)}`, 'FAIL OVERSIZE'],
    ['100,000 of three bytes, after a BOM', `\uFEFF# 字${'字'.repeat(99_997)}`, 'PASS'],
    ['100,000 of four bytes', `# A${'😀'.repeat(99_997)}`, 'PASS'],
    ['past our own limit', `# A\n${'😀'.repeat(262_200)}`, 'FAIL OVERSIZE'],
  ];
  for (const [name, body, outcome] of cases) t.equal(await outcomeOf(cLlms04, site({ body })), outcome, name);
  const mislabelled = { body: `# A${'字'.repeat(50_000)}`, type: 'text/plain; charset=iso-8859-1' };
  t.equal(await outcomeOf(cLlms04, site(mislabelled)), 'PASS', 'the charset of the header does not count');
  t.match((await findingOf(cLlms04, site(`# A${'a'.repeat(60_000)}`))).detail, /60,003 characters.*50,000/);
});
