import type { Part } from '../../part.js';
import { addAlertsPage } from './alerts-page.js';
import { addRemoveWebhookPage } from './remove-webhook.js';
import { addWebhookPage } from './webhook-page.js';

/** Where an account is told of changes of its sites. */
export const PAGES: readonly Part[] = [addAlertsPage, addWebhookPage, addRemoveWebhookPage];
