import { addForm, fieldOf } from '../server/form.js';
import type { Part } from '../server/page-part.js';
import { FORGOT_PASSWORD_PATH } from '../server/paths.js';
import { authPage, EmailForm, mailboxPage, Small } from './auth-pages.js';

const SENT = [
  'If an account has the address',
  ', it gets a link by e-mail, at most 5 an hour. Each works once, within an hour.',
] as const;

/** Mails a link that sets a new password. */
export const addForgotPasswordPage: Part = (router, { hasMail, mailedLinks, sendPage }) => {
  if (!hasMail) return;
  addForm(router, sendPage, {
    path: FORGOT_PASSWORD_PATH,
    field: 'email',
    load: (ctx) => fieldOf(ctx, 'email'),
    async submit(ctx, email) {
      await mailedLinks.askForPassword({ email, clientAddress: ctx.ip });
      sendPage(ctx, mailboxPage(FORGOT_PASSWORD_PATH, email, SENT));
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
            <Small>
              <a href="/sign-in">Back to sign in</a>
            </Small>
          </>
        ),
      }),
  });
};
