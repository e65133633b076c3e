import type { Part } from '../../../web/part.js';
import { addAcceptPage } from '../../accepted/pages/accept-page.js';
import { addAddPage } from './add-page.js';
import { addAutomationPage } from '../../automation/pages/automation-page.js';
import { addComparePage } from '../../runs/pages/compare-page.js';
import { addEvidencePage } from '../../evidence/pages/evidence-page.js';
import { addListPage } from './list-page.js';
import { addProgressStream } from '../../runs/pages/progress.js';
import { addRecheck } from '../../rechecks/pages/recheck.js';
import { addRemovePage } from './remove-page.js';
import { addRunPage } from '../../runs/pages/run-page.js';
import { addRunsPage } from '../../runs/pages/runs-page.js';
import { addSitePage } from './site-page.js';
import { addVerifyPage } from './verify-page.js';

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
