import { PASSWORD_CHARS_MIN, PASSWORD_HINT } from '../../app/accounts/new-password.js';
import { seeOther } from '../../platform/http/answer.js';
import { type Page, paramOf, type Part, type PartDeps, type RouteContext } from '../server/page.js';
import { addForm, type FieldErrors, fieldOf } from '../server/form.js';
import { FORGOT_PASSWORD_PATH } from '../server/paths.js';
import { signInAndRedirect } from '../server/session.js';
import { addLinkRequest, authPage, choosePasswordPage, invalidLinkPage, PasswordForm, Small } from './auth-pages.js';

const PATH = '/sign-in/:token';

/**
 * Signs in by a one-time link. GET does not use the link, since mail scanners open every link; its button does. The address has the
 * token, so the page is not cached. In the demo, GET signs in: the link comes from a terminal.
 */
export const addSignInLinkPage: Part = (router, deps) => {
  const { isDemo = false, hasMail, mailedLinks, sendPage, signIn } = deps;
  router.get(PATH, async (ctx) => {
    const token = paramOf(ctx, 'token');
    const link = await signIn.readLink(token);
    if (link === null && ctx.state.viewer) seeOther(ctx, '/sites');
    // HEAD must not use the link.
    else if (isDemo && link && !link.isForPassword && ctx.method === 'GET') await useLink(ctx, deps, token, '');
    else sendPage(ctx, await linkPage(ctx, deps, token, null));
  });
  addForm(router, sendPage, {
    path: PATH,
    shownAt: null,
    load: (ctx) => paramOf(ctx, 'token'),
    submit: (ctx, token) => useLink(ctx, deps, token, fieldOf(ctx, 'password')),
    render: (ctx, token, errors) => linkPage(ctx, deps, token, errors),
  });
  if (!hasMail) return;
  addLinkRequest(router, deps, {
    path: FORGOT_PASSWORD_PATH,
    title: 'Forgot your password?',
    words: 'The link asks for a new password, and signs you in.',
    hint: 'Of your account. We send a link to it.',
    sent: [
      'If an account has the address',
      ', it gets a link by e-mail, at most 5 an hour. Each works once, within an hour.',
    ],
    ask: (email, clientAddress) => mailedLinks.askForPassword({ email, clientAddress }),
    more: () => (
      <Small>
        <a href="/sign-in">Back to sign in</a>
      </Small>
    ),
  });
};

async function useLink(ctx: RouteContext, deps: PartDeps, token: string, password: string): Promise<void> {
  const link = await deps.signIn.readLink(token);
  const session = await deps.signIn.useLink({ token, password });
  await signInAndRedirect(ctx, deps, session, link?.isForPassword ? '/account?notice=password' : '/sites');
}

async function linkPage(ctx: RouteContext, deps: PartDeps, token: string, errors: FieldErrors | null): Promise<Page> {
  ctx.set('Cache-Control', 'no-store');
  const link = await deps.signIn.readLink(token);
  if (!link) return invalidLinkPage(deps);
  const { email, hasPassword, isForPassword } = link;
  const action = `/sign-in/${token}`;
  if (isForPassword) return choosePasswordPage({ action, email, more: 'It signs you out everywhere else.', errors });
  const field = hasPassword
    ? {
        label: 'New password (optional)',
        hint: `Leave it empty to keep the one you have. A new one has at least ${PASSWORD_CHARS_MIN} characters, and signs you out everywhere else.`,
      }
    : { label: 'Password for the next time (optional)', hint: `${PASSWORD_HINT} You can do it later, too.` };
  return authPage({
    title: 'Sign in by one-time link',
    heading: `Sign in as ${email}`,
    words: 'This link signs you in once. With a password you can come back without it.',
    hasSecret: true,
    children: <PasswordForm {...{ action, email, errors }} field={{ ...field, required: false }} button="Sign in" />,
  });
}
