import type { Part } from '../server/page-part.js';
import { addSettingsRoutes } from './account-page.js';
import { addBulkPage } from './bulk-page.js';
import { addComparePage } from './compare-page.js';
import { addFindingPage } from './finding-page.js';
import { addKeyListRoutes } from './key-list.js';
import { addRunPage } from './run-page.js';
import { addRunsPage } from './runs-page.js';
import { addSitePage } from './site-page.js';
import { addListPage } from './sites-page.js';

/** The pages that show several features. */
export const PAGES: readonly Part[] = [
  addListPage,
  addBulkPage,
  addSitePage,
  addRunsPage,
  addFindingPage,
  addRunPage,
  addComparePage,
  addSettingsRoutes,
  addKeyListRoutes,
];
