import type { ComponentChildren, JSX } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { ErrorSummary, Field } from '../html/form.js';
import type { Link } from '../html/layout.js';
import { Group, PageHeader } from '../html/page-header.js';
import type { WebContext } from './context.js';
import { fieldOf, type FieldErrors } from './form.js';
import type { Page } from './page.js';

/** The word to type, and what it is: `the host name`. */
export interface Typed {
  readonly name: 'name' | 'email';
  readonly word: string;
  readonly what: string;
}

/** A confirmation of something that cannot be undone. */
export interface Confirmation {
  readonly title: string;
  /** A question. */
  readonly heading: ComponentChildren;
  readonly crumbs: readonly Link[];
  readonly lead?: ComponentChildren;
  readonly goes: readonly ComponentChildren[];
  readonly stays: readonly ComponentChildren[];
  readonly typed: Typed;
  /** More fields. */
  readonly fields?: ComponentChildren;
  /** What has to be done first; the form is left out. */
  readonly blocked?: JSX.Element | null;
  /** Address of the form. */
  readonly action: string;
  readonly button: string;
  readonly cancel: Link;
}

/** Says what goes and what stays, and has a word typed. */
export function confirmPage(ctx: WebContext, errors: FieldErrors | null, asked: Confirmation): Page {
  const { title, heading, crumbs, lead, typed, fields, blocked, action, button, cancel } = asked;
  const lists = [
    ['Deleted now', asked.goes],
    ['Stays', asked.stays],
  ] as const;
  return {
    title,
    header: <PageHeader crumbs={crumbs} here={button} title={heading} lead={lead ?? 'This cannot be undone.'} />,
    main: (
      <div class="w over-text">
        {lists.map(([name, items]) => (
          <Group key={name} title={name}>
            <ul>
              {items.map((item, index) => (
                <li key={index}>{item}</li>
              ))}
            </ul>
          </Group>
        ))}
        <Group title="Confirm">
          <ErrorSummary errors={errors} />
          {blocked ?? (
            <form method="post" action={action} novalidate>
              <Field
                name={typed.name}
                inputMode={typed.name === 'email' ? 'email' : 'text'}
                label={`Type ${typed.what} to confirm`}
                hint={<bdi>{typed.word}</bdi>}
                value={fieldOf(ctx, typed.name)}
                errors={errors}
                autocomplete="off"
                maxLength={300}
                isVerbatim
              />
              {fields}
              <div class="row">
                <button type="submit" class="danger sure">
                  {button}
                </button>
                <a class="btn bare" href={cancel[0]}>
                  {cancel[1]}
                </a>
              </div>
            </form>
          )}
        </Group>
      </div>
    ),
  };
}

/** @throws InputError if another word was typed */
export function assertTyped(ctx: WebContext, { name, word }: Typed): void {
  if (fieldOf(ctx, name).trim().toLowerCase() === word.toLowerCase()) return;
  throw new InputError('That does not match. Nothing was deleted.', name);
}
