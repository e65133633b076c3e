import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

/** Sorting by a column. */
interface Sort {
  /** Sorts by the column, or reverses the order. */
  readonly href: string;
  /** The current order; null if the list is sorted by another column. */
  readonly order: 'ascending' | 'descending' | null;
}

/** A column: its heading, and its cell in each row. */
export interface Column<Row> {
  readonly title: ComponentChildren;
  /** Class of the cells; `r` among them also aligns the heading. */
  readonly kind?: string;
  readonly sort?: Sort;
  /** True if the cell names the row. */
  readonly isName?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** `stack`: on a phone, a row is a card and each cell has its title before it. */
  readonly kind: string;
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Groups with a title, or one without. */
  readonly groups: readonly { readonly title?: ComponentChildren; readonly rows: readonly Row[] }[];
}

/** A table from data: rows by columns. */
export function Table<Row>({ kind, caption, columns, groups }: TableProps<Row>): JSX.Element {
  return (
    <table class={kind}>
      <caption class="hide">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, kind = '', sort }, index) => (
            <th
              key={index}
              scope="col"
              class={kind.split(' ').includes('r') ? 'r' : undefined}
              aria-sort={sort?.order ?? undefined}
            >
              {sort === undefined ? title : <SortLink title={title} sort={sort} />}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ title, rows }, index) => (
        <tbody key={index}>
          {title !== undefined && (
            <tr class="part">
              <th scope="rowgroup" colSpan={columns.length}>
                {title}
              </th>
            </tr>
          )}
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ title, kind: cellKind, isName, cell }, at) =>
                isName ? (
                  <th key={at} scope="row" class={cellKind}>
                    {cell(row)}
                  </th>
                ) : (
                  // Only a title that is shown becomes the label of a cell on a phone.
                  <td
                    key={at}
                    class={cellKind}
                    data-label={kind === 'stack' && typeof title === 'string' ? title : undefined}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function SortLink({ title, sort: { href, order } }: { readonly title: ComponentChildren; readonly sort: Sort }) {
  return (
    <a href={href}>
      {title} {order !== null && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
    </a>
  );
}
