import type { Part } from '../server/page-part.js';
import { addManyPage } from './add-many-page.js';
import { addAddPage } from './add-page.js';
import { addSettingsPage } from './settings-page.js';
import { addVerifyPage } from './verify-page.js';

/** Pages that add, verify and configure sites. */
export const PAGES: readonly Part[] = [addAddPage, addManyPage, addVerifyPage, addSettingsPage];
