/** `make accuracy`: how often each check is right about what is labelled. CORPUS=folder judges the files there, too. */
import { readFileSync, writeFileSync } from 'node:fs';
import { judgeFolder } from './folder-rows.js';
import { judgeOwn } from './own-rows.js';
import { ACCURACY_PAGE, formatPage, othersOf } from './page.js';
import { countRows, formatCounts, outcomeOf, type Row } from './rows.js';

const own = await judgeOwn();
const folder = process.env.CORPUS ?? '';
const others = folder === '' ? null : await judgeFolder(folder);
show('The project’s own rows', own);
if (others) show(`The rows of ${folder}`, others);
const othersTable = others ? formatCounts(countRows(others)) : othersOf(readFileSync(ACCURACY_PAGE, 'utf8'));
writeFileSync(ACCURACY_PAGE, formatPage(formatCounts(countRows(own)), othersTable));

function show(title: string, rows: readonly Row[]): void {
  console.log(`${title}\n\n${formatCounts(countRows(rows))}\n`);
  for (const row of rows) {
    if (outcomeOf(row) !== 'right')
      console.log(`${row.id}, ${row.checkId}: expected ${row.expected.join(' or ')}, found ${row.found}`);
  }
}
