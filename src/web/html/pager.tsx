import type { JSX } from 'preact';

export interface PagerProps {
  readonly label: string;
  /** Of the newest entries; it may have a query. */
  readonly address: string;
  readonly isLatest: boolean;
  /** The last entry shown, where there are earlier ones. */
  readonly before: string | number | null;
  /** What the list has, where it does not say so itself. */
  readonly what?: string;
}

/** Between the pages of a list that begins with its newest entries; nothing where one page holds them all. */
export function Pager({ label, address, isLatest, before, what = '' }: PagerProps): JSX.Element | null {
  if (isLatest && before === null) return null;
  return (
    <nav aria-label={label} class="row more">
      {!isLatest && <PageLink href={address}>{`Latest ${what}`.trim()}</PageLink>}
      {before !== null && (
        <PageLink href={`${address}${address.includes('?') ? '&' : '?'}before=${encodeURIComponent(before)}`}>
          {`Earlier ${what}`.trim()}
        </PageLink>
      )}
    </nav>
  );
}

export interface NumberedPagerProps {
  readonly label: string;
  /** The page shown, from 1 on. */
  readonly page: number;
  readonly pageSize: number;
  /** Of all entries. */
  readonly count: number;
  /** What is counted, as one of several: `sites`. */
  readonly what: string;
  readonly hrefOf: (page: number) => string;
}

/** The pages to which a list of `count` entries comes, at least one. */
export function pageCountOf(count: number, pageSize: number): number {
  return Math.max(1, Math.ceil(count / pageSize));
}

/** Between the pages of a list that is numbered from its beginning: which entries these are, of how many. */
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
