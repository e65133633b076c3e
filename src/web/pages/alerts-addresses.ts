import type { WebhookOfAccount } from '../../app/alerts/webhooks.js';
import { paramOf, type RouteContext } from '../server/context.js';
import { sessionOf } from '../server/session.js';

/** The addresses of the pages of alerts. */
export const alertsAddress = {
  all: '/alerts',
  email: '/alerts/email',
  webhooks: '/alerts/webhooks',
  webhook: (id: string) => `/alerts/webhooks/${id}`,
  test: (id: string) => `/alerts/webhooks/${id}/test`,
  enable: (id: string) => `/alerts/webhooks/${id}/enable`,
  site: (id: string) => `/alerts/webhooks/${id}/site`,
  secret: (id: string) => `/alerts/webhooks/${id}/secret`,
  remove: (id: string) => `/alerts/webhooks/${id}/remove`,
};

/** Returns the webhook in the path and the signed-in account. @throws SignInNeeded */
export function requestedWebhook(ctx: RouteContext): WebhookOfAccount {
  return { accountId: sessionOf(ctx).account.id, webhookId: paramOf(ctx, 'webhookId') };
}
