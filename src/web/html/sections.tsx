import type { ComponentChildren } from 'preact';
import type { Link } from '../server/paths.js';
import { Icon, type IconName } from './text.js';

interface FoldProps {
  readonly title: ComponentChildren;
  readonly isOpen?: boolean;
  /** Lets script keep it open or closed when the page is updated. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** Content that is hidden until it is opened. */
export function Fold({ title, isOpen = false, id, children }: FoldProps) {
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

interface AddressFoldProps {
  readonly title: string;
  /** Path and label of the buttons. */
  readonly renew: Link;
  readonly end: Link;
  readonly children: ComponentChildren;
}

/** Lets the owner replace or withdraw a shared address. */
export function AddressFold({ title, renew, end, children }: AddressFoldProps) {
  return (
    <Fold title={title}>
      <div>
        <p>{children}</p>
        <div class="row">
          <ActionButton action={renew[0]} kind="quiet" label={renew[1]} />
          <ActionButton action={end[0]} kind="danger" label={end[1]} />
        </div>
      </div>
    </Fold>
  );
}

interface WithSidebarProps {
  /** At the right, or below on a narrow screen: parts that each have a title. */
  readonly sidebar?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The main part of a page, with a sidebar. */
export function WithSidebar({ sidebar, children }: WithSidebarProps) {
  return (
    <div class="w with-sidebar">
      <div>{children}</div>
      {sidebar !== undefined && <aside class="sidebar">{sidebar}</aside>}
    </div>
  );
}

interface SidebarPartProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

export function SidebarPart({ title, children }: SidebarPartProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export interface TabsProps {
  /** Accessible name, such as `Language`. */
  readonly label: string;
  /** Letters, digits and hyphens; unique on the page. */
  readonly name: string;
  readonly panels: readonly (readonly [title: string, content: ComponentChildren])[];
}

/**
 * Tabs from radio buttons, which work without script and by keyboard: the style sheet shows the panel of the checked one. In print, all
 * panels show, each with its name.
 */
export function Tabs({ label, name, panels }: TabsProps) {
  return (
    <div class="tabs" role="radiogroup" aria-label={label}>
      {panels.map(([title, content], index) => (
        <>
          <input type="radio" name={name} id={`${name}-${index}`} checked={index === 0} />
          <label for={`${name}-${index}`}>{title}</label>
          <div data-name={title}>{content}</div>
        </>
      ))}
    </div>
  );
}

interface GroupProps {
  readonly title: ComponentChildren;
  readonly meaning?: ComponentChildren;
  /** `h3` within a section. */
  readonly level?: 'h2' | 'h3';
  /** Target of links. */
  readonly id?: string | undefined;
  readonly children: ComponentChildren;
}

/** A section below a rule: its title and meaning at the left, rows at the right. */
export function Group({ title, meaning, level: Heading = 'h2', id, children }: GroupProps) {
  return (
    <section class="group" id={id}>
      <header>
        <Heading>{title}</Heading>
        {meaning}
      </header>
      <div>{children}</div>
    </section>
  );
}

interface PagerProps {
  /** Accessible name. */
  readonly label: string;
  /** Links to the previous and the next page. */
  readonly links: readonly [prev: Link | false, next: Link | false];
  readonly children?: ComponentChildren;
}

/** Links to other pages of a list. */
export function Pager({ label, links, children }: PagerProps) {
  return (
    <nav aria-label={label} class="row">
      {children}
      {links.map(
        (link, index) =>
          link && (
            <a class="btn quiet tight" href={link[0]} rel={index === 0 ? 'prev' : 'next'}>
              {link[1]}
            </a>
          ),
      )}
    </nav>
  );
}

/** Label of a button and, for screen readers, what tells it from others with the same label. */
interface ButtonText {
  readonly label: string;
  readonly about?: string;
}

interface ButtonProps extends ButtonText {
  /** One solid button per view, for the likely next step; `quiet` and `bare` for others, `danger` to delete. */
  readonly kind?: 'solid' | 'quiet' | 'bare' | 'danger';
  /** True in a row of text. */
  readonly isTight?: boolean;
  readonly icon?: IconName;
}

function classesOf({ kind = 'solid', isTight = false }: Pick<ButtonProps, 'kind' | 'isTight'>, base = ''): string {
  return [base, kind !== 'solid' && kind, isTight && 'tight'].filter(Boolean).join(' ');
}

function ButtonLabel({ label, about }: ButtonText) {
  return (
    <>
      {label}
      {about !== undefined && <span class="hide"> {about}</span>}
    </>
  );
}

/** A link that looks like a button. */
export function LinkButton({ href, icon, ...props }: ButtonProps & { readonly href: string }) {
  return (
    <a class={classesOf(props, 'btn')} href={href}>
      {icon !== undefined && <Icon name={icon} />}
      <ButtonLabel {...props} />
    </a>
  );
}

interface CopyLinkProps extends ButtonText {
  readonly href: string;
  /** True for the link that copies a whole list. */
  readonly isAll?: boolean;
}

/** A link to a text. Script turns it into a button that copies the text. */
export function CopyLink({ href, isAll = false, ...text }: CopyLinkProps) {
  return (
    <a class={classesOf({ kind: 'quiet', isTight: isAll }, 'btn')} href={href} data-copy>
      <Icon name="copy" />
      <span>
        <ButtonLabel {...text} />
      </span>
    </a>
  );
}

interface ActionButtonProps extends ButtonProps {
  readonly action: string;
  /** Accessible name, which begins with the label. */
  readonly spoken?: string;
  /** True if script submits it and updates the page in place. */
  readonly isInPlace?: boolean;
  /** Hidden fields, by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that is only a button. */
export function ActionButton({ action, spoken, isInPlace, icon, fields = {}, ...props }: ActionButtonProps) {
  return (
    <form method="post" action={action} data-in-place={isInPlace}>
      <HiddenFields fields={fields} />
      <button type="submit" class={classesOf(props) || undefined} aria-label={spoken}>
        {icon !== undefined && <Icon name={icon} />}
        <ButtonLabel {...props} />
      </button>
    </form>
  );
}

export function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return (
    <>
      {filled.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
