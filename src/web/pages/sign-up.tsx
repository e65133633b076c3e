import { countOf } from '../../scanner/artifacts/counts.js';
import { Door } from '../html/door.js';
import { paramOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { signInAndRedirect } from '../server/session.js';
import { AskForLink, choosePasswordPage, invalidLinkPage, mailboxPage } from './link-pages.js';
import { SIGN_UP_PATH } from '../server/paths.js';

const LINK_PATH = `${SIGN_UP_PATH}/:token`;

/** Adds sign-up, if the operator allows it: a form for the address, then a mailed link that sets the password. */
export const addSignUpRoutes: Part = (router, deps) => {
  const { isSignUpOpen, mailedLinks, sites, sendPage } = deps;
  if (!isSignUpOpen) return;
  const sitesMax = sites.sitesMaxOf('FREE');
  addForm(router, sendPage, {
    path: SIGN_UP_PATH,
    shownAt: null,
    field: 'email',
    load: (ctx) => fieldOf(ctx, 'email'),
    async submit(ctx, email) {
      await mailedLinks.askForAccount({ email, clientAddress: ctx.ip });
      sendPage(ctx, sentPage(email));
    },
    render: (_, email, errors) => signUpPage({ email, errors, sitesMax }),
  });
  router.get(SIGN_UP_PATH, (ctx) => {
    if (ctx.state.viewer) seeOther(ctx, '/sites');
    else sendPage(ctx, signUpPage({ email: '', errors: null, sitesMax }));
  });
  // GET does not use the link, since mail scanners open every link.
  addForm(router, sendPage, {
    path: LINK_PATH,
    load: (ctx) => paramOf(ctx, 'token'),
    submit: (ctx, token) => useLink(ctx, deps, token),
    render: (ctx, token, errors) => linkPage(ctx, deps, token, errors),
  });
};

async function useLink(ctx: RouteContext, deps: PartDeps, token: string): Promise<void> {
  const session = await deps.signIn.signUp({ token, password: fieldOf(ctx, 'password') });
  await signInAndRedirect(ctx, deps, session, '/sites');
}

async function linkPage(
  ctx: RouteContext,
  { signIn }: PartDeps,
  token: string,
  errors: FieldErrors | null,
): Promise<Page> {
  ctx.set('Cache-Control', 'no-store');
  const email = await signIn.readSignUp(token);
  if (email === null) return invalidPage(ctx.method === 'POST');
  const more = 'This confirms your address. Then you add your first site.';
  return choosePasswordPage({ action: `${SIGN_UP_PATH}/${token}`, email, more, errors });
}

const WORDS = 'Every check of your sites, each failure with its proof and its fix, and what changed since.';

interface SignUpPageProps {
  readonly email: string;
  readonly errors: FieldErrors | null;
  /** Limit of the plan FREE. */
  readonly sitesMax: number;
}

function signUpPage({ email, errors, sitesMax }: SignUpPageProps): Page {
  return {
    title: 'Sign up',
    description: 'Make an account: your sites, their runs and what to fix, on the plan FREE.',
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words={WORDS}>
        <h1>Sign up</h1>
        <AskForLink
          action={SIGN_UP_PATH}
          email={email}
          hint="We send a link that confirms it. Then you choose a password."
          errors={errors}
        />
        <p class="soft small more">Plan FREE: up to {countOf(sitesMax, 'site')}. An account is one person’s.</p>
        <p class="soft small more">
          Have an account? <a href="/sign-in">Sign in</a>
        </p>
      </Door>
    ),
  };
}

function sentPage(email: string): Page {
  return mailboxPage({
    email,
    action: SIGN_UP_PATH,
    children: (
      <>
        We sent a mail to{' '}
        <b>
          <bdi>{email}</bdi>
        </b>
        . Its link works once, within an hour.
      </>
    ),
  });
}

function invalidPage(isAgain: boolean): Page {
  return invalidLinkPage({
    why: 'A link that confirms an address works once, within an hour, and only if it is whole.',
    isAgain,
    children: (
      <p class="row more">
        <a class="btn" href="/sign-in">
          Sign in
        </a>
        <a class="btn quiet" href={SIGN_UP_PATH}>
          Sign up
        </a>
      </p>
    ),
  });
}
