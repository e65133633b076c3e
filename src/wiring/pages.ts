import type Koa from 'koa';
import { authenticate, createCookie } from '../app/accounts/pages/session.js';
import { ACCOUNT_PAGES } from '../app/accounts/pages/routes.js';
import { addAlertsRoutes } from '../app/alerts/pages/routes.js';
import { addActivityPage } from '../app/accounts/pages/activity-page.js';
import { addAutomationPage } from '../app/automation/pages/automation-page.js';
import { addBadgeRoutes } from '../app/badges/pages/routes.js';
import { DASHBOARD_PAGES } from '../app/dashboard/pages/routes.js';
import { DATA_PAGES } from '../app/data/pages/routes.js';
import { addFreeScanRoutes } from '../app/free-scan/pages/routes.js';
import { addRevokeKeyRoutes } from '../app/keys/pages/revoke-key.js';
import type { PageServices, Part } from '../app/part.js';
import { SITE_PAGES } from '../app/sites/pages/routes.js';
import { createWeb, type WebDeps } from '../web/kit/app.js';
import type { WebState } from '../web/kit/context.js';
import type { SiteDeps } from '../web/site/deps.js';
import { SITE_PARTS } from '../web/site/parts.js';

/** The pages of each feature, in the order of the features. */
const FEATURE_PAGES: readonly Part[] = [
  addActivityPage,
  ...ACCOUNT_PAGES,
  addRevokeKeyRoutes,
  ...SITE_PAGES,
  addBadgeRoutes,
  addAutomationPage,
  addAlertsRoutes,
  addFreeScanRoutes,
  ...DASHBOARD_PAGES,
  ...DATA_PAGES,
];

export type PagesDeps = PageServices & SiteDeps & WebDeps;

/** The dashboard, the public pages, and what agents look for: everything but the API and the MCP endpoint. */
export function createPages(deps: PagesDeps): Koa<WebState> {
  const sessionCookie = createCookie(deps.publicUrl, 'session');
  const deviceCookie = createCookie(deps.publicUrl, 'device');
  return createWeb(
    { ...deps, sessionCookie, deviceCookie },
    { parts: [...SITE_PARTS, ...FEATURE_PAGES], middlewares: [authenticate(sessionCookie, deps.signIn)] },
  );
}
