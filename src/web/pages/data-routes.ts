import type { Part } from '../server/page-part.js';
import { addDeleteAccountRoutes } from './delete-account.js';
import { addExportRoute } from './export.js';
import { addRemovePage } from './remove-site.js';

/** Export and removal of data. */
export const PAGES: readonly Part[] = [addExportRoute, addRemovePage, addDeleteAccountRoutes];
