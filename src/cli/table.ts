export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${all.map(format).join('\n')}\n`;
}

export function formatMarkdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const format = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return `${[format(header), format(header.map(() => '---')), ...rows.map(format)].join('\n')}\n`;
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Wraps at spaces. Preserves the indent of the first line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Formats indented rows with a column of names and a column of wrapped texts. */
export function wrapRows(rows: readonly (readonly [name: string, text: string])[], columns: number): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) =>
    wrap(text, columns - width - 4).map((line, index) => `  ${(index === 0 ? name : '').padEnd(width)}  ${line}`),
  );
}
