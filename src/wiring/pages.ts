import { ACCOUNT_PAGES } from '../app/accounts/pages/routes.js';
import { addAlertsRoutes } from '../app/alerts/pages/routes.js';
import { addActivityPage } from '../app/accounts/pages/activity-page.js';
import { addAutomationPage } from '../app/automation/pages/automation-page.js';
import { addBadgeRoutes } from '../app/badges/pages/routes.js';
import { DASHBOARD_PAGES } from '../app/dashboard/pages/routes.js';
import { DATA_PAGES } from '../app/data/pages/routes.js';
import { addFreeScanRoutes } from '../app/free-scan/pages/routes.js';
import { addRevokeKeyRoutes } from '../app/keys/pages/revoke-key.js';
import { SITE_PAGES } from '../app/sites/pages/routes.js';
import type { Part } from '../web/kit/part.js';

/** The pages of each feature, in the order of the features. */
export const FEATURE_PAGES: readonly Part[] = [
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
