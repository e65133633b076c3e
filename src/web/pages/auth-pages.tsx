import type { ComponentChildren } from 'preact';
import { PASSWORD_HINT } from '../../app/accounts/passwords.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';
import { INCOMPLETE_PINS } from '../server/errors.js';
import { ActionButton, LinkButton } from '../html/sections.js';
import { Field, type FieldProps, Form } from '../html/form.js';
import { Pins } from '../html/pins.js';
import type { FieldErrors, Page, RouteDeps } from '../server/page.js';
import { addForm, fieldOf, type Form as FormPage, queryOf, sendPage } from '../server/routes.js';
import { FORGOT_PASSWORD_PATH, OPERATOR_PATH, SIGN_UP_PATH, withNext } from '../server/paths.js';

const PASSED_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => ({ ...pin, state: 'PASS' })),
}));

interface AuthPage extends Pick<Page, 'title' | 'description' | 'hasSecret' | 'notices'> {
  /** By default the title. */
  readonly heading?: string;
  /** A sentence next to the form. */
  readonly words: string;
  /** True for a link that does not work: status 404, and a pin is missing. */
  readonly isInvalid?: boolean;
  readonly children: ComponentChildren;
}

/** A page of sign-in or sign-up: one form, next to pins. */
export function authPage({ heading, words, isInvalid = false, children, ...page }: AuthPage): Page {
  return {
    ...page,
    ...(isInvalid && { status: 404 }),
    header: null,
    main: (
      <div class="auth">
        <section>
          <div>
            <h1>{heading ?? page.title}</h1>
            {children}
          </div>
        </section>
        <aside>
          <Pins groups={isInvalid ? INCOMPLETE_PINS : PASSED_PINS} size="pins-l" isDecorative isMoving />
          <p>{words}</p>
        </aside>
      </div>
    ),
  };
}

/** A note below the form. */
export function FormNote({ children }: { readonly children: ComponentChildren }) {
  return <p class="soft small more">{children}</p>;
}

/** A page that requests a link by e-mail. */
interface LinkRequest extends Pick<AuthPage, 'title' | 'description' | 'words'>, Pick<FormPage<never>, 'membersGoTo'> {
  readonly path: string;
  readonly hint: string;
  /** The sentence around the address. It must not reveal whether an account has the address. */
  readonly sent: readonly [before: string, after: string];
  /** Below the form. @param next page to show once signed in */
  readonly more: (next: string) => ComponentChildren;
  readonly sendLink: (email: string, clientAddress: string, next: string) => Promise<unknown>;
}

/** Adds the form and its answer, at one path, so that no URL contains the address. */
export function addLinkRequest(
  router: Parameters<typeof addForm>[0],
  { path, hint, sent: [before, after], more, sendLink, membersGoTo, ...page }: LinkRequest,
): void {
  addForm(router, {
    path,
    ...(membersGoTo && { membersGoTo }),
    field: 'email',
    load: (ctx) => ({ email: fieldOf(ctx, 'email'), next: fieldOf(ctx, 'next') || queryOf(ctx, 'next') }),
    async submit(ctx, { email, next }) {
      await sendLink(email, ctx.ip, next);
      sendPage(
        ctx,
        authPage({
          title: 'Check your e-mail',
          words: 'The link works once, within an hour.',
          children: (
            <>
              <p role="status">
                {before}{' '}
                <b>
                  <bdi>{email}</bdi>
                </b>
                {after}
              </p>
              <FormNote>
                No mail after a few minutes? Look in your spam folder, send it again, or use{' '}
                <a href={withNext(path, next)}>another address</a>. The <a href={OPERATOR_PATH}>operator</a> can also
                help.
              </FormNote>
              <ActionButton action={path} kind="quiet" fields={{ email, next }} label="Send it again" />
            </>
          ),
        }),
      );
    },
    render: (_, { email, next }, errors) =>
      authPage({
        ...page,
        children: (
          <>
            <Form
              action={path}
              fields={[{ ...EMAIL_FIELD, value: email, hint }]}
              hidden={{ next }}
              button="Send the link"
              errors={errors}
            />
            {more(next)}
          </>
        ),
      }),
  });
}

/** The e-mail address of an account. */
export const EMAIL_FIELD = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' } as const;

export const CURRENT_PASSWORD = {
  name: 'current',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const;

interface PasswordFormProps {
  readonly action: string;
  readonly email: string;
  /** True if the current password is required. */
  readonly hasCurrent?: boolean;
  /** Properties of the new password's field. */
  readonly field?: Partial<FieldProps>;
  readonly button?: string;
  readonly errors: FieldErrors | null;
}

export function PasswordForm({ action, email, hasCurrent = false, field, button, errors }: PasswordFormProps) {
  return (
    <form method="post" action={action}>
      {/* Hidden: tells password managers whose password this is. */}
      <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
      {hasCurrent && <Field {...CURRENT_PASSWORD} label="Current password" errors={errors} />}
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint={PASSWORD_HINT}
        {...field}
        errors={errors}
      />
      <button type="submit">{button ?? 'Save and sign in'}</button>
    </form>
  );
}

/** The page that an e-mailed link opens to set a password. @param more what happens next */
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
        <PasswordForm {...form} />
        <FormNote>{more}</FormNote>
      </>
    ),
  });
}

/** The same page for used, expired, truncated and unknown links. */
export function invalidLinkPage({ hasMail, isSignUpOpen, isDemo = false }: RouteDeps): Page {
  return authPage({
    title: 'This link does not work',
    words: 'A link works once. A password works every time.',
    isInvalid: true,
    children: (
      <>
        <p class="soft">
          Each link works once, within an hour, and no longer once a newer password is set. Check that you copied all of
          it. If you have just chosen a password, sign in with it.
        </p>
        {isDemo ? (
          <p>
            For a new link, run <code>make run</code> again.
          </p>
        ) : (
          <p class="row more">
            <LinkButton href="/sign-in" label="Sign in" />
            <LinkButton
              kind="quiet"
              href={hasMail ? FORGOT_PASSWORD_PATH : OPERATOR_PATH}
              label={hasMail ? 'Get a new link' : 'Ask the operator'}
            />
            {isSignUpOpen && <LinkButton kind="quiet" href={SIGN_UP_PATH} label="Sign up" />}
          </p>
        )}
      </>
    ),
  });
}
