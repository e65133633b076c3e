import type { Context } from '../../src/app/context.js';
import { type AlertOf, newAlert } from '../../src/app/alerts/alert.js';
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

/** The address of a site's fourth run on pages. */
const RUN_4 = '/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/4';

/** Returns an alert about run 4 of a site, which by default lost its llms.txt. */
export function sampleAlert(
  publicUrl: string,
  data: Partial<Omit<AlertOf<'site.changed'>['data'], 'site' | 'run'>> = {},
  { hostname = 'www.example.com', ...run }: { hostname?: string; score?: number | null; commit?: string } = {},
): AlertOf<'site.changed'> {
  const finishedAt = '2026-03-15T12:00:00.000Z';
  const lost = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;
  const reported = { number: 4, reference: 'CR-000013', score: 93, trigger: 'POST_DEPLOY', finishedAt } as const;
  return newAlert(
    'site.changed',
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname },
      run: { ...reported, commit: '4f2a1c9', url: publicUrl + RUN_4, ...run },
      previousScore: 100,
      changes: [
        { kind: 'SCORE_FELL', from: 100, to: 93 },
        { kind: 'CHECK_FAILING', ...lost, headline: headlineOf(lost) },
      ],
      ...data,
    },
    new Date(finishedAt),
  );
}
