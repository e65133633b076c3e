import type { Part } from '../../../web/part.js';
import { addAcceptPage } from './accept-page.js';
import { addAddPage } from '../../sites/pages/add-page.js';
import { addAutomationPage } from '../../automation/pages/automation-page.js';
import { addComparePage } from './compare-page.js';
import { addEvidencePage } from './evidence-page.js';
import { addListPage } from './sites-page.js';
import { addProgressStream } from './progress.js';
import { addRecheck } from './recheck.js';
import { addRemovePage } from '../../data/pages/remove-site.js';
import { addRunPage } from './run-page.js';
import { addRunsPage } from './runs-page.js';
import { addSitePage } from './site-page.js';
import { addVerifyPage } from '../../sites/pages/verify-page.js';

/** Everything about an account's sites. */
const PAGES: readonly Part[] = [
  addListPage,
  addAddPage,
  addSitePage,
  addVerifyPage,
  addRemovePage,
  addAutomationPage,
  addProgressStream,
  addRunsPage,
  addEvidencePage,
  addRunPage,
  addComparePage,
  addRecheck,
  addAcceptPage,
];

export const addSitesRoutes: Part = (router, deps) => {
  for (const addPage of PAGES) addPage(router, deps);
};
