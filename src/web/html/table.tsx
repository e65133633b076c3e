import type { ComponentChildren } from 'preact';
import { Icon } from './text.js';

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
  /** CSS classes of the cells. `r` also aligns the heading. */
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
  /** Groups with titles, or a single one without. */
  readonly groups: readonly { readonly title?: ComponentChildren; readonly rows: readonly Row[] }[];
}

/** A table from data: rows by columns. */
export function Table<Row>({ kind, caption, columns, groups }: TableProps<Row>) {
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
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ title, kind: cellKind, isName, cell }, at) =>
                isName ? (
                  <th key={at} scope="row" class={cellKind}>
                    {cell(row)}
                  </th>
                ) : (
                  // On a phone, a visible title is the label of its cells.
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
      {title} {order !== null && <Icon name={order} />}
    </a>
  );
}

type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** Lists facts. Omits those that do not apply. */
export function DescriptionList({ facts }: { readonly facts: readonly (Fact | false | null)[] }) {
  return (
    <dl class="dl">
      {facts.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** Minimum width, of 100, so that the bar is visible. */
const WIDTH_MIN = 2;

/** Shows how much of a limit is used. Hidden from screen readers, since a text next to it says the same. */
export function UseBar({ used, max }: { readonly used: number; readonly max: number }) {
  const width = used > 0 ? Math.max(Math.round(Math.min(used / max, 1) * 1000) / 10, WIDTH_MIN) : 0;
  return (
    <svg class="use" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <path class="bar-whole" d="M0 0h100v6H0z" />
      <path class="bar-used" d={`M0 0h${width}v6H0z`} />
    </svg>
  );
}
