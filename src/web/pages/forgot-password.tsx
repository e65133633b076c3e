import { Door } from '../html/door.js';
import { Callout } from '../html/text.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part } from '../server/page-part.js';
import { AskForLink, JUST_CHOSEN, mailboxPage } from './link-pages.js';
import { FORGOT_PASSWORD_PATH } from '../server/paths.js';

/** Adds the form that mails a link to a new password. */
export const addForgotPasswordRoutes: Part = (router, deps) => {
  const { hasMail, mailedLinks, sendPage } = deps;
  if (!hasMail) return;
  addForm(router, sendPage, {
    path: FORGOT_PASSWORD_PATH,
    shownAt: null,
    field: 'email',
    load: (ctx) => fieldOf(ctx, 'email'),
    async submit(ctx, email) {
      await mailedLinks.askForPassword({ email, clientAddress: ctx.ip });
      sendPage(ctx, sentPage(email));
    },
    render: (_, email, errors) => forgotPasswordPage({ email, errors }),
  });
  router.get(FORGOT_PASSWORD_PATH, (ctx) => {
    sendPage(ctx, forgotPasswordPage({}));
  });
};

interface ForgotPasswordProps {
  readonly email?: string;
  readonly errors?: FieldErrors | null;
  /** True after an invalid link. */
  readonly isInvalid?: boolean;
  /** True if the link's form was sent, perhaps twice. */
  readonly isAgain?: boolean;
  readonly isSignedIn?: boolean;
}

export function forgotPasswordPage({
  email = '',
  errors = null,
  isInvalid = false,
  isAgain = false,
  isSignedIn = false,
}: ForgotPasswordProps): Page {
  return {
    title: isInvalid ? 'This link does not work' : 'Forgot your password?',
    ...(isInvalid && { status: 404 }),
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="The link asks for a new password, and lets you in." isShut={isInvalid}>
        <h1>{isInvalid ? 'Get a new link' : 'Forgot your password?'}</h1>
        {isInvalid && (
          <Callout result="UNDETERMINED">
            <b>This link does not work.</b> Each works once, within an hour, and never after a newer password was set;
            and only if it is whole. {isAgain && JUST_CHOSEN}
          </Callout>
        )}
        <AskForLink
          action={FORGOT_PASSWORD_PATH}
          email={email}
          hint="Of your account. We send a link to it."
          errors={errors}
        />
        <p class="soft small more">
          {isSignedIn ? <a href="/sites">Your sites</a> : <a href="/sign-in">Back to sign in</a>}
        </p>
      </Door>
    ),
  };
}

function sentPage(email: string): Page {
  return mailboxPage({
    email,
    action: FORGOT_PASSWORD_PATH,
    children: (
      <>
        If an account has the address{' '}
        <b>
          <bdi>{email}</bdi>
        </b>
        , it gets a link by mail, at most 5 an hour. Each works once, within an hour.
      </>
    ),
  });
}
