import type { JSX } from 'preact';

export interface PagerProps {
  readonly label: string;
  /** Address of the newest entries. */
  readonly address: string;
  readonly isLatest: boolean;
  /** The last entry shown, if there are earlier ones. */
  readonly before: string | null;
}

/** Links between the pages of a list, newest first; nothing for a single page. */
export function Pager({ label, address, isLatest, before }: PagerProps): JSX.Element | null {
  if (isLatest && before === null) return null;
  return (
    <nav aria-label={label} class="row more">
      {!isLatest && <PageLink href={address}>Latest</PageLink>}
      {before !== null && <PageLink href={`${address}?before=${encodeURIComponent(before)}`}>Earlier</PageLink>}
    </nav>
  );
}

export interface NumberedPagerProps {
  readonly label: string;
  /** The current page, from 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Number of all entries. */
  readonly count: number;
  /** Plural of an entry: `sites`. */
  readonly what: string;
  readonly hrefOf: (page: number) => string;
}

/** Returns the number of pages of a list, at least 1. */
export function pageCountOf(count: number, pageSize: number): number {
  return Math.max(1, Math.ceil(count / pageSize));
}

/** Links between numbered pages, and which entries of how many this one shows. */
export function NumberedPager({ label, page, pageSize, count, what, hrefOf }: NumberedPagerProps): JSX.Element {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(count, page * pageSize);
  if (count <= pageSize) return <span class="soft small">{count === 1 ? '' : `All ${count} ${what}`}</span>;
  return (
    <nav aria-label={label} class="row">
      <span class="soft small num">
        {first} to {last} of {count}
      </span>
      {page > 1 && <PageLink href={hrefOf(page - 1)}>Previous</PageLink>}
      {last < count && <PageLink href={hrefOf(page + 1)}>Next</PageLink>}
    </nav>
  );
}

function PageLink({ href, children }: { readonly href: string; readonly children: string }): JSX.Element {
  return (
    <a class="btn quiet tight" href={href}>
      {children}
    </a>
  );
}
