import type { JSX } from 'preact';

export interface PagerProps {
  readonly label: string;
  /** Of the newest entries. */
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
    <nav aria-label={label} class="row">
      {!isLatest && <a href={address}>{`Latest ${what}`.trim()}</a>}
      {before !== null && <a href={`${address}?before=${encodeURIComponent(before)}`}>{`Earlier ${what}`.trim()}</a>}
    </nav>
  );
}
