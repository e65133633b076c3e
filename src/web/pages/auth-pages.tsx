import type { ComponentChildren, JSX } from 'preact';
import { PASSWORD_HINT } from '../../app/accounts/new-password.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';
import { GapPins } from '../html/error-page.js';
import { ActionButton, ErrorSummary, Field } from '../html/form.js';
import { Pins } from '../html/pins.js';
import type { FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import { OPERATOR_PATH } from '../server/public-pages.js';

const PASSED_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => ({ ...pin, state: 'PASS' })),
}));

/** Longer headings get a smaller font. */
const HEADING_CHARS = 32;

interface AuthPageProps extends Pick<Page, 'title' | 'description' | 'hasSecret' | 'notices'> {
  /** By default the title. */
  readonly heading?: string;
  /** A sentence next to the form. */
  readonly words: string;
  /** True for a link that does not work: status 404, and a pin is missing. */
  readonly isInvalid?: boolean;
  readonly children: ComponentChildren;
}

/** A page with one form that lets people in, next to pins. */
export function authPage({ heading, words, isInvalid = false, children, ...page }: AuthPageProps): Page {
  const shown = heading ?? page.title;
  return {
    ...page,
    ...(isInvalid && { status: 404 }),
    header: null,
    main: (
      <div class="door">
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

/** The page that a form leads to, in a hidden field. */
export function NextField({ next }: { readonly next: string }): JSX.Element | null {
  return next === '' ? null : <input type="hidden" name="next" value={next} />;
}

interface EmailFormProps {
  readonly action: string;
  readonly email: string;
  readonly hint: string;
  readonly errors: FieldErrors | null;
  readonly next?: string;
}

/** Requests a link by e-mail. */
export function EmailForm({ action, email, hint, errors, next = '' }: EmailFormProps): JSX.Element {
  return (
    <form method="post" action={action}>
      <NextField next={next} />
      <Field
        name="email"
        label="E-mail address"
        type="email"
        value={email}
        autocomplete="username"
        hint={hint}
        errors={errors}
      />
      <button type="submit">Send the link</button>
    </form>
  );
}

interface MailboxPageProps extends Pick<EmailFormProps, 'action' | 'email' | 'next'> {
  /** Describes the mail, in the same way whether an account has the address or not. */
  readonly children: ComponentChildren;
}

/** Answers an {@link EmailForm} itself, so that no URL contains the typed address. */
export function mailboxPage({ children, action, email, next = '' }: MailboxPageProps): Page {
  return authPage({
    title: 'Check your e-mail',
    words: 'The link works once, within an hour.',
    children: (
      <>
        <p role="status">{children}</p>
        <p class="soft small more">
          No mail after a few minutes? Look in your spam folder, send it again, or use{' '}
          <a href={next === '' ? action : `${action}?next=${encodeURIComponent(next)}`}>another address</a>. The{' '}
          <a href={OPERATOR_PATH}>operator</a> can help, too.
        </p>
        <ActionButton action={action} kind="quiet" fields={{ email, ...(next !== '' && { next }) }}>
          Send it again
        </ActionButton>
      </>
    ),
  });
}

interface PasswordByLinkProps {
  /** Address of the form, with the link's token. */
  readonly action: string;
  readonly email: string;
  readonly label?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly button?: string;
  readonly errors: FieldErrors | null;
}

/** Sets a password and signs in. */
export function PasswordByLink(props: PasswordByLinkProps): JSX.Element {
  const { action, email, label = 'Password', hint = PASSWORD_HINT, isOptional = false, errors } = props;
  return (
    <>
      <ErrorSummary errors={errors} />
      <form method="post" action={action}>
        {/* Hidden: tells password managers whose password this is. */}
        <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
        <Field
          name="password"
          label={label}
          type="password"
          autocomplete="new-password"
          required={!isOptional}
          hint={hint}
          errors={errors}
        />
        <button type="submit">{props.button ?? 'Save and sign in'}</button>
      </form>
    </>
  );
}

/** Asks for a password, after an e-mailed link. @param more what happens next */
export function choosePasswordPage({ more, ...form }: PasswordByLinkProps & { readonly more: string }): Page {
  return authPage({
    title: 'Choose a password',
    words: 'One sign-in for all your sites. We store only a hash of your password.',
    hasSecret: true,
    children: (
      <>
        <p class="soft">
          for <bdi>{form.email}</bdi>. This link works once, within an hour.
        </p>
        <PasswordByLink {...form} />
        <p class="soft small more">{more}</p>
      </>
    ),
  });
}

interface InvalidLinkProps {
  /** True if the link's form was sent, perhaps twice. */
  readonly isAgain: boolean;
  /** What to do instead. */
  readonly children: ComponentChildren;
}

/** The same page for used, expired, truncated and unknown links. */
export function invalidLinkPage({ isAgain, children }: InvalidLinkProps): Page {
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
        {children}
      </>
    ),
  });
}
