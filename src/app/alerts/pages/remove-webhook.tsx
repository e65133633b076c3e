import type { Webhook } from '../webhook.js';
import { confirmPage } from '../../../web/kit/confirm.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm } from '../../../web/kit/form.js';
import type { Part } from '../../part.js';
import { RailText } from '../../../web/kit/components/two.js';
import { alertsAddress, webhookAsked } from './addresses.js';

/** Removing a webhook says what goes with it. */
export const addRemoveWebhookPage: Part = (router, { webhooks, sendPage }) => {
  addForm(router, sendPage, {
    path: '/alerts/webhooks/:webhookId/remove',
    load: (ctx) => webhooks.get(webhookAsked(ctx)),
    async submit(ctx) {
      await webhooks.remove(webhookAsked(ctx));
      seeOther(ctx, `${alertsAddress.all}?notice=removed`);
    },
    render: (ctx, webhook, errors) => ({
      ...confirmPage(ctx, errors, {
        title: `Remove webhook ${webhook.name}`,
        heading: 'Remove this webhook?',
        crumbs: [
          [alertsAddress.all, 'Alerts'],
          [alertsAddress.webhook(webhook.id), webhook.name],
        ],
        here: 'Remove',
        lead: <code>{webhook.address}</code>,
        end: 'Removed',
        goes: [
          ['bell', 'Alerts to this address, also those that are not sent yet'],
          ['lock', isSigned(webhook) ? 'Its log and its secret' : 'Its log'],
        ],
        stays: [['globe', 'Your sites, their runs and your other webhooks']],
        rail: isSigned(webhook) && (
          <RailText title="Only a new secret?">
            You can <a href={alertsAddress.webhook(webhook.id)}>replace the secret</a> and keep the webhook and its log.
          </RailText>
        ),
        action: alertsAddress.remove(webhook.id),
        button: 'Remove webhook',
        kept: [alertsAddress.webhook(webhook.id), 'Keep the webhook'],
      }),
      hasSecret: true,
    }),
  });
};

function isSigned({ format }: Webhook): boolean {
  return format === 'signed';
}
