import type { Part } from '../../part.js';
import { addAddPage } from './add-page.js';
import { addVerifyPage } from './verify-page.js';

/** Adding a site, and proving that it is one's own. */
export const PAGES: readonly Part[] = [addAddPage, addVerifyPage];
