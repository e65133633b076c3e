import { countOf } from '../../scanner/artifacts/counts.js';
import { CHECK_COUNT } from '../../scanner/report/pins.js';
import { Form } from '../html/form.js';
import { FORGOT_PASSWORD_PATH, OPERATOR_PATH, SIGN_UP_PATH, accountLink, withNext } from '../server/paths.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import {
  addForm,
  fieldOf,
  paramOf,
  queryOf,
  sendPage,
  signInAndRedirect,
  signOutAndRedirect,
} from '../server/routes.js';
import {
  addLinkRequest,
  authPage,
  choosePasswordPage,
  CURRENT_PASSWORD,
  EMAIL_FIELD,
  invalidLinkPage,
  PasswordForm,
  FormNote,
} from './auth-pages.js';
import { PASSWORD_CHARS_MIN, PASSWORD_HINT } from '../../app/accounts/passwords.js';
import { seeOther } from '../../platform/http/answer.js';

/** Signs in by e-mail address and password, and signs out. */
export const addSignInPage: AddRoutes = (router, deps) => {
  const { signIn, publicUrl } = deps;
  addForm(router, {
    path: '/sign-in',
    membersGoTo: (ctx) => nextPage(queryOf(ctx, 'next'), publicUrl),
    field: 'password',
    load: (ctx) => ({ email: fieldOf(ctx, 'email'), next: fieldOf(ctx, 'next') || queryOf(ctx, 'next') }),
    async submit(ctx, { email, next }) {
      const session = await signIn.withPassword({ email, password: fieldOf(ctx, 'password'), clientAddress: ctx.ip });
      await signInAndRedirect(ctx, session, nextPage(next, publicUrl));
    },
    render: (_, { email, next }, errors) => signInPage(deps, next, email, errors),
  });

  router.post('/sign-out', async (ctx) => {
    const { sessionToken } = ctx.state;
    if (sessionToken !== undefined) await signIn.signOut(sessionToken);
    signOutAndRedirect(ctx);
  });
};

const HOME = '/sites';

/**
 * Returns the page to which a sign-in redirects: the requested one, or the list of sites. Rejects every spelling that a browser could take
 * for another site's address (`//host`, `/\host`, `/<tab>/host`, `/.//host`).
 */
export function nextPage(next: string, publicUrl: string): string {
  const url = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (url === null) return HOME;
  const { origin, pathname, search } = url;
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search : HOME;
}

const WORDS = `${countOf(CHECK_COUNT, 'check')}. Each failure comes with its proof and its fix, and Check again proves the fix in seconds.`;

function signInPage(deps: RouteDeps, next: string, email: string, errors: FieldErrors | null): Page {
  return authPage({
    title: 'Sign in',
    description: 'Sign in to see your sites, their runs, and your API keys.',
    notices: { 'signed-out': 'You are signed out.' },
    words: WORDS,
    children: (
      <>
        <Form
          action="/sign-in"
          button="Sign in"
          errors={errors}
          hidden={{ next }}
          fields={[
            { ...EMAIL_FIELD, value: email },
            { ...CURRENT_PASSWORD, name: 'password' },
          ]}
        />
        <WithoutPassword deps={deps} next={next} />
      </>
    ),
  });
}

/** Links for people without a password or an account. */
function WithoutPassword({ deps, next }: { readonly deps: RouteDeps; readonly next: string }) {
  const { hasMail, isDemo } = deps;
  if (isDemo && !hasMail) {
    return (
      <FormNote>
        For a <span class="nb">one-time</span> link, run <code>make run</code> again.
      </FormNote>
    );
  }
  const link = accountLink(deps, next);
  return (
    <FormNote>
      Forgot your password?{' '}
      {hasMail ? (
        <a href={FORGOT_PASSWORD_PATH}>Get a link by e-mail</a>
      ) : (
        <a href={OPERATOR_PATH}>Ask the operator for a link</a>
      )}
      .{' '}
      {link !== null && (
        <>
          No account yet? <a href={link[0]}>{link[1]}</a>.{' '}
        </>
      )}
      The <a href="/">free scan</a> needs no account.
    </FormNote>
  );
}

const PATH = '/sign-in/:token';

/**
 * Signs in by a one-time link. GET does not use the link, since mail scanners open every link; the button does. The URL contains the
 * token, so the page is not cached. In the demo, GET signs in: the link comes from a terminal.
 */
export const addSignInLinkPage: AddRoutes = (router, deps) => {
  const { isDemo = false, hasMail, mailedLinks, signIn } = deps;
  router.get(PATH, async (ctx) => {
    const token = paramOf(ctx, 'token');
    const link = await signIn.readLink(token);
    if (link === null && ctx.state.session) seeOther(ctx, '/sites');
    // HEAD must not use the link.
    else if (isDemo && link && !link.isForPassword && ctx.method === 'GET') await useLink(ctx, deps, token, '');
    else sendPage(ctx, await linkPage(ctx, deps, token, null));
  });
  addForm(router, {
    path: PATH,
    shownAt: null,
    load: (ctx) => paramOf(ctx, 'token'),
    submit: (ctx, token) => useLink(ctx, deps, token, fieldOf(ctx, 'password')),
    render: (ctx, token, errors) => linkPage(ctx, deps, token, errors),
  });
  if (!hasMail) return;
  addLinkRequest(router, {
    path: FORGOT_PASSWORD_PATH,
    title: 'Forgot your password?',
    words: 'The link asks for a new password, and signs you in.',
    hint: 'The address of your account. We send it a link.',
    sent: ['If an account has the address', ', it gets a link by e-mail, at most 5 an hour.'],
    sendLink: (email, clientAddress) => mailedLinks.requestPasswordLink({ email, clientAddress }),
    more: () => (
      <FormNote>
        <a href="/sign-in">Back to sign in</a>
      </FormNote>
    ),
  });
};

async function useLink(ctx: WebContext, deps: RouteDeps, token: string, password: string): Promise<void> {
  const link = await deps.signIn.readLink(token);
  const session = await deps.signIn.useLink({ token, password });
  await signInAndRedirect(ctx, session, link?.isForPassword ? '/account?notice=password' : '/sites');
}

async function linkPage(ctx: WebContext, deps: RouteDeps, token: string, errors: FieldErrors | null): Promise<Page> {
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
    : { label: 'Password for next time (optional)', hint: `${PASSWORD_HINT} You can also set one later.` };
  return authPage({
    title: 'Sign in by one-time link',
    heading: `Sign in as ${email}`,
    words: 'This link signs you in once. With a password you can come back without it.',
    hasSecret: true,
    children: <PasswordForm {...{ action, email, errors }} field={{ ...field, required: false }} button="Sign in" />,
  });
}

/** Creates an account, if the operator allows it: mails a link, which sets the password. */
export const addSignUpPage: AddRoutes = (router, deps) => {
  const { isSignUpOpen, mailedLinks, signIn, sites } = deps;
  if (!isSignUpOpen) return;
  addLinkRequest(router, {
    path: SIGN_UP_PATH,
    membersGoTo: () => '/sites',
    title: 'Sign up',
    description: 'Create an account for your sites, their runs and what to fix, on plan FREE.',
    words: 'Every check of your sites, each failure with its proof and its fix, and what changed since the last run.',
    hint: 'We send a link that confirms it. Then you choose a password.',
    sent: ['We sent an e-mail to', '.'],
    sendLink: (email, clientAddress, next) =>
      mailedLinks.requestSignUpLink({ email, clientAddress, site: parseSite(next) }),
    more: (next) => (
      <>
        <FormNote>
          Plan FREE: up to {countOf(sites.sitesMaxOf('FREE'), 'site')}. Accounts aren’t shared: each person needs their
          own.
        </FormNote>
        <FormNote>
          Have an account? <a href={withNext('/sign-in', next)}>Sign in</a>
        </FormNote>
      </>
    ),
  });
  // GET does not use the link, since mail scanners open every link.
  addForm(router, {
    path: `${SIGN_UP_PATH}/:token`,
    load: (ctx) => paramOf(ctx, 'token'),
    async submit(ctx, token) {
      const session = await signIn.signUp({ token, password: fieldOf(ctx, 'password') });
      const site = queryOf(ctx, 'site');
      const next = site === '' ? HOME : `${ADD_PATH}?${SITE}=${encodeURIComponent(site)}`;
      await signInAndRedirect(ctx, session, next);
    },
    async render(ctx, token, errors) {
      ctx.set('Cache-Control', 'no-store');
      const email = await signIn.readSignUp(token);
      if (email === null) return invalidLinkPage(deps);
      const more = 'This confirms your address. Then you add your first site.';
      return choosePasswordPage({ action: `${SIGN_UP_PATH}/${token}${ctx.search}`, email, more, errors });
    },
  });
};

/** The page that adds a site, and the query parameter that fills it in. */
const ADD_PATH = '/sites/new';
const SITE = 'site';

/** Returns the site to add from the URL of {@link ADD_PATH}; empty for another page. */
function parseSite(next: string): string {
  const [path, query] = next.split('?', 2);
  return path === ADD_PATH ? (new URLSearchParams(query).get(SITE) ?? '') : '';
}
