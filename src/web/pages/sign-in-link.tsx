import { PASSWORD_CHARS_MIN, PASSWORD_HINT } from '../../app/accounts/new-password.js';
import { paramOf, type RouteContext } from '../server/context.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { FORGOT_PASSWORD_PATH } from '../server/paths.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { signInAndRedirect } from '../server/session.js';
import { authPage, choosePasswordPage, EmailForm, invalidLinkPage, PasswordByLink } from './auth-pages.js';

const PATH = '/sign-in/:token';

/**
 * Signs in by a one-time link. GET does not use the link, since mail scanners open every link; its button does. The address has the
 * token, so the page is not cached. In the demo, GET signs in: the link comes from a terminal.
 */
export const addSignInLinkPage: Part = (router, deps) => {
  const { isDemo = false, sendPage } = deps;
  addForm(router, sendPage, {
    path: PATH,
    shownAt: isDemo ? null : PATH,
    load: (ctx) => paramOf(ctx, 'token'),
    submit: (ctx, token) => useLink(ctx, deps, token, fieldOf(ctx, 'password')),
    render: (ctx, token, errors) => linkPage(ctx, deps, token, errors),
  });
  if (!isDemo) return;
  router.get(PATH, async (ctx) => {
    const token = paramOf(ctx, 'token');
    // HEAD must not use the link.
    const link = ctx.method === 'GET' ? await deps.signIn.readLink(token) : null;
    if (link && !link.isForPassword) await useLink(ctx, deps, token, '');
    else sendPage(ctx, await linkPage(ctx, deps, token, null));
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
  if (!link) return invalidPage(ctx, deps);
  const { email, hasPassword, isForPassword } = link;
  const action = `/sign-in/${token}`;
  if (isForPassword) {
    return choosePasswordPage({ action, email, more: 'It signs you out everywhere else.', errors });
  }
  return authPage({
    title: 'Sign in by one-time link',
    heading: `Sign in as ${email}`,
    words: 'This link signs you in once. With a password you can come back without it.',
    hasSecret: true,
    children: (
      <PasswordByLink
        {...{ action, email, errors }}
        label={hasPassword ? 'New password (optional)' : 'Password for the next time (optional)'}
        hint={
          hasPassword
            ? `Leave it empty to keep the one you have. A new one has at least ${PASSWORD_CHARS_MIN} characters, and signs you out everywhere else.`
            : `${PASSWORD_HINT} You can do it later, too.`
        }
        isOptional
        button="Sign in"
      />
    ),
  });
}

function invalidPage(ctx: RouteContext, { hasMail, isDemo = false }: PartDeps): Page {
  return invalidLinkPage({ isAgain: ctx.method === 'POST', children: <NewLink {...{ hasMail, isDemo }} /> });
}

/** How to get a new link. */
function NewLink({ hasMail, isDemo }: { readonly hasMail: boolean; readonly isDemo: boolean }) {
  if (isDemo) {
    return (
      <p>
        For a new link, run <code>make run</code> again.
      </p>
    );
  }
  if (hasMail) {
    return (
      <>
        <EmailForm
          action={FORGOT_PASSWORD_PATH}
          email=""
          hint="Of your account. We send a new link to it."
          errors={null}
        />
        <p class="soft small more">
          <a href="/sign-in">Back to sign in</a>
        </p>
      </>
    );
  }
  return (
    <>
      <p class="row more">
        <a class="btn" href="/sign-in">
          Sign in with your password
        </a>
      </p>
      <p class="soft small more">
        No password yet? <a href={OPERATOR_PATH}>Ask the operator</a> for a new link.
      </p>
    </>
  );
}
