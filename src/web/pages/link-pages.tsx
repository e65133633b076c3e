import type { ComponentChildren, JSX } from 'preact';
import { Door } from '../html/door.js';
import { ActionButton, ErrorSummary, Field } from '../html/form.js';
import type { FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { PASSWORD_HINT } from '../../app/accounts/new-password.js';

interface AskForLinkProps {
  /** Address of the form. */
  readonly action: string;
  readonly email: string;
  /** What the link is for. */
  readonly hint: string;
  readonly errors: FieldErrors | null;
}

/** A form that requests a link by mail. */
export function AskForLink({ action, email, hint, errors }: AskForLinkProps): JSX.Element {
  return (
    <form method="post" action={action}>
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

interface MailboxPageProps extends Pick<AskForLinkProps, 'action' | 'email'> {
  /** Describes the mail, in the same way whether an account has the address or not. */
  readonly children: ComponentChildren;
}

/** Tells people to look at their mail. The response to the form itself, so that no URL contains the typed address. */
export function mailboxPage({ children, action, email }: MailboxPageProps): Page {
  return {
    title: 'Check your e-mail',
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="The key is on its way. It fits once.">
        <h1>Check your e-mail</h1>
        <p role="status">{children}</p>
        <p class="soft small more">
          No mail after a few minutes? Look in your spam folder, have it sent again, or give{' '}
          <a href={action}>another address</a>. The <a href={OPERATOR_PATH}>operator</a> can help, too.
        </p>
        <ActionButton action={action} kind="quiet" fields={{ email }}>
          Send it again
        </ActionButton>
      </Door>
    ),
  };
}

interface ChoosePasswordProps {
  /** Address of the form, with the link's token. */
  readonly action: string;
  readonly email: string;
  /** What happens next. */
  readonly more: string;
  readonly errors: FieldErrors | null;
}

/** Helps people who pressed the button twice. */
export const JUST_CHOSEN = 'If you have just chosen a password, sign in with it.';

/** A form that sets a password and signs in, opened by a mailed link. */
export function choosePasswordPage({ action, email, more, errors }: ChoosePasswordProps): Page {
  return {
    title: 'Choose a password',
    styles: ['door.css'],
    hasSecret: true,
    mast: null,
    main: (
      <Door words="One sign-in for all your sites. We keep only a hash of your password.">
        <h1>Choose a password</h1>
        <p class="soft">
          for <bdi>{email}</bdi>. This link works once, within an hour.
        </p>
        <ErrorSummary errors={errors} />
        <form method="post" action={action}>
          {/* Hidden: tells password managers whose password this is. */}
          <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint={PASSWORD_HINT}
            errors={errors}
          />
          <button type="submit">Save and sign in</button>
        </form>
        <p class="soft small more">{more}</p>
      </Door>
    ),
  };
}

interface InvalidLinkProps {
  /** A sentence about such links. */
  readonly why: string;
  /** True if its form was sent, perhaps twice. */
  readonly isAgain: boolean;
  /** Links to other pages. */
  readonly children: ComponentChildren;
}

/** The same page for used, expired, truncated and unknown links. */
export function invalidLinkPage({ why, isAgain, children }: InvalidLinkProps): Page {
  return {
    title: 'This link does not work',
    status: 404,
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="A link opens the door once. A password opens it every time." isShut>
        <h1>This link does not work</h1>
        <p class="soft">{why}</p>
        {isAgain && <p>{JUST_CHOSEN}</p>}
        {children}
      </Door>
    ),
  };
}
