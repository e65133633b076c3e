import type Koa from 'koa';
import { PAGES as ACCOUNT_PAGES } from '../app/accounts/pages/routes.js';
import { authenticate, createSessionCookie } from '../app/accounts/pages/session.js';
import { SIGN_UP_PATH } from '../app/accounts/pages/way-in.js';
import { PAGES as ALERT_PAGES } from '../app/alerts/pages/routes.js';
import { PAGES as AUTOMATION_PAGES } from '../app/automation/pages/automation-page.js';
import { PAGES as DASHBOARD_PAGES } from '../app/dashboard/pages/routes.js';
import { PAGES as DATA_PAGES } from '../app/data/pages/routes.js';
import { PAGES as FREE_SCAN_PAGES } from '../app/free-scan/pages/routes.js';
import { PAGES as KEY_PAGES } from '../app/keys/pages/revoke-key.js';
import type { PageServices } from '../app/part.js';
import { PAGES as PUBLICATION_PAGES } from '../app/publications/pages/routes.js';
import { PAGES as SITE_PAGES } from '../app/sites/pages/routes.js';
import { createWeb, type WebDeps } from '../web/kit/app.js';
import type { WebState } from '../web/kit/context.js';
import type { Navigation } from '../web/kit/layout.js';
import type { SiteDeps } from '../web/site/deps.js';
import { SITE_PARTS } from '../web/site/parts.js';

export type PagesDeps = PageServices & SiteDeps & WebDeps;

const PAGES = [
  ...ACCOUNT_PAGES,
  ...KEY_PAGES,
  ...SITE_PAGES,
  ...PUBLICATION_PAGES,
  ...AUTOMATION_PAGES,
  ...ALERT_PAGES,
  ...FREE_SCAN_PAGES,
  ...DASHBOARD_PAGES,
  ...DATA_PAGES,
];

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

/** The dashboard, the public pages and the documents for agents: everything but the API and the MCP endpoint. */
export function createPages(deps: PagesDeps): Koa<WebState> {
  const sessionCookie = createSessionCookie(deps.publicUrl);
  return createWeb(
    { ...deps, sessionCookie },
    {
      parts: [...SITE_PARTS, ...PAGES],
      middlewares: [authenticate(sessionCookie, deps.signIn)],
      navigation: { ...NAVIGATION, signUp: deps.isSignUpOpen ? SIGN_UP_PATH : null },
    },
  );
}
