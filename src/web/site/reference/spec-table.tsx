import type { ComponentChildren, JSX } from 'preact';
import { TableHead } from '../../kit/components/table.js';

export interface SpecRow {
  readonly name: string;
  readonly type: ComponentChildren;
  readonly meaning: ComponentChildren;
}

export interface SpecTableProps {
  readonly caption: ComponentChildren;
  /** What the rows are, such as `Parameter`. */
  readonly kind: string;
  readonly rows: readonly SpecRow[];
  /** Whether the names are short. */
  readonly isNarrow?: boolean;
}

/** Names with their type below and their meaning alongside: two columns, which fit a phone too. */
export function SpecTable({ caption, kind, rows, isNarrow = false }: SpecTableProps): JSX.Element {
  return (
    <table class={isNarrow ? 'spec statuses' : 'spec'}>
      <caption>{caption}</caption>
      <TableHead columns={[[kind], ['Meaning']]} isHidden />
      <tbody>
        {rows.map(({ name, type, meaning }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              <span class="type">{type}</span>
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
