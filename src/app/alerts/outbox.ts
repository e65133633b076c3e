import { newId } from '../../platform/ids.js';
import type { NewJob, QueueName } from '../../queue/job.js';
import { deleteJob, lockJob } from '../../queue/job-statements.js';
import { addJob } from '../../queue/jobs.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { selectEmailAlerts } from './alert-state-statements.js';
import type { AlertEventType, MailedEvent, OwnershipEvent } from './alert-event.js';
import { type DeliveryRow, insertDelivery, restartDelivery } from './delivery-statements.js';
import { selectWebhooksInUse, type UsedWebhookRow } from './webhook-statements.js';

/** A message to one receiver. */
export interface NewMessage {
  readonly accountId: string;
  /** Null: to the account's e-mail address. */
  readonly webhook: UsedWebhookRow | null;
  /** The site that it tells of; null for a test, and what tells of several or of none. */
  readonly siteId: string | null;
  readonly event: AlertEventType;
  /** What is signed and sent at each attempt; for people, what the message is written from. */
  readonly body: string;
}

/** Puts a message in the queue. */
export function* addMessage(message: NewMessage, now: Date): Transaction<DeliveryRow> {
  const { accountId: account_id, webhook, siteId: site_id, event, body } = message;
  const key = { id: newId('msg'), account_id, webhook_id: webhook?.id ?? null, site_id };
  const row = yield* one(insertDelivery({ ...key, event, body, now: now.toISOString() }));
  if (!row) throw new Error('An insert answered no row.');
  yield* addJob(jobOf(row, webhook, now), now);
  return row;
}

/** Tells the account by e-mail, where it wants alerts by e-mail. @returns whether it does */
export function* mailAccount(
  { accountId, siteId }: Pick<NewMessage, 'accountId' | 'siteId'>,
  event: MailedEvent,
  now: Date,
): Transaction<boolean> {
  if (!(yield* isMailWanted(accountId))) return false;
  yield* addMessage({ accountId, webhook: null, siteId, event: event.type, body: JSON.stringify(event) }, now);
  return true;
}

function* isMailWanted(id: string): Transaction<boolean> {
  return Boolean((yield* one(selectEmailAlerts({ id })))?.email_alerts_since);
}

/** Whom to tell of a site. */
interface ToTell {
  readonly accountId: string;
  readonly siteId: string;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
  /** Whether the account was told by another site: only webhooks that get nothing but the alerts of this one were not. */
  readonly isKnown: boolean;
}

/** Tells the account by e-mail, or else by the webhooks that get the alerts of the site. */
export function* tellAccount(
  { accountId, siteId, hasMail, isKnown }: ToTell,
  event: OwnershipEvent,
  now: Date,
): Transaction<void> {
  if (hasMail) {
    const isMailed = isKnown ? yield* isMailWanted(accountId) : yield* mailAccount({ accountId, siteId }, event, now);
    if (isMailed) return;
  }
  const message = { accountId, siteId, event: event.type, body: JSON.stringify(event) };
  for (const webhook of yield* all(selectWebhooksInUse({ account_id: accountId, site_id: siteId }))) {
    if (isKnown && webhook.site_id === null) continue;
    yield* addMessage({ ...message, webhook }, now);
  }
}

/**
 * Sends a message of a webhook once more, from its first attempt on; one that is being sent just now is left alone.
 * @returns undefined in the second case, and when there is no such message
 */
export function* resend(id: string, webhook: UsedWebhookRow, now: Date): Transaction<DeliveryRow | undefined> {
  const job = yield* one(lockJob({ kind: 'WEBHOOK', key: id }));
  if (job && job.lease !== null) return undefined;
  const row = yield* one(restartDelivery({ id, webhook_id: webhook.id, now: now.toISOString() }));
  if (!row) return undefined;
  if (job) yield* execute(deleteJob({ kind: job.kind, key: job.key }));
  yield* addJob(jobOf(row, webhook, now), now);
  return row;
}

/** A signed body is ready to be sent. What people read is worded by the worker that sends it, which has to know event and format. */
function jobOf(
  { id, account_id: accountId, site_id: siteId, event }: DeliveryRow,
  webhook: UsedWebhookRow | null,
  now: Date,
): NewJob {
  const kind = webhook === null ? 'MAIL' : 'WEBHOOK';
  return { queue: queueOf(event, webhook), kind, key: id, accountId, siteId, runAfter: now };
}

/** Each message in a queue of which workers of earlier versions take only what they can write. */
function queueOf(event: string, webhook: UsedWebhookRow | null): QueueName {
  // They take a webhook of one site for disabled.
  if (webhook !== null) return webhook.format === null && webhook.site_id === null ? 'deliveries' : 'messages';
  if (event === 'digest.weekly') return 'messages';
  return event === 'site.proof_unread' ? 'notices' : 'deliveries';
}
