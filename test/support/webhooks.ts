import type { Context } from '../../src/app/context.js';
import { type Message, siteChangedMessage } from '../../src/app/alerts/messages.js';
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
import { headlineOf, titleOf } from '../../src/scanner/report/failures.js';

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

/** Returns a message of the service: a site lost its llms.txt. */
export function sampleEvent(publicUrl: string): Message<'site.changed'> {
  const finishedAt = '2026-03-15T12:00:00.000Z';
  const lost = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;
  return siteChangedMessage(
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'www.example.com' },
      run: { number: 13, reference: 'CR-000013', score: 93, trigger: 'POST_DEPLOY', finishedAt },
      previousScore: 100,
      commit: '4f2a1c9',
      changes: [
        { kind: 'SCORE_FELL', from: 100, to: 93 },
        { kind: 'CHECK_FAILING', ...lost, headline: headlineOf(lost) },
      ],
    },
    publicUrl,
    new Date(finishedAt),
  );
}
