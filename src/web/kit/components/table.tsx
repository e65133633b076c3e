import type { JSX } from 'preact';
import { Icon } from './icons.js';

/** How a list is sorted by a column. */
export interface Sort {
  /** Where the list is sorted by it, or the other way round. */
  readonly href: string;
  /** How it is sorted now; null where by another column. */
  readonly order: 'ascending' | 'descending' | null;
}

export type Column = readonly [title: string, kind?: 'number' | 'r' | undefined, sort?: Sort];

/** The headings of the columns: a link where the list can be sorted by one. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {columns.map(([title, kind, sort]) => (
          <th key={title} scope="col" class={kind} aria-sort={sort?.order ?? undefined}>
            {sort === undefined ? title : <SortLink title={title} sort={sort} />}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SortLink({ title, sort: { href, order } }: { readonly title: string; readonly sort: Sort }): JSX.Element {
  return (
    <a href={href}>
      {title} {order !== null && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
    </a>
  );
}
