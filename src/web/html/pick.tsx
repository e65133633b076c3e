import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.js';

export interface PickItemProps {
  readonly href: string;
  readonly isChosen: boolean;
  /** Number of entries that it shows. */
  readonly count?: number;
  readonly children: ComponentChildren;
}

/** A link that filters a list, in a `<ul class="pick">`. */
export function PickItem({ href, isChosen, count, children }: PickItemProps): JSX.Element {
  return (
    <li>
      <a href={href} aria-current={isChosen ? 'true' : undefined}>
        {children}
        {count !== undefined && (
          <>
            {' '}
            <span class="num">{count}</span>
          </>
        )}
      </a>
    </li>
  );
}

export interface FindFieldProps {
  readonly name: string;
  readonly label: string;
  /** The label by default. */
  readonly placeholder?: string;
  readonly value: string;
  /** Clears the search. */
  readonly clearHref?: string;
}

/** A search field. */
export function FindField({ name, label, placeholder = label, value, clearHref }: FindFieldProps): JSX.Element {
  return (
    <div class="find">
      <Icon name="search" />
      <label class="hide" for={name}>
        {label}
      </label>
      <input id={name} name={name} type="search" placeholder={placeholder} value={value} maxLength={300} />
      {clearHref !== undefined && value !== '' && (
        <a class="clear" href={clearHref}>
          <span aria-hidden="true">×</span>
          <span class="hide">Clear</span>
        </a>
      )}
    </div>
  );
}
