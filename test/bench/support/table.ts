import { cpus, loadavg } from 'node:os';

type Cell = string | number | null;

/** Prints a table that can be pasted as Markdown. Numbers are rounded to three significant digits, or to whole ones from 1,000. */
export function printTable(title: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const cells = [columns, ...rows].map((row) => row.map(formatCell));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0), 3));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  process.stdout.write(`\n### ${title}\n\n${[line(head), rule, ...body.map(line)].join('\n')}\n`);
}

export function printNote(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function formatCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

/** Where the figures come from: they mean nothing without it. */
export function printMachine(): void {
  const [cpu] = cpus();
  printNote(
    `Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(2) ?? '?'}.`,
  );
}
