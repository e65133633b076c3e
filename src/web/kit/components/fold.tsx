import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

export interface FoldProps {
  readonly title: string;
  readonly count: number;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** What is out of the way until it is asked for. */
export function Fold({ title, count, isOpen = false, children }: FoldProps): JSX.Element {
  return (
    <details class="fold" id={title.toLowerCase().replaceAll(/[^a-z]+/g, '-')} open={isOpen}>
      <summary>
        {title} <span class="soft num">{count}</span>
        <Icon name="right" />
      </summary>
      {children}
    </details>
  );
}

export interface CopyLinkProps {
  /** A text of ours. */
  readonly href: string;
  /** What the link to it says. */
  readonly label: ComponentChildren;
  /** Whether it tells of all failures, in the head of their list. Where script can copy it is a button, which says so. */
  readonly isAll?: boolean;
}

/** A text of ours to take along. */
export function CopyLink({ href, label, isAll = false }: CopyLinkProps): JSX.Element {
  return (
    <a class={isAll ? 'btn quiet tight' : 'btn quiet'} href={href} data-copy>
      <Icon name="copy" />
      <span>{label}</span>
    </a>
  );
}
