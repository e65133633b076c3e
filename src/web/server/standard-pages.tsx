import type { ComponentChildren } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { Field } from '../html/form.js';
import type { Link } from './paths.js';
import { PageHeader } from '../html/page-header.js';
import { Group, LinkButton } from '../html/sections.js';
import type { FieldErrors, Page, WebContext } from './page.js';
import { fieldOf } from './routes.js';
import { Snippet } from '../html/text.js';

/** The word to type, and what it is: `the host name`. */
export interface Typed {
  /** Name of the field. */
  readonly name: string;
  readonly word: string;
  readonly what: string;
}

/** A confirmation. */
interface Confirmation {
  readonly title: string;
  /** A question; by default the title. */
  readonly heading?: ComponentChildren;
  readonly crumbs: readonly Link[];
  readonly lead?: ComponentChildren;
  /** Above the lists. */
  readonly details?: ComponentChildren;
  /** What is changed or deleted, and what stays. */
  readonly lists: readonly (readonly [title: string, items: readonly ComponentChildren[]])[];
  /** Set for what cannot be undone: the form then stands below all that is deleted, otherwise above all else. */
  readonly typed?: Typed | null;
  /** More fields. */
  readonly fields?: ComponentChildren;
  /** What has to be done first; the form is left out. */
  readonly blocked?: ComponentChildren;
  /** Address of the form. */
  readonly action: string;
  readonly button: string;
  readonly cancel: Link;
}

/** Says what changes and what stays, and has a word typed for what cannot be undone. */
export function confirmPage(ctx: WebContext, errors: FieldErrors | null, asked: Confirmation): Page {
  const { title, heading, crumbs, lead, details, lists, typed, fields, blocked, action, button, cancel } = asked;
  const form = blocked || (
    <form method="post" action={action} novalidate>
      {typed && (
        <Field
          name={typed.name}
          label={`Type ${typed.what} to confirm`}
          hint={<bdi>{typed.word}</bdi>}
          value={fieldOf(ctx, typed.name)}
          errors={errors}
          autocomplete="off"
          maxLength={300}
          isVerbatim
        />
      )}
      {fields}
      <div class="row">
        <button type="submit" class={typed ? 'danger sure' : undefined}>
          {button}
        </button>
        <LinkButton kind="bare" href={cancel[0]} label={cancel[1]} />
      </div>
    </form>
  );
  return {
    title,
    header: (
      <PageHeader crumbs={crumbs} here={button} title={heading ?? title} lead={lead ?? 'This cannot be undone.'}>
        {!typed && form}
      </PageHeader>
    ),
    main: (
      <div class="w over-text">
        {details}
        {lists.map(([name, items]) => (
          <Group key={name} title={name}>
            <ul>
              {items.map((item, index) => (
                <li key={index}>{item}</li>
              ))}
            </ul>
          </Group>
        ))}
        {typed && <Group title="Confirm">{form}</Group>}
      </div>
    ),
  };
}

/** True if the form has the word. */
export function isTyped(ctx: WebContext, { name, word }: Typed): boolean {
  return fieldOf(ctx, name).trim().toLowerCase() === word.toLowerCase();
}

/** @throws InputError if another word was typed */
export function assertTyped(ctx: WebContext, typed: Typed): void {
  if (!isTyped(ctx, typed)) throw new InputError('That does not match. Nothing was deleted.', typed.name);
}

/** A secret that is shown only once. */
interface ShownOnce {
  readonly title: string;
  /** By default 201. */
  readonly status?: number;
  /** What to do now: `Copy your new key`. */
  readonly heading: string;
  readonly crumbs: readonly Link[];
  /** A sentence above the secret. */
  readonly words: ComponentChildren;
  readonly secret: string;
  readonly label: string;
  /** What it is: `key`. */
  readonly what: string;
  /** Where the reader goes once it is stored. */
  readonly doneAt: string;
  /** How to use it. */
  readonly children: ComponentChildren;
}

/** Shows a secret once. The page asks before it is left, until the secret was copied or its button used. */
export function shownOncePage(shown: ShownOnce): Page {
  const { title, status = 201, heading, crumbs, words, secret, label, what, doneAt, children } = shown;
  return {
    title,
    status,
    hasSecret: true,
    header: (
      <PageHeader crumbs={crumbs} here={title} title={heading} lead="It is shown only once, and we keep no copy." />
    ),
    main: (
      <div class="w over-text">
        <div class="note is-p" data-shown-once>
          <p>{words}</p>
          <Snippet text={secret} label={label} />
          <a class="btn quiet" href={doneAt} data-done>
            I have stored the {what}
          </a>
        </div>
        {children}
      </div>
    ),
  };
}
