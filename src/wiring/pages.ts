import type Koa from 'koa';
import { addDiscoveryRoutes } from '../web/agents/routes.js';
import type { Navigation } from '../web/html/layout.js';
import { PAGES } from '../web/pages/index.js';
import { PAGES as FREE_SCAN_PAGES } from '../web/public/free-scan-routes.js';
import { PAGES as PUBLICATION_PAGES } from '../web/public/publications-routes.js';
import { addPublicRoutes } from '../web/public/routes.js';
import { addSampleRoutes } from '../web/public/sample.js';
import { createWeb } from '../web/server/app.js';
import type { WebState } from '../web/server/context.js';
import type { PagesDeps } from '../web/server/page-part.js';
import { SIGN_UP_PATH } from '../web/server/paths.js';

const PUBLIC_PAGES = [addDiscoveryRoutes, addPublicRoutes, addSampleRoutes, ...FREE_SCAN_PAGES, ...PUBLICATION_PAGES];

const NAVIGATION: Omit<Navigation, 'signUp'> = {
  links: [
    ['/sites', 'Sites'],
    ['/alerts', 'Alerts'],
    ['/keys', 'API keys'],
  ],
  start: ['/sites', 'Your sites'],
  account: '/account',
  signIn: '/sign-in',
  signOut: '/sign-out',
  scan: '/scan',
};

/** The dashboard, the public pages and the documents for agents: everything but the API and the MCP endpoint. */
export function createPages(deps: PagesDeps): Koa<WebState> {
  return createWeb(deps, {
    parts: [...PUBLIC_PAGES, ...PAGES],
    navigation: { ...NAVIGATION, signUp: deps.isSignUpOpen ? SIGN_UP_PATH : null },
  });
}
