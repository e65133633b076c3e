import type { JSX } from 'preact';
import { Prose, ShortProse } from '../../kit/components/prose.js';
import { TableHead } from '../../kit/components/table.js';

/** Our own Markdown with its tables as tables: {@link Prose} knows none. */
export function TableProse({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text
        .trim()
        .split(/\n\n(?=\|)|(?<=\|)\n\n/)
        .map((part) =>
          part.startsWith('|') ? <TextTable key={part} text={part} /> : <Prose key={part} text={part} />,
        )}
    </>
  );
}

/** The cells of a table's rows, without the line below its head. */
export function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .filter((_, index) => index !== 1)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** A Markdown table of texts. @param rows without `|` in their cells */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** On a narrow screen its rows become blocks. */
function TextTable({ text }: { readonly text: string }): JSX.Element {
  const [head = [], ...rows] = rowsOf(text);
  return (
    <table class={`stack texts of-${head.length}`}>
      <TableHead columns={head.map((title) => [title])} />
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">
              <ShortProse text={name} />
            </th>
            {cells.map((cell, index) => (
              <td key={head[index + 1]} data-label={head[index + 1]}>
                <ShortProse text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
