import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

/** Sorting by a column. */
export interface Sort {
  /** Sorts by the column, or reverses the order. */
  readonly href: string;
  /** The current order; null if the list is sorted by another column. */
  readonly order: 'ascending' | 'descending' | null;
}

/** A heading; `r` aligns figures to the right. */
export type Column = readonly [title: ComponentChildren, kind?: 'r' | undefined, sort?: Sort];

interface TableHeadProps {
  readonly columns: readonly Column[];
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
