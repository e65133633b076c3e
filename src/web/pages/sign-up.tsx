import { countOf } from '../../scanner/artifacts/counts.js';
import { paramOf, type Part } from '../server/page.js';
import { addForm, fieldOf, queryOf } from '../server/form.js';
import { SIGN_UP_PATH, withNext } from '../server/paths.js';
import { signInAndRedirect } from '../server/session.js';
import { addLinkRequest, choosePasswordPage, invalidLinkPage, Small } from './auth-pages.js';

/** Creates an account, if the operator allows it: mails a link, which sets the password. */
export const addSignUpPage: Part = (router, deps) => {
  const { isSignUpOpen, mailedLinks, signIn, sites, sendPage } = deps;
  if (!isSignUpOpen) return;
  addLinkRequest(router, deps, {
    path: SIGN_UP_PATH,
    membersGoTo: () => '/sites',
    title: 'Sign up',
    description: 'Make an account: your sites, their runs and what to fix, on the plan FREE.',
    words: 'Every check of your sites, each failure with its proof and its fix, and what changed since.',
    hint: 'We send a link that confirms it. Then you choose a password.',
    sent: ['We sent an e-mail to', '. Its link works once, within an hour.'],
    ask: (email, clientAddress, next) => mailedLinks.askForAccount({ email, clientAddress, site: siteIn(next) }),
    more: (next) => (
      <>
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
  // GET does not use the link, since mail scanners open every link.
  addForm(router, sendPage, {
    path: `${SIGN_UP_PATH}/:token`,
    load: (ctx) => paramOf(ctx, 'token'),
    async submit(ctx, token) {
      const session = await signIn.signUp({ token, password: fieldOf(ctx, 'password') });
      const site = queryOf(ctx, 'site');
      await signInAndRedirect(
        ctx,
        deps,
        session,
        site === '' ? '/sites' : `${ADD_PATH}?${SITE}=${encodeURIComponent(site)}`,
      );
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

/** The page that adds a site, and its query parameter that fills it in. */
const ADD_PATH = '/sites/new';
const SITE = 'site';

/** Returns the site to add; empty for another page. */
function siteIn(next: string): string {
  const [path, query] = next.split('?', 2);
  return path === ADD_PATH ? (new URLSearchParams(query).get(SITE) ?? '') : '';
}
