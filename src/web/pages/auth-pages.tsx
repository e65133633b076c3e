import type { ComponentChildren, JSX } from 'preact';
import { PASSWORD_HINT } from '../../app/accounts/new-password.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';
import { GapPins } from '../html/error-page.js';
import { ActionButton, ErrorSummary, Field, type FieldProps, Form } from '../html/form.js';
import { Pins } from '../html/pins.js';
import type { FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import { withNext } from '../server/paths.js';
import { OPERATOR_PATH } from '../server/public-pages.js';

const PASSED_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => ({ ...pin, state: 'PASS' })),
}));

/** Longer headings get a smaller font. */
const HEADING_CHARS = 32;

interface AuthPage extends Pick<Page, 'title' | 'description' | 'hasSecret' | 'notices'> {
  /** By default the title. */
  readonly heading?: string;
  /** A sentence next to the form. */
  readonly words: string;
  /** True for a link that does not work: status 404, and a pin is missing. */
  readonly isInvalid?: boolean;
  readonly children: ComponentChildren;
}

/** A page with one form that lets people in, next to pins. */
export function authPage({ heading, words, isInvalid = false, children, ...page }: AuthPage): Page {
  const shown = heading ?? page.title;
  return {
    ...page,
    ...(isInvalid && { status: 404 }),
    header: null,
    main: (
      <div class="auth">
        <section>
          <div>
            <h1 class={shown.length > HEADING_CHARS ? 'long' : undefined}>{shown}</h1>
            {children}
          </div>
        </section>
        <aside>
          <div class="drop">{isInvalid ? <GapPins /> : <Pins groups={PASSED_PINS} size="pins-l" isDecorative />}</div>
          <p>{words}</p>
        </aside>
      </div>
    ),
  };
}

/** A line below the form. */
export function Small({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="soft small more">{children}</p>;
}

interface EmailFormProps {
  readonly action: string;
  readonly email?: string;
  readonly hint: string;
  readonly errors?: FieldErrors | null;
  readonly next?: string;
}

/** Requests a link by e-mail. */
export function EmailForm({ email = '', hint, next = '', ...form }: EmailFormProps): JSX.Element {
  return <Form {...form} fields={[{ ...EMAIL_FIELD, value: email, hint }]} hidden={{ next }} button="Send the link" />;
}

/** The e-mail address of an account. */
export const EMAIL_FIELD = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' } as const;

/**
 * Answers an {@link EmailForm} itself, so that no URL contains the typed address.
 * @param sent what was sent, in the same words whether an account has the address or not
 */
export function mailboxPage(action: string, email: string, sent: readonly [before: string, after: string], next = '') {
  return authPage({
    title: 'Check your e-mail',
    words: 'The link works once, within an hour.',
    children: (
      <>
        <p role="status">
          {sent[0]}{' '}
          <b>
            <bdi>{email}</bdi>
          </b>
          {sent[1]}
        </p>
        <Small>
          No mail after a few minutes? Look in your spam folder, send it again, or use{' '}
          <a href={withNext(action, next)}>another address</a>. The <a href={OPERATOR_PATH}>operator</a> can help, too.
        </Small>
        <ActionButton action={action} kind="quiet" fields={{ email, next }}>
          Send it again
        </ActionButton>
      </>
    ),
  });
}

interface PasswordFormProps {
  readonly action: string;
  readonly email: string;
  /** True to ask for the current password, too. */
  readonly hasCurrent?: boolean;
  /** Of the new password. */
  readonly field?: Pick<FieldProps, 'hint' | 'required'> & Partial<Pick<FieldProps, 'label'>>;
  readonly button?: string;
  readonly errors: FieldErrors | null;
}

/** Sets a password. */
export function PasswordForm({ action, email, hasCurrent = false, field, button, errors }: PasswordFormProps) {
  return (
    <form method="post" action={action}>
      {/* Hidden: tells password managers whose password this is. */}
      <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
      {hasCurrent && <Field {...CURRENT_PASSWORD} label="Current password" errors={errors} />}
      <Field {...NEW_PASSWORD} {...field} errors={errors} />
      <button type="submit">{button ?? 'Save and sign in'}</button>
    </form>
  );
}

export const CURRENT_PASSWORD = {
  name: 'current',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const;

const NEW_PASSWORD = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: PASSWORD_HINT,
} as const;

/** Asks for a password, after an e-mailed link. @param more what happens next */
export function choosePasswordPage({ more, ...form }: PasswordFormProps & { readonly more: string }): Page {
  return authPage({
    title: 'Choose a password',
    words: 'One sign-in for all your sites. We store only a hash of your password.',
    hasSecret: true,
    children: (
      <>
        <p class="soft">
          for <bdi>{form.email}</bdi>. This link works once, within an hour.
        </p>
        <ErrorSummary errors={form.errors} />
        <PasswordForm {...form} />
        <Small>{more}</Small>
      </>
    ),
  });
}

/**
 * The same page for used, expired, truncated and unknown links.
 * @param isAgain true if the link's form was sent, perhaps twice @param next what to do instead
 */
export function invalidLinkPage(isAgain: boolean, next: ComponentChildren): Page {
  return authPage({
    title: 'This link does not work',
    words: 'A link works once. A password works every time.',
    isInvalid: true,
    children: (
      <>
        <p class="soft">
          Each link works once, within an hour, and not after a newer password was set. Check that you copied all of it.
        </p>
        {isAgain && <p>If you have just chosen a password, sign in with it.</p>}
        {next}
      </>
    ),
  });
}
