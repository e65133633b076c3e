import type { ComponentChildren } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { ErrorSummary, Field, type FieldProps } from './components/form.js';
import type { WebContext } from './context.js';
import { fieldOf, type FieldErrors } from './form.js';
import { Heading } from './layout.js';
import type { Page } from './page.js';

/** The field in which it is typed, by default. */
const NAME = 'name';

/** What goes for good, once its name was typed. */
export interface Confirmation {
  readonly title: string;
  /** By default the title. */
  readonly heading?: string;
  readonly lead?: ComponentChildren;
  /** What goes with it. */
  readonly children: ComponentChildren;
  /** The address that takes it. */
  readonly action: string;
  /** What is to be typed. */
  readonly word: string;
  readonly field?: Pick<FieldProps, 'name' | 'inputMode'>;
  /** What else is asked for. */
  readonly more?: ComponentChildren;
  readonly button: string;
  /** Where whoever keeps it goes. */
  readonly keptAt: string;
}

/** A page that says what goes, and asks for its name. What was typed is still there when it is shown again. */
export function confirmPage(ctx: WebContext, errors: FieldErrors | null, asked: Confirmation): Page {
  const { title, heading = title, lead, children, action, word, field = { name: NAME }, more, button, keptAt } = asked;
  return {
    title,
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading lead={lead}>{heading}</Heading>
        {children}
        <form method="post" action={action} novalidate>
          <Field
            {...field}
            label={`Type ${word} to confirm`}
            value={fieldOf(ctx, field.name)}
            errors={errors}
            autocomplete="off"
            maxLength={300}
            isVerbatim
          />
          {more}
          <div class="row">
            <button type="submit" class="danger">
              {button}
            </button>
            <a href={keptAt}>Keep it</a>
          </div>
        </form>
      </>
    ),
  };
}

/**
 * @param act what it is for, such as "remove this site"
 * @throws InputError where anything else was typed
 */
export function assertTyped(ctx: WebContext, word: string, act: string, field = NAME): void {
  if (fieldOf(ctx, field).trim().toLowerCase() === word.toLowerCase()) return;
  throw new InputError(`Type ${word} to ${act}. Nothing was ${act.replace(/e? .*/, 'ed')}.`, field);
}
