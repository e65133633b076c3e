import { countOf } from '../../scanner/artifacts/counts.js';
import { seeOther } from '../../platform/http/answer.js';
import { paramOf, queryOf } from '../server/context.js';
import { addForm, type FieldErrors, fieldOf } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { SIGN_UP_PATH, withNext } from '../server/paths.js';
import { signInAndRedirect } from '../server/session.js';
import { authPage, choosePasswordPage, EmailForm, invalidLinkPage, mailboxPage, Small } from './auth-pages.js';

const SENT = ['We sent an e-mail to', '. Its link works once, within an hour.'] as const;

/** Creates an account, if the operator allows it: mails a link, which sets the password. */
export const addSignUpPage: Part = (router, deps) => {
  const { isSignUpOpen, mailedLinks, signIn, sendPage } = deps;
  if (!isSignUpOpen) return;
  addForm(router, sendPage, {
    path: SIGN_UP_PATH,
    shownAt: null,
    field: 'email',
    load: (ctx) => ({ email: fieldOf(ctx, 'email'), next: fieldOf(ctx, 'next') }),
    async submit(ctx, { email, next }) {
      await mailedLinks.askForAccount({ email, clientAddress: ctx.ip, site: siteIn(next) });
      sendPage(ctx, mailboxPage(SIGN_UP_PATH, email, SENT, next));
    },
    render: (_, { email, next }, errors) => signUpPage(deps, email, next, errors),
  });
  router.get(SIGN_UP_PATH, (ctx) => {
    if (ctx.state.viewer) seeOther(ctx, '/sites');
    else sendPage(ctx, signUpPage(deps, '', queryOf(ctx, 'next'), null));
  });
  // GET does not use the link, since mail scanners open every link.
  addForm(router, sendPage, {
    path: `${SIGN_UP_PATH}/:token`,
    load: (ctx) => paramOf(ctx, 'token'),
    async submit(ctx, token) {
      const session = await signIn.signUp({ token, password: fieldOf(ctx, 'password') });
      const site = queryOf(ctx, 'site');
      await signInAndRedirect(ctx, deps, session, site === '' ? '/sites' : pathToAdd(site));
    },
    async render(ctx, token, errors) {
      ctx.set('Cache-Control', 'no-store');
      const email = await signIn.readSignUp(token);
      if (email === null) return invalidLinkPage(ctx.method === 'POST', SIGN_IN_OR_UP);
      const more = 'This confirms your address. Then you add your first site.';
      return choosePasswordPage({ action: `${SIGN_UP_PATH}/${token}${ctx.search}`, email, more, errors });
    },
  });
};

/** The page that adds a site, filled in. */
function pathToAdd(site: string): string {
  return `/sites/new?site=${encodeURIComponent(site)}`;
}

/** Returns the site of {@link pathToAdd}; empty for another page. */
function siteIn(next: string): string {
  const [path, query] = next.split('?', 2);
  return path === '/sites/new' ? (new URLSearchParams(query).get('site') ?? '') : '';
}

function signUpPage({ sites }: PartDeps, email: string, next: string, errors: FieldErrors | null): Page {
  return authPage({
    title: 'Sign up',
    description: 'Make an account: your sites, their runs and what to fix, on the plan FREE.',
    words: 'Every check of your sites, each failure with its proof and its fix, and what changed since.',
    children: (
      <>
        <EmailForm
          action={SIGN_UP_PATH}
          hint="We send a link that confirms it. Then you choose a password."
          {...{ email, next, errors }}
        />
        <Small>
          Plan FREE: up to {countOf(sites.sitesMaxOf('FREE'), 'site')}. Accounts aren’t shared: each person needs their
          own.
        </Small>
        <Small>
          Have an account? <a href={withNext('/sign-in', next)}>Sign in</a>
        </Small>
      </>
    ),
  });
}

const SIGN_IN_OR_UP = (
  <p class="row more">
    <a class="btn" href="/sign-in">
      Sign in
    </a>
    <a class="btn quiet" href={SIGN_UP_PATH}>
      Sign up
    </a>
  </p>
);
