import { readFileSync } from 'node:fs';
import t from 'tap';
import { judgeOwn } from '../../accuracy/own-rows.js';
import { ACCURACY_PAGE, formatPage, othersOf } from '../../accuracy/page.js';
import { countRows, formatCounts } from '../../accuracy/rows.js';

t.test('the page says what is so', async (t) => {
  const page = readFileSync(ACCURACY_PAGE, 'utf8');
  const own = formatCounts(countRows(await judgeOwn()));
  t.equal(page, formatPage(own, othersOf(page)), 'run "make accuracy"');
  t.match(othersOf(page), /^\| check .*\| all .*\|$/s);
});
