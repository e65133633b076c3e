import type { Knex } from 'knex';
import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { deleteOfAccount, deleteOfMarkedSites, deleteSomeOf, untilNone } from '../kept.js';
import { recordWebhooksOf } from './add-webhook.js';
import { deliveryLines, digestLines, webhookLines } from './alert-export.js';
import { cleanUpDeliveries, DELIVERIES_KEPT_DAYS, deleteSomeDeliveriesToSite } from './delivery-statements.js';
import { PLAN_DIGESTS_EVERY_MS, planDigests } from './digest-planner.js';

const stillToSend = (messages: Knex.QueryBuilder) => messages.whereNotNull('next_attempt_at');

const deleteSomeDeliveriesOfSite = deleteSomeOf('deliveries', 'site_id');

export const alerts = {
  tables: ['webhooks', 'deliveries', 'alert_states', 'digests'],
  // A delivery holds the job first, then the message; so do these, since the jobs went with the schedules.
  closeSites: [deleteOfMarkedSites('deliveries', stillToSend)],
  closeAccount: [deleteOfAccount('deliveries', stillToSend), deleteOfAccount('digests')],
  recordRemoval: recordWebhooksOf,
  // What hangs on the site itself goes with it: its webhooks, of which tests alone are left by then.
  async *eraseSite(db, { id }) {
    yield* untilNone(db, deleteSomeDeliveriesOfSite({ site_id: id }));
    yield* untilNone(db, deleteSomeDeliveriesToSite({ site_id: id }));
  },
  eraseAccount: [deleteSomeOf('deliveries', 'account_id')],
  cleanUps: [cleanUpDeliveries],
  lines: { webhook: webhookLines, delivery: deliveryLines, digest: digestLines },
  pages: () => import('./pages/routes.js'),
  events: {
    webhook_added: 'Webhook added',
    webhook_secret_changed: 'Webhook secret changed',
    webhook_enabled: 'Webhook enabled',
    webhook_disabled: 'Webhook disabled',
    webhook_removed: 'Webhook removed',
    webhook_scope_changed: 'Sites of a webhook changed',
    email_alerts_turned_on: 'Alerts by e-mail turned on',
    email_alerts_turned_off: 'Alerts by e-mail turned off',
    digest_turned_on: 'Weekly digest turned on',
    digest_turned_off: 'Weekly digest turned off',
  },
  privacy: () => ({
    'Sites and runs': [
      {
        what: '**Last state** that alerts compare with',
        why: 'So that only a change makes an alert',
        kept: 'Until you remove the site',
      },
    ],
    Alerts: [
      {
        what: '**E-mail alerts:** since when they are on',
        why: 'You turned them on',
        kept: 'Until you turn them off',
      },
      {
        what: '**Weekly digest:** since when it tells of changes, and when it is due',
        why: 'You turned it on',
        kept: 'Until you turn it off',
      },
      {
        what: '**Webhooks:** address, format and site; address and secret are not hashed',
        why: 'Messages go to the address, and the secret signs them',
        kept: 'Until you remove the webhook, or its site',
      },
      {
        what: '**Messages**, sent or waiting, each with the status of the answer and a sentence of ours',
        why: 'To send them, and to show you what arrived',
        kept: `${countOf(DELIVERIES_KEPT_DAYS, 'day')}, or until the webhook or the site is removed`,
      },
    ],
  }),
  gauges: {
    deliveries: {
      help: 'Messages of alerts on their way: "waiting" for their first try, or "retrying" after one that failed.',
      labels: ['state'],
      read: ({ depths }) =>
        (['waiting', 'retrying'] as const).map((state) => {
          const ofAlerts = depths.filter(({ kind }) => kind === 'WEBHOOK' || kind === 'MAIL');
          return { labels: { state }, value: ofAlerts.reduce((sum, depth) => sum + depth[state], 0) };
        }),
    },
  },
  handlers: ({ deliveryHandlers: { WEBHOOK, MAIL } }) => ({
    deliveries: { WEBHOOK, MAIL },
    notices: { MAIL },
    messages: { WEBHOOK, MAIL },
  }),
  upkeep: (work) => [['DIGESTS', PLAN_DIGESTS_EVERY_MS, () => planDigests(work)]],
} satisfies Feature;
