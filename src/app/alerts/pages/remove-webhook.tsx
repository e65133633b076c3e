import type { Webhook } from '../webhook.js';
import { assertTyped, confirmPage } from '../../../web/kit/confirm.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm } from '../../../web/kit/form.js';
import type { Part } from '../../part.js';
import { alertsAddress, webhookAsked } from './addresses.js';

/** Removing a webhook says what goes with it, and asks for its host. */
export const addRemoveWebhookPage: Part = (router, { webhooks, sendPage }) => {
  addForm(router, sendPage, {
    path: '/alerts/webhooks/:webhookId/remove',
    load: (ctx) => webhooks.get(webhookAsked(ctx)),
    async submit(ctx, webhook) {
      assertTyped(ctx, hostOf(webhook), 'remove this webhook');
      await webhooks.remove(webhookAsked(ctx));
      seeOther(ctx, `${alertsAddress.all}?notice=removed`);
    },
    render: (ctx, webhook, errors) =>
      confirmPage(ctx, errors, {
        title: `Remove webhook ${hostOf(webhook)}`,
        heading: 'Remove this webhook?',
        crumbs: [
          [alertsAddress.all, 'Alerts'],
          [alertsAddress.webhook(webhook.id), hostOf(webhook)],
        ],
        here: 'Remove',
        lead: <code>{webhook.url}</code>,
        goes: [
          ['bell', 'Alerts to this address, those that are still to be sent among them'],
          ['lock', 'Its log and its secret'],
        ],
        stays: [['globe', 'Your sites, their runs and your other webhooks']],
        action: alertsAddress.remove(webhook.id),
        word: hostOf(webhook),
        what: 'its host name',
        button: 'Remove webhook',
        keptAt: alertsAddress.webhook(webhook.id),
      }),
  });
};

function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}
