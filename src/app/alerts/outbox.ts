import type { AlertEventType } from './alert-event.js';
import { newId } from '../../platform/ids.js';
import { countWaitingDeliveries, type DeliveryRow, insertDelivery } from './delivery-statements.js';
import { one, type Transaction } from '../../store/transaction.js';
import { PRIORITY_MAX, type Work } from '../../queue/work.js';

/** A message to one receiver. */
export interface NewMessage {
  readonly accountId: string;
  /** Null: to the account's e-mail address. */
  readonly webhookId: string | null;
  /** The site that it tells of; null for a test. */
  readonly siteId: string | null;
  readonly event: AlertEventType;
  /** What is signed and sent at each attempt. */
  readonly body: string;
}

/** Puts a message where the workers find it. */
export function* addMessage(message: NewMessage, now: Date): Transaction<DeliveryRow> {
  return yield* insertMessage(message, yield* priorityAmongDue(message.accountId, now), now);
}

/** Puts one message where the workers find it, for each of an account's receivers. */
export function* addMessages(
  message: Omit<NewMessage, 'webhookId'>,
  receivers: readonly NewMessage['webhookId'][],
  now: Date,
): Transaction<readonly DeliveryRow[]> {
  const first = yield* priorityAmongDue(message.accountId, now);
  const rows: DeliveryRow[] = [];
  for (const [index, webhookId] of receivers.entries()) {
    rows.push(yield* insertMessage({ ...message, webhookId }, Math.min(first + index, PRIORITY_MAX), now));
  }
  return rows;
}

function* insertMessage(message: NewMessage, priority: number, now: Date): Transaction<DeliveryRow> {
  const { accountId: account_id, webhookId: webhook_id, siteId: site_id, event, body } = message;
  const row = yield* one(
    insertDelivery({
      ...{ id: newId('msg'), account_id, webhook_id, site_id, event, body, priority },
      now: now.toISOString(),
    }),
  );
  if (!row) throw new Error('An insert answered no row.');
  return row;
}

/** The place of a new message among the account's own, so that the first of each account comes before the second of any. */
export function priorityAmongDue(accountId: string, now: Date): Transaction<number> {
  return countBefore(accountId, now.toISOString());
}

/**
 * The place of one that failed before, which is counted itself: after all that wait, and after the first new one of any account,
 * since a receiver that is down must not hold up the others.
 */
export function priorityAmongAll(accountId: string): Transaction<number> {
  return countBefore(accountId, END_OF_TIME);
}

/** Later than any time that the table holds. */
const END_OF_TIME = '9999';

function* countBefore(account_id: string, due: string): Transaction<number> {
  const counted = yield* one(countWaitingDeliveries({ account_id, due }));
  return Math.min(counted?.count ?? 0, PRIORITY_MAX);
}

/** What the workers are told of a message that waits. */
export function workOfDelivery({ id, next_attempt_at, priority }: DeliveryRow): Work {
  return { kind: 'delivery', key: id, notBefore: new Date(next_attempt_at ?? 0), priority };
}
