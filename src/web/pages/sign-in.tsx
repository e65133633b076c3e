import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { CHECK_COUNT } from '../../scanner/report/pins.js';
import { Form } from '../html/form.js';
import { FORGOT_PASSWORD_PATH, OPERATOR_PATH, wayToAccount } from '../server/paths.js';
import type { Page, Part, PartDeps } from '../server/page.js';
import { addForm, type FieldErrors, fieldOf, queryOf } from '../server/form.js';
import { signInAndRedirect, signOutAndRedirect } from '../server/session.js';
import { authPage, CURRENT_PASSWORD, EMAIL_FIELD, Small } from './auth-pages.js';

/** Adds signing in by e-mail address and password, and signing out. */
export const addSignInPage: Part = (router, deps) => {
  const { signIn, sessionCookie, sendPage, publicUrl } = deps;
  addForm(router, sendPage, {
    path: '/sign-in',
    membersGoTo: (ctx) => nextPage(queryOf(ctx, 'next'), publicUrl),
    field: 'password',
    load: (ctx) => ({ email: fieldOf(ctx, 'email'), next: fieldOf(ctx, 'next') || queryOf(ctx, 'next') }),
    async submit(ctx, { email, next }) {
      const session = await signIn.withPassword({ email, password: fieldOf(ctx, 'password'), clientAddress: ctx.ip });
      await signInAndRedirect(ctx, deps, session, nextPage(next, publicUrl));
    },
    render: (_, { email, next }, errors) => signInPage(deps, next, email, errors),
  });

  router.post('/sign-out', async (ctx) => {
    const token = sessionCookie.read(ctx);
    if (token !== undefined) await signIn.signOut(token);
    signOutAndRedirect(ctx, deps);
  });
};

const HOME = '/sites';

/**
 * Returns the page to which a sign-in redirects: the requested one, or the list of sites. Rejects anything that a browser could take for
 * another site's address, however it is written (`//host`, `/\host`, `/<tab>/host`, `/.//host`).
 */
export function nextPage(next: string, publicUrl: string): string {
  const url = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (url === null) return HOME;
  const { origin, pathname, search } = url;
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search : HOME;
}

const WORDS = `${countOf(CHECK_COUNT, 'check')}. Each failure comes with its proof and its fix, and Check again proves the fix in seconds.`;

function signInPage(deps: PartDeps, next: string, email: string, errors: FieldErrors | null): Page {
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

/** What people can do without a password or an account. */
function WithoutPassword({ deps, next }: { readonly deps: PartDeps; readonly next: string }): JSX.Element {
  const { hasMail, isDemo } = deps;
  if (isDemo) {
    return (
      <Small>
        For a <span class="nb">one-time</span> link, run <code>make run</code> again.
      </Small>
    );
  }
  const way = wayToAccount(deps, next);
  return (
    <Small>
      Forgot your password?{' '}
      {hasMail ? (
        <a href={FORGOT_PASSWORD_PATH}>Get a link by e-mail</a>
      ) : (
        <a href={OPERATOR_PATH}>Ask the operator for a link</a>
      )}
      .{' '}
      {way !== null && (
        <>
          No account yet? <a href={way[0]}>{way[1]}</a>.{' '}
        </>
      )}
      The <a href="/">free scan</a> needs no account.
    </Small>
  );
}
