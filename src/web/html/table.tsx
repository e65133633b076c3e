import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

/** How a list is sorted by a column. */
export interface Sort {
  /** Where the list is sorted by it, or the other way round. */
  readonly href: string;
  /** How it is sorted now; null where by another column. */
  readonly order: 'ascending' | 'descending' | null;
}

/** A heading; `r` for figures, which stand at the right. */
export type Column = readonly [title: ComponentChildren, kind?: 'r' | undefined, sort?: Sort];

interface TableHeadProps {
  readonly columns: readonly Column[];
  /** Whether it is only for those who do not see the table. */
  readonly isHidden?: boolean;
}

/** The headings of the columns: a link where the list can be sorted by one. */
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
