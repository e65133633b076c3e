import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';
import { ActionButton } from './form.js';
import { Icon } from './icons.js';

export interface FoldProps {
  readonly title: ComponentChildren;
  readonly isOpen?: boolean;
  /** By which script knows it again in a newer page, and leaves it open or closed. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** What is out of the way until it is asked for. */
export function Fold({ title, isOpen = false, id, children }: FoldProps): JSX.Element {
  return (
    <details class="fold" id={id} open={isOpen}>
      <summary>
        {title}
        <Icon name="right" />
      </summary>
      {children}
    </details>
  );
}

interface CountedFoldProps extends FoldProps {
  /** Once in a page. */
  readonly title: string;
  readonly count: ComponentChildren;
}

/** The same for a list, with how long it is. */
export function CountedFold({ title, count, ...fold }: CountedFoldProps): JSX.Element {
  const counted = (
    <>
      {title} <span class="soft num">{count}</span>
    </>
  );
  return <Fold {...fold} title={counted} id={title.toLowerCase().replaceAll(/[^a-z]+/g, '-')} />;
}

interface AddressFoldProps {
  readonly title: string;
  /** What gives it another address, and what ends it. */
  readonly renew: Link;
  readonly end: Link;
  readonly children: ComponentChildren;
}

/** What can be done about an address that others have. */
export function AddressFold({ title, renew, end, children }: AddressFoldProps): JSX.Element {
  return (
    <Fold title={title}>
      <div>
        <p>{children}</p>
        <div class="row">
          <ActionButton action={renew[0]} kind="quiet">
            {renew[1]}
          </ActionButton>
          <ActionButton action={end[0]} kind="danger">
            {end[1]}
          </ActionButton>
        </div>
      </div>
    </Fold>
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
