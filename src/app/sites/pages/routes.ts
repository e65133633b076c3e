import type { Part } from '../../part.js';
import { addManyPage } from './add-many-page.js';
import { addAddPage } from './add-page.js';
import { addListOfSitesPage } from './list-page.js';
import { addSettingsPage } from './settings-page.js';
import { addVerifyPage } from './verify-page.js';

/** Adding a site, proving that it is one's own, and what is known of it. */
export const PAGES: readonly Part[] = [addAddPage, addManyPage, addListOfSitesPage, addVerifyPage, addSettingsPage];
