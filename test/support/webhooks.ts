import type { Context } from '../../src/app/context.js';
import { readLog } from '../../src/app/alerts/deliveries.js';
import { setEmailAlerts } from '../../src/app/alerts/recipients.js';
import {
  addWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
  sendTest,
  type WebhookOfAccount,
} from '../../src/app/alerts/webhooks.js';

type WebhooksContext = Pick<Context, 'db' | 'clock' | 'hasMail' | 'vetWebhook'>;

/** What an account does with its webhooks, in one context. */
export function webhooksOf(context: WebhooksContext) {
  const { db } = context;
  return {
    add: (request: Parameters<typeof addWebhook>[1]) => addWebhook(context, request),
    enable: (request: WebhookOfAccount) => enableWebhook(context, request),
    get: (request: WebhookOfAccount) => findWebhook(db, request),
    list: (accountId: string) => listWebhooks(db, accountId),
    log: ({ webhookId }: Pick<WebhookOfAccount, 'webhookId'>) => readLog(db, webhookId),
    remove: (request: WebhookOfAccount) => removeWebhook(context, request),
    rotateSecret: (request: WebhookOfAccount) => rotateSecret(context, request),
    sendTest: (request: WebhookOfAccount) => sendTest(context, request),
    setEmailAlerts: (accountId: string, isOn: boolean) => setEmailAlerts(context, accountId, isOn),
  };
}

export type TestWebhooks = ReturnType<typeof webhooksOf>;
