import { webhookDisabled } from './alert-event.js';
import { MAIL_ATTEMPTS_MAX, pauseBeforeNext, WEBHOOK_ATTEMPTS_MAX } from './delivery-pauses.js';
import { selectEmailAlerts } from './alert-state-statements.js';
import { type ClaimedDeliveryRow, type DeliveryRow, settleDelivery } from './delivery-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { disableWebhook, markWebhookFailing, markWebhookWorking, type WebhookRow } from './webhook-statements.js';
import { laterThan } from '../../platform/later-than.js';
import type { Work } from '../../queue/work.js';
import type { AttemptOutcome, Receiver } from './attempt.js';
import { addMessage, priorityAmongAll, workOfDelivery } from './outbox.js';

/** A message that a worker has in hand. */
export interface ClaimedDelivery extends ClaimedDeliveryRow {
  readonly id: string;
  readonly lease: string;
  /** A sentence where there is nobody to send to any more. */
  readonly receiver: Receiver | string;
}

export interface SettledAttempt {
  readonly row: DeliveryRow;
  readonly isWebhookDisabled: boolean;
  /** What waits now: the message itself, and the news that its webhook was turned off. */
  readonly work: readonly Work[];
}

/** Why a message to a webhook that is in use no more was not sent. */
export const WEBHOOK_OFF = 'The webhook was turned off before the message was delivered.';

/** How long nothing may have been taken until a webhook is turned off. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;

export function attemptsMaxOf({ webhook_id }: { readonly webhook_id: string | null }): number {
  return webhook_id === null ? MAIL_ATTEMPTS_MAX : WEBHOOK_ATTEMPTS_MAX;
}

/** Writes what became of an attempt, and what it means for the webhook; undefined, and nothing written, when the lease has ended. */
export function* settleAttempt(
  claimed: ClaimedDelivery,
  { verdict, answerStatus: answer_status, problem, askedMs }: AttemptOutcome,
  { now, random }: { readonly now: Date; readonly random: number },
): Transaction<SettledAttempt | undefined> {
  const { id, lease, attempts, account_id, webhook_id } = claimed;
  const isRetried = verdict === 'failed' && attempts < attemptsMaxOf(claimed);
  const next_attempt_at = isRetried ? laterThan(now, pauseBeforeNext(attempts, random, askedMs)) : null;
  const row = yield* one(
    settleDelivery({
      ...{ id, lease, answer_status, problem, next_attempt_at },
      state: isRetried ? 'waiting' : verdict === 'delivered' ? 'delivered' : 'failed',
      // The workers are told at once for when it is due: only then its absence can be noticed.
      offered_at: next_attempt_at ?? now.toISOString(),
      priority: isRetried ? yield* priorityAmongAll(account_id) : 0,
    }),
  );
  if (!row) return undefined;
  const isGivenUp = verdict === 'failed' && !isRetried;
  const disabled = webhook_id === null ? undefined : yield* noteHealth(webhook_id, verdict, isGivenUp, now);
  const news = disabled ? yield* tellOfDisabled(disabled, now) : [];
  const work = [...(isRetried ? [row] : []), ...news].map(workOfDelivery);
  return { row, isWebhookDisabled: disabled !== undefined, work };
}

/**
 * The webhook where this turned it off: its receiver is gone, or a message was given up, after its ten attempts of three days, and
 * nothing has been taken for five. So neither one bad message nor a bad day turns it off, nor a bad moment long after.
 */
function* noteHealth(
  id: string,
  verdict: AttemptOutcome['verdict'],
  isGivenUp: boolean,
  now: Date,
): Transaction<WebhookRow | undefined> {
  if (verdict === 'delivered') yield* execute(markWebhookWorking({ id }));
  if (verdict === 'delivered' || verdict === 'refused') return undefined;
  const health = yield* one(markWebhookFailing({ id, now: now.toISOString() }));
  const isDead = isGivenUp && health !== undefined && health.failing_since <= laterThan(now, -FAILING_MS_MAX);
  if (verdict !== 'gone' && !isDead) return undefined;
  return yield* one(disableWebhook({ id, now: now.toISOString() }));
}

/** By e-mail, where the account wants it (Standard Webhooks, "Deliverability and reliability"). */
function* tellOfDisabled(webhook: WebhookRow, now: Date): Transaction<readonly DeliveryRow[]> {
  const { account_id: accountId } = webhook;
  const account = yield* one(selectEmailAlerts({ id: accountId }));
  if (!account?.email_alerts_since) return [];
  const event = webhookDisabled(webhook, now);
  const message = { accountId, webhookId: null, siteId: null, event: event.type, body: JSON.stringify(event) };
  return [yield* addMessage(message, now)];
}
