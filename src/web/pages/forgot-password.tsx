import { addForm, fieldOf } from '../server/form.js';
import type { Part } from '../server/page-part.js';
import { FORGOT_PASSWORD_PATH } from '../server/paths.js';
import { authPage, EmailForm, mailboxPage } from './auth-pages.js';

/** Mails a link that sets a new password. */
export const addForgotPasswordPage: Part = (router, { hasMail, mailedLinks, sendPage }) => {
  if (!hasMail) return;
  addForm(router, sendPage, {
    path: FORGOT_PASSWORD_PATH,
    field: 'email',
    load: (ctx) => fieldOf(ctx, 'email'),
    async submit(ctx, email) {
      await mailedLinks.askForPassword({ email, clientAddress: ctx.ip });
      sendPage(
        ctx,
        mailboxPage({
          email,
          action: FORGOT_PASSWORD_PATH,
          children: (
            <>
              If an account has the address{' '}
              <b>
                <bdi>{email}</bdi>
              </b>
              , it gets a link by e-mail, at most 5 an hour. Each works once, within an hour.
            </>
          ),
        }),
      );
    },
    render: (_, email, errors) =>
      authPage({
        title: 'Forgot your password?',
        words: 'The link asks for a new password, and signs you in.',
        children: (
          <>
            <EmailForm
              action={FORGOT_PASSWORD_PATH}
              hint="Of your account. We send a link to it."
              {...{ email, errors }}
            />
            <p class="soft small more">
              <a href="/sign-in">Back to sign in</a>
            </p>
          </>
        ),
      }),
  });
};
