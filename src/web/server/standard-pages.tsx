import type { ComponentChildren } from 'preact';
import { InputError } from '../../platform/errors.js';
import { Field } from '../html/form.js';
import type { Link } from './paths.js';
import { PageHeader } from '../html/page-header.js';
import { Group, LinkButton } from '../html/sections.js';
import type { FieldErrors, Page, WebContext } from './page.js';
import { fieldOf } from './routes.js';
import { Snippet } from '../html/text.js';

/** The word that a user must type to confirm. */
export interface RequiredWord {
  readonly field: string;
  readonly word: string;
  /** What the word is: `the host name`. */
  readonly meaning: string;
}

interface Confirmation {
  readonly title: string;
  /** Defaults to the title. */
  readonly heading?: ComponentChildren;
  readonly crumbs: readonly Link[];
  readonly lead?: ComponentChildren;
  /** Above the lists. */
  readonly details?: ComponentChildren;
  /** What changes or is deleted, and what stays. */
  readonly lists: readonly (readonly [title: string, items: readonly ComponentChildren[]])[];
  /** Set if the action cannot be undone: the form is then below the lists, otherwise in the header. */
  readonly requiredWord?: RequiredWord | null;
  /** More fields. */
  readonly fields?: ComponentChildren;
  /** Replaces the form: what the user must do first. */
  readonly blocked?: ComponentChildren;
  /** URL that the form posts to. */
  readonly action: string;
  readonly button: string;
  readonly cancel: Link;
}

/** Asks for confirmation, listing what changes and what stays. */
export function confirmPage(ctx: WebContext, errors: FieldErrors | null, confirmation: Confirmation): Page {
  const { title, heading, crumbs, lead, details, lists, requiredWord, fields, blocked, action, button, cancel } =
    confirmation;
  const form = blocked || (
    <form method="post" action={action} novalidate>
      {requiredWord && (
        <Field
          name={requiredWord.field}
          label={`Type ${requiredWord.meaning} to confirm`}
          hint={<bdi>{requiredWord.word}</bdi>}
          value={fieldOf(ctx, requiredWord.field)}
          errors={errors}
          autocomplete="off"
          maxLength={300}
          isVerbatim
        />
      )}
      {fields}
      <div class="row">
        <button type="submit" class={requiredWord ? 'danger sure' : undefined}>
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
        {!requiredWord && form}
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
        {requiredWord && <Group title="Confirm">{form}</Group>}
      </div>
    ),
  };
}

export function isWordTyped(ctx: WebContext, { field, word }: RequiredWord): boolean {
  return fieldOf(ctx, field).trim().toLowerCase() === word.toLowerCase();
}

/** @throws InputError if another word was typed */
export function assertWordTyped(ctx: WebContext, required: RequiredWord): void {
  if (!isWordTyped(ctx, required)) throw new InputError('That does not match. Nothing was deleted.', required.field);
}

interface OneTimeSecret {
  readonly title: string;
  /** What to do: `Copy your new key`. */
  readonly heading: string;
  readonly crumbs: readonly Link[];
  readonly intro: ComponentChildren;
  readonly secret: string;
  readonly label: string;
  /** What the secret is: `key`. */
  readonly noun: string;
  readonly doneHref: string;
  readonly children?: ComponentChildren;
}

/** Shows a secret once. Until it is copied or the button is pressed, the browser asks before leaving. */
export function oneTimeSecretPage(options: OneTimeSecret): Page {
  const { title, heading, crumbs, intro, secret, label, noun, doneHref, children } = options;
  return {
    title,
    status: 201,
    hasSecret: true,
    header: <PageHeader crumbs={crumbs} here={title} title={heading} lead="It is shown only once." />,
    main: (
      <div class="w over-text">
        <div class="note is-p" data-shown-once>
          <p>{intro}</p>
          <Snippet text={secret} label={label} />
          <a class="btn quiet" href={doneHref} data-done>
            I have stored the {noun}
          </a>
        </div>
        {children}
      </div>
    ),
  };
}
