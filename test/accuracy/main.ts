/** `make accuracy`: how often each check is right about what is labelled. CORPUS=folder also judges the files there. */
import { writeFileSync } from 'node:fs';
import { readProject } from '../support/project.js';
import { judgeFolder } from './folder-rows.js';
import { judgeOwn } from './own-rows.js';
import { formatTable, outcomeOf, type Row } from './rows.js';

const PAGE = 'docs/accuracy.md';
const folder = process.env.CORPUS ?? '';

report('Our own cases', await judgeOwn());
if (folder !== '') report('Independent cases', await judgeFolder(folder));

/** Puts the table of these rows on the page, below its heading, and prints the rows that are not right. */
function report(heading: string, rows: readonly Row[]): void {
  const table = formatTable(rows);
  const tableBelow = new RegExp(`(\n## ${heading}\n[^|]*)(?:\\|.*\n)+`);
  const page = readProject(PAGE).replace(tableBelow, (_, before: string) => `${before}${table}\n`);
  writeFileSync(PAGE, page);
  console.log(`${heading}\n\n${table}\n`);
  for (const row of rows) {
    if (outcomeOf(row) !== 'right')
      console.log(`${row.id}, ${row.checkId}: expected ${row.expected.join(' or ')}, found ${row.found}`);
  }
}
