import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Prose, ShortProse } from '../html/prose.js';
import { CountedFold } from '../html/fold.js';
import { TableHead } from '../html/table.js';

interface TableProseProps {
  readonly text: string;
  /** Whether its tables are names and types with what they mean. */
  readonly isSpec?: boolean;
}

/** Our own Markdown with its tables as tables: {@link Prose} knows none. */
export function TableProse({ text, isSpec = false }: TableProseProps): JSX.Element {
  return (
    <>
      {text
        .trim()
        .split(/\n\n(?=\|)|(?<=\|)\n\n/)
        .map((part) =>
          part.startsWith('|') ? (
            <TextTable key={part} text={part} isSpec={isSpec} />
          ) : (
            <Prose key={part} text={part} />
          ),
        )}
    </>
  );
}

/** The same, with each chapter of the third level folded away and its rows counted; the first is open, to show what the others hold. */
export function FoldedProse({ text }: { readonly text: string }): JSX.Element {
  const [before = '', ...chapters] = text.split(/^### /m);
  return (
    <>
      <TableProse text={before} />
      {chapters.map((chapter, index) => {
        const [title = ''] = chapter.split('\n', 1);
        const rows = chapter.slice(title.length).trim();
        return (
          <CountedFold key={title} title={title} isOpen={index === 0} count={countOf(rowsOf(rows).length - 1, 'item')}>
            <TableProse text={rows} />
          </CountedFold>
        );
      })}
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

/** On a narrow screen its rows become blocks, unless two columns are all that it has. */
function TextTable({ text, isSpec = false }: TableProseProps): JSX.Element {
  const [head = [], ...rows] = rowsOf(text);
  return (
    <table class={[...(head.length > 2 ? ['stack'] : []), 'texts', ...(isSpec ? ['spec'] : [])].join(' ')}>
      <colgroup>
        {head.map((title) => (
          <col key={title} />
        ))}
      </colgroup>
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
