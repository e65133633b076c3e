type Cell = string | number | null;

/** Prints a table that can be pasted as Markdown. Numbers are rounded to three significant digits, or to whole ones from 1,000. */
export function printTable(title: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(formatCell).join(' | ')} |`;
  const rule = columns.map((_, column) => (column === 0 ? '---' : '--:'));
  console.log(`\n### ${title}\n\n${[columns, rule, ...rows].map(line).join('\n')}`);
}

function formatCell(value: Cell): string {
  if (typeof value !== 'number') return value ?? '';
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
