import type { Part } from '../server/page-part.js';
import { addAlertsPage } from './alerts-page.js';
import { addWebhookPage } from './webhook-page.js';

export const PAGES: readonly Part[] = [addAlertsPage, addWebhookPage];
