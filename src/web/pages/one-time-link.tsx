import { PASSWORD_CHARS_MIN, PASSWORD_HINT } from '../../app/accounts/new-password.js';
import type { ValidLink } from '../../app/accounts/links.js';
import { Door } from '../html/door.js';
import { ErrorSummary, Field } from '../html/form.js';
import { paramOf, type RouteContext } from '../server/context.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { signInAndRedirect } from '../server/session.js';
import { forgotPasswordPage } from './forgot-password.js';
import { choosePasswordPage, invalidLinkPage } from './link-pages.js';

const PATH = '/sign-in/:token';

/**
 * Adds the page of a one-time link. GET does not use the link, since mail scanners open every link; its button does. The address has the
 * token, so the page is not cached. In the demo, GET signs in: the link comes from a terminal.
 */
export const addOneTimeLinkRoutes: Part = (router, deps) => {
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
  await signInAndRedirect(ctx, deps, session, link?.isForPassword ? '/account?done=password' : '/sites');
}

async function linkPage(
  ctx: RouteContext,
  { signIn, hasMail, isDemo = false }: PartDeps,
  token: string,
  errors: FieldErrors | null,
): Promise<Page> {
  ctx.set('Cache-Control', 'no-store');
  const link = await signIn.readLink(token);
  if (!link) {
    const isAgain = ctx.method === 'POST';
    const isSignedIn = ctx.state.viewer !== null;
    return hasMail && !isDemo
      ? forgotPasswordPage({ isInvalid: true, isAgain, isSignedIn })
      : invalidPage({ isAgain, isDemo });
  }
  if (!link.isForPassword) return goodPage(token, link, errors);
  const more = 'It signs you out everywhere else.';
  return choosePasswordPage({ action: `/sign-in/${token}`, email: link.email, more, errors });
}

/** Longer addresses get a smaller font. */
const LONG_CHARS = 24;

function goodPage(token: string, { email, hasPassword }: ValidLink, errors: FieldErrors | null): Page {
  return {
    title: 'Sign in by one-time link',
    styles: ['door.css'],
    hasSecret: true,
    mast: null,
    main: (
      <Door words="This link is your key, once. With a password of your own you come back without it.">
        <h1 class={email.length > LONG_CHARS ? 'long' : undefined}>
          Sign in as <bdi>{email}</bdi>
        </h1>
        <ErrorSummary errors={errors} />
        <form method="post" action={`/sign-in/${token}`}>
          {/* Hidden: tells password managers whose password this is. */}
          <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
          <Field
            name="password"
            label={hasPassword ? 'New password (optional)' : 'Password for the next time (optional)'}
            type="password"
            autocomplete="new-password"
            required={false}
            hint={
              hasPassword
                ? `Leave it empty to keep the one you have. A new one has at least ${PASSWORD_CHARS_MIN} characters, and signs you out everywhere else.`
                : `${PASSWORD_HINT} You can do it later, too.`
            }
            errors={errors}
          />
          <button type="submit">Sign in</button>
        </form>
      </Door>
    ),
  };
}

function invalidPage({ isAgain, isDemo }: { readonly isAgain: boolean; readonly isDemo: boolean }): Page {
  return invalidLinkPage({
    why: 'A one-time link works once, within an hour, and never after a newer password was set; and only if it is whole.',
    isAgain,
    children: isDemo ? (
      <p>
        For a new link, run <code>make run</code> again.
      </p>
    ) : (
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
    ),
  });
}
