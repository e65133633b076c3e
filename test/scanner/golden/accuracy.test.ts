import { readFileSync } from 'node:fs';
import t from 'tap';
import { judgeOwn } from '../../accuracy/own-rows.js';
import { ACCURACY_PAGE, formatPage, othersOf } from '../../accuracy/page.js';
import { countRows, formatCounts, outcomeOf } from '../../accuracy/rows.js';

t.test('the page says what is so', async (t) => {
  const page = readFileSync(ACCURACY_PAGE, 'utf8');
  const own = formatCounts(countRows(await judgeOwn()));
  t.equal(page, formatPage(own, othersOf(page)), 'run "make accuracy"');
  t.match(othersOf(page), /^\| check .*\| all .*\|$/s);
});

t.test('what a judgement comes to', async (t) => {
  const cases = [
    ['PASS', 'PASS', 'right'],
    ['FAIL MISSING', 'FAIL MISSING', 'right'],
    ['FAIL', 'FAIL MISSING', 'right'],
    ['PASS', 'FAIL MISSING', 'falseFail'],
    ['NOT_APPLICABLE', 'FAIL MISSING', 'falseFail'],
    ['FAIL MISSING', 'PASS', 'falsePass'],
    ['FAIL MISSING', 'FAIL FORMAT', 'other'],
    ['FAIL MISSING', 'NOT_APPLICABLE', 'other'],
    ['PASS', 'NOT_APPLICABLE', 'other'],
    ['FAIL MISSING', 'UNDETERMINED', 'undetermined'],
    ['UNDETERMINED', 'PASS', 'other'],
  ] as const;
  for (const [label, found, outcome] of cases)
    t.equal(outcomeOf({ expected: [label], found }), outcome, `${label}: ${found}`);
  t.equal(outcomeOf({ expected: ['FAIL', 'PASS'], found: 'PASS' }), 'right');

  const row = { id: 'a', checkId: 'C-B', expected: ['PASS'] };
  const table = formatCounts(
    countRows([
      { ...row, found: 'PASS' },
      { ...row, found: 'FAIL FORMAT' },
      { ...row, checkId: 'C-A', found: 'PASS' },
    ]),
  );
  t.match(table, /^\| C-A +\| +1 \| +1 \|(?: +0 \|){4}$/m);
  t.match(table, /^\| C-B +\| +2 \| +1 \| +1 \|(?: +0 \|){3}$/m);
  t.match(table, /^\| all +\| +3 \| +2 \| +1 \|/m);
});
