import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

/** Sorting by a column. */
interface Sort {
  /** Sorts by the column, or reverses the order. */
  readonly href: string;
  /** The current order; null if the list is sorted by another column. */
  readonly order: 'ascending' | 'descending' | null;
}

/** A heading; `r` aligns figures to the right. */
export type Heading = readonly [title: ComponentChildren, kind?: 'r' | undefined, sort?: Sort | undefined];

interface TableHeadProps {
  readonly columns: readonly Heading[];
  /** True if only screen readers get the headings. */
  readonly isHidden?: boolean;
}

/** The headings of the columns; links for those that sort the list. */
export function TableHead({ columns, isHidden = false }: TableHeadProps): JSX.Element {
  return (
    <thead class={isHidden ? 'hide' : undefined}>
      <tr>
        {columns.map(([title, kind, sort], index) => (
          <th key={index} scope="col" class={kind} aria-sort={sort?.order ?? undefined}>
            {sort === undefined ? title : <SortLink title={title} sort={sort} />}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SortLink({ title, sort: { href, order } }: { readonly title: ComponentChildren; readonly sort: Sort }) {
  return (
    <a href={href}>
      {title} {order !== null && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
    </a>
  );
}

/** A column: its heading, and its cell in each row. */
export interface Column<Row> {
  readonly title: ComponentChildren;
  /** Class of the cells; `r` at its start also aligns the heading. */
  readonly kind?: string;
  readonly sort?: Sort | undefined;
  /** True if the cell names the row. */
  readonly isName?: boolean;
  /** Precedes the cell on a phone, where a row is a card. */
  readonly label?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly kind: string;
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Groups with a title, or one without. */
  readonly groups: readonly { readonly title?: ComponentChildren; readonly rows: readonly Row[] }[];
  readonly keyOf: (row: Row) => string | number;
}

/** A table from data: rows by columns. */
export function Table<Row>({ kind, caption, columns, groups, keyOf }: TableProps<Row>): JSX.Element {
  return (
    <table class={kind}>
      <caption class="hide">{caption}</caption>
      <TableHead columns={columns.map((column) => [column.title, isFigure(column) ? 'r' : undefined, column.sort])} />
      {groups.map(({ title, rows }, index) => (
        <tbody key={index}>
          {title !== undefined && (
            <tr class="part">
              <th scope="rowgroup" colSpan={columns.length}>
                {title}
              </th>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ kind, isName = false, label, cell }, at) =>
                isName ? (
                  <th key={at} scope="row" class={kind}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={at} class={kind} data-label={label}>
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

function isFigure({ kind = '' }: Pick<Column<never>, 'kind'>): boolean {
  return kind.split(' ').includes('r');
}
