import { addAccountRoutes } from '../app/accounts/pages/routes.js';
import { addAlertsRoutes } from '../app/alerts/pages/routes.js';
import { addBadgeRoutes } from '../app/badges/pages/routes.js';
import { addFreeScanRoutes } from '../app/free-scan/pages/routes.js';
import { addSitesRoutes } from '../app/dashboard/pages/routes.js';
import type { Part } from '../web/part.js';

/** The pages of each feature, in the order of their routes. */
export const FEATURE_PAGES: readonly Part[] = [
  addFreeScanRoutes,
  addAccountRoutes,
  addSitesRoutes,
  addAlertsRoutes,
  addBadgeRoutes,
];
