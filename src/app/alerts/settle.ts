import { laterThan } from '../../platform/clock.js';
import type { ClaimedJob } from '../../queue/job.js';
import { finishJob, retryJob } from '../../queue/jobs.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordWebhook } from './add-webhook.js';
import { type TurnOffCause, webhookDisabled } from './alert-event.js';
import type { AttemptOutcome } from './attempt.js';
import { pauseBeforeNext } from './delivery-pauses.js';
import { type DeliveryState, settleDelivery } from './delivery-statements.js';
import { mailAccount } from './outbox.js';
import {
  type DisabledWebhookRow,
  disableWebhook,
  markWebhookFailing,
  markWebhookWorking,
} from './webhook-statements.js';
import { formatOf } from './webhook.js';

/** A message that this process is sending. */
export interface ClaimedMessage {
  readonly job: ClaimedJob;
  /** Null for e-mail. */
  readonly webhookId: string | null;
  readonly attemptsMax: number;
}

export interface SettledAttempt {
  readonly state: DeliveryState;
  /** Why the webhook was turned off; null: it was not. */
  readonly disabled: TurnOffCause | null;
}

/** Why a message to a webhook that is in use no more was not sent. */
export const WEBHOOK_OFF = 'The webhook was turned off before the message was delivered.';

/** How long nothing may have been taken until a webhook is turned off. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;

/** Writes what came of an attempt, and what it means for the webhook. @throws LeaseLost, and nothing is written */
export function* settleAttempt(
  { job, webhookId, attemptsMax }: ClaimedMessage,
  { verdict, answerStatus: answer_status, problem, askedMs }: AttemptOutcome,
  { now, random }: { readonly now: Date; readonly random: number },
): Transaction<SettledAttempt> {
  const isRetried = verdict === 'failed' && job.attempts < attemptsMax;
  const next_attempt_at = isRetried ? laterThan(now, pauseBeforeNext(job.attempts, random, askedMs)) : null;
  if (next_attempt_at === null) yield* finishJob(job, now);
  else yield* retryJob(job, { runAfter: new Date(next_attempt_at) });
  const state = isRetried ? 'waiting' : verdict === 'delivered' ? 'delivered' : 'failed';
  yield* execute(settleDelivery({ id: job.key, state, next_attempt_at, answer_status, problem }));
  const isGivenUp = verdict === 'failed' && !isRetried;
  const disabled = webhookId === null ? undefined : yield* noteHealth(webhookId, verdict, isGivenUp, now);
  if (!disabled) return { state, disabled: null };
  const cause = verdict === 'gone' ? 'gone' : 'failing';
  // Standard Webhooks, "Deliverability and reliability".
  const event = webhookDisabled({ ...disabled, format: formatOf(disabled) }, cause, now);
  yield* mailAccount({ accountId: disabled.account_id, siteId: null }, event, now);
  return { state, disabled: cause };
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
): Transaction<DisabledWebhookRow | undefined> {
  if (verdict === 'delivered') yield* execute(markWebhookWorking({ id }));
  if (verdict === 'delivered' || verdict === 'refused') return undefined;
  const health = yield* one(markWebhookFailing({ id, now: now.toISOString() }));
  const isDead = isGivenUp && health !== undefined && health.failing_since <= laterThan(now, -FAILING_MS_MAX);
  if (verdict !== 'gone' && !isDead) return undefined;
  const disabled = yield* one(disableWebhook({ id, now: now.toISOString() }));
  if (disabled) yield* recordWebhook(disabled, 'webhook_disabled', now);
  return disabled;
}
