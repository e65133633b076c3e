import type Koa from 'koa';
import { authenticate, createCookie } from '../app/accounts/pages/session.js';
import { SIGN_UP_PATH } from '../app/accounts/pages/way-in.js';
import { EVENT_WORDS, FEATURES } from '../app/features.js';
import type { PageServices } from '../app/part.js';
import { createWeb, type WebDeps } from '../web/kit/app.js';
import type { WebState } from '../web/kit/context.js';
import type { Navigation } from '../web/kit/layout.js';
import type { SiteDeps } from '../web/site/deps.js';
import { SITE_PARTS } from '../web/site/parts.js';

export type PagesDeps = PageServices & Omit<SiteDeps, 'features'> & WebDeps;

const NAVIGATION: Omit<Navigation, 'signUp'> = {
  links: [
    ['/sites', 'Sites'],
    ['/alerts', 'Alerts'],
    ['/keys', 'API keys'],
  ],
  start: ['/sites', 'Your sites'],
  add: ['/sites/new', 'Add a site'],
  account: '/account',
  signIn: '/sign-in',
  signOut: '/sign-out',
  scan: '/scan',
};

/** The dashboard, the public pages, and what agents look for: everything but the API and the MCP endpoint. */
export async function createPages(deps: PagesDeps): Promise<Koa<WebState>> {
  const sessionCookie = createCookie(deps.publicUrl, 'session');
  const deviceCookie = createCookie(deps.publicUrl, 'device');
  const pages = await Promise.all(FEATURES.map(async (feature) => (await feature.pages?.())?.PAGES ?? []));
  return createWeb(
    { ...deps, sessionCookie, deviceCookie, eventWords: EVENT_WORDS, features: FEATURES },
    {
      parts: [...SITE_PARTS, ...pages.flat()],
      middlewares: [authenticate(sessionCookie, deps.signIn)],
      navigation: { ...NAVIGATION, signUp: deps.isSignUpOpen ? SIGN_UP_PATH : null },
    },
  );
}
