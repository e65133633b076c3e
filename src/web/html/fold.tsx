import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';
import { ActionButton } from './form.js';
import { Icon } from './icons.js';

export interface FoldProps {
  readonly title: ComponentChildren;
  readonly isOpen?: boolean;
  /** Lets script keep it open or closed when the page is updated. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** Content that is hidden until it is opened. */
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
  /** Unique in the page. */
  readonly title: string;
  readonly count: ComponentChildren;
}

/** A fold for a list, with its length. */
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
  /** Path and label of the buttons. */
  readonly renew: Link;
  readonly end: Link;
  readonly children: ComponentChildren;
}

/** Replaces or withdraws an address that others have. */
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
  /** Serves the text. */
  readonly href: string;

  readonly label: ComponentChildren;
  /** True for the link at the top of a list. */
  readonly isAll?: boolean;
}

/** A link to a text. Script turns it into a button that copies the text. */
export function CopyLink({ href, label, isAll = false }: CopyLinkProps): JSX.Element {
  return (
    <a class={isAll ? 'btn quiet tight' : 'btn quiet'} href={href} data-copy>
      <Icon name="copy" />
      <span>{label}</span>
    </a>
  );
}
