import type { AddRoutes } from '../server/page.js';
import { addAccountPage } from './account.js';
import { addActivityPage } from './account-activity.js';
import { addDeleteAccountPage } from './account-delete.js';
import { addAlertsPage } from './alerts.js';
import { addWebhookPage } from './alerts-webhook.js';
import { addAutomationPage } from './automation.js';
import { addComparePage } from './compare.js';
import { addFindingPage } from './finding-page.js';
import { addKeysPage } from './keys.js';
import { addRunPage } from './run-page.js';
import { addRunsPage } from './runs.js';
import { addSignInLinkPage, addSignInPage, addSignUpPage } from './sign-in.js';
import { addSitePage } from './site-page.js';
import { addRemoveSitePage } from './site-remove.js';
import { addSiteSettingsPage } from './site-settings.js';
import { addVerifyPage } from './site-verify.js';
import { addSitesPage } from './sites.js';
import { addImportPage, addNewSitePage } from './sites-add.js';
import { addBulkPage } from './sites-bulk.js';
import { addVerifyManyPage } from './sites-verify.js';

/** Pages for members, and the pages that sign in. */
export const PAGES: readonly AddRoutes[] = [
  addSignInPage,
  addSignInLinkPage,
  addSignUpPage,
  addSitesPage,
  addNewSitePage,
  addImportPage,
  addVerifyManyPage,
  addBulkPage,
  addSitePage,
  addVerifyPage,
  addSiteSettingsPage,
  addAutomationPage,
  addRemoveSitePage,
  addRunsPage,
  addRunPage,
  addComparePage,
  addFindingPage,
  addAlertsPage,
  addWebhookPage,
  addKeysPage,
  addAccountPage,
  addActivityPage,
  addDeleteAccountPage,
];
