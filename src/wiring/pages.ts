import type Koa from 'koa';
import { PAGES as ACCOUNT_PAGES } from '../web/pages/accounts-routes.js';
import { authenticate, createSessionCookie } from '../web/server/session.js';
import { SIGN_UP_PATH } from '../web/server/paths.js';
import { PAGES as ALERT_PAGES } from '../web/pages/alerts-routes.js';
import { PAGES as AUTOMATION_PAGES } from '../web/pages/automation-page.js';
import { PAGES as DASHBOARD_PAGES } from '../web/pages/dashboard-routes.js';
import { PAGES as DATA_PAGES } from '../web/pages/data-routes.js';
import { PAGES as FREE_SCAN_PAGES } from '../web/public/free-scan-routes.js';
import { PAGES as KEY_PAGES } from '../web/pages/revoke-key.js';
import type { PageServices } from '../web/server/page-part.js';
import { PAGES as PUBLICATION_PAGES } from '../web/public/publications-routes.js';
import { PAGES as SITE_PAGES } from '../web/pages/sites-routes.js';
import { addDiscoveryRoutes } from '../web/agents/routes.js';
import { addRedirects } from '../web/public/redirects.js';
import { addPublicRoutes } from '../web/public/routes.js';
import { addSampleRoutes } from '../web/public/sample-page.js';
import { createWeb, type WebDeps } from '../web/server/app.js';
import type { WebState } from '../web/server/context.js';
import type { Navigation } from '../web/html/layout.js';
import type { SiteDeps } from '../web/public/deps.js';

export type PagesDeps = PageServices & SiteDeps & WebDeps;

const PUBLIC_PAGES = [addDiscoveryRoutes, addPublicRoutes, addSampleRoutes, addRedirects];

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
      parts: [...PUBLIC_PAGES, ...PAGES],
      middlewares: [authenticate(sessionCookie, deps.signIn)],
      navigation: { ...NAVIGATION, signUp: deps.isSignUpOpen ? SIGN_UP_PATH : null },
    },
  );
}
