import type { Post } from '../../net/post.js';
import { DAY_MS, type StartTimer, timeAfter } from '../../platform/clock.js';
import type { MailOutcome, SendMail } from '../../platform/mail.js';
import { retryStoring } from '../../platform/concurrency.js';
import { finishJob, type Job, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { actAs, recordEvent, SERVICE } from '../audit/audit.js';
import type { Context } from '../context.js';
import { type Alert, newAlert, type TurnOffCause } from './alert.js';
import { alertAddress, deliveries, type DeliveryRow, queueAlert } from './deliveries.js';
import { type AttemptResult, displayName, postMessage } from './webhook-receiver.js';
import { type WebhookRow, webhooks } from './webhooks.js';
import { alertMail, CHAT_MESSAGES } from './alert-text.js';

const HOUR_S = 3600;

/** Standard Webhooks, "Deliverability and reliability". In total, a little more than three days. */
const PAUSES_S = [5, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S];

const ATTEMPTS_MAX = PAUSES_S.length + 1;

/** A random part of this fraction lengthens each pause, so that messages that failed together do not retry together. */
const JITTER = 0.1;

/** Returns the pause before the next attempt. @param random from 0 to 1 @param retryAfterMs requested by the receiver */
function retryPauseMs(attempts: number, random: number, retryAfterMs = 0): number {
  const pauseS = PAUSES_S[attempts - 1] ?? 24 * HOUR_S;
  return Math.round(Math.max(pauseS * 1000 * (1 + JITTER * random), Math.min(retryAfterMs, DAY_MS)));
}

/** Counts attempts to send alerts and account mails. */
export interface DeliveryObserver {
  attempted(receiver: 'webhook' | 'mail' | 'account-mail', result: 'delivered' | 'retried' | 'failed'): void;
  crashed(): void;
}

export interface DeliveryContext extends Pick<Context, 'db' | 'clock' | 'logger' | 'publicUrl'> {
  readonly post: Post;
  /** Null if no mail server is configured. */
  readonly sendMail: SendMail | null;
  readonly userAgent: string;
  readonly metrics: DeliveryObserver;
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
  readonly startTimer?: StartTimer;
}

/**
 * Creates the handler that sends alerts. Each message is sent at least once: if a worker dies after the receiver has answered, another
 * worker sends the message again with the same id.
 */
export function createDeliveryHandler(context: DeliveryContext): JobHandler {
  const { db, clock, logger, metrics } = context;
  return {
    attemptsMax: ATTEMPTS_MAX,
    async perform(job) {
      const startedAt = clock.now();
      const waiting = { id: job.key, state: 'waiting' } as const;
      const delivery = await db.one(deliveries.find(waiting, ['id', 'account_id', 'webhook_id', 'body']));
      if (!delivery) {
        await db.transaction((tx) => finishJob(tx, job, clock.now()));
        return;
      }
      const { webhook_id } = delivery;
      const result =
        webhook_id === null
          ? await deliverByMail(context, delivery)
          : await deliverToWebhook(context, delivery, webhook_id);
      const store = (tx: Tx) => storeAttempt(tx, context, job, webhook_id, result, startedAt);
      await actAs(SERVICE, () => retryStoring(() => db.transaction(store), context.startTimer));
    },
    async failed(job, cause) {
      metrics.crashed();
      logger.error({ deliveryId: job.key, cause }, 'delivery attempt failed');
      const attempt = { outcome: 'failed', problem: 'The attempt was interrupted.' } as const;
      // The crash is not the receiver's fault, so the webhook stays on.
      await db.transaction((tx) => storeAttempt(tx, context, job, null, attempt, clock.now()));
    },
  };
}

type StoredAlert = Pick<DeliveryRow, 'id' | 'account_id' | 'body'>;

async function deliverToWebhook(
  { db, clock, post, publicUrl, userAgent }: DeliveryContext,
  { id, body }: StoredAlert,
  webhookId: string,
): Promise<AttemptResult> {
  const webhook = await db.one(webhooks.find({ id: webhookId }, ['url', 'secret', 'format', 'disabled_at']));
  if (webhook?.disabled_at !== null) return { outcome: 'refused', problem: WEBHOOK_OFF };
  const { format } = webhook;
  const sent = format === 'signed' ? body : JSON.stringify(CHAT_MESSAGES[format](JSON.parse(body) as Alert, publicUrl));
  return postMessage(post, { id, ...webhook, userAgent, body: sent, sentAt: clock.now() });
}

const MAIL_RESULTS: Readonly<Record<MailOutcome, AttemptResult>> = {
  sent: { outcome: 'delivered' },
  failed: { outcome: 'failed', problem: 'The mail server could not be reached, or did not accept the message.' },
  refused: { outcome: 'refused', problem: 'The mail server refuses messages to this address.' },
};

async function deliverByMail(
  { db, sendMail, publicUrl }: DeliveryContext,
  { id, account_id, body }: StoredAlert,
): Promise<AttemptResult> {
  const to = await alertAddress(db, account_id);
  if (to === null) return { outcome: 'refused', problem: 'E-mail alerts were turned off.' };
  if (!sendMail) return { outcome: 'refused', problem: 'The service no longer has a mail server.' };
  return MAIL_RESULTS[await sendMail(alertMail(JSON.parse(body) as Alert, { id, to }, publicUrl))];
}

/** Finishes the job or schedules the next attempt. @param webhookId null for an email or a crash @throws LeaseLost */
async function storeAttempt(
  tx: Tx,
  { clock, logger, metrics, random = Math.random }: DeliveryContext,
  job: Job,
  webhookId: string | null,
  { outcome, retryAfterMs, answerStatus, problem }: AttemptResult,
  startedAt: Date,
): Promise<void> {
  const now = clock.now();
  const attempts = Math.min(job.attempts, ATTEMPTS_MAX);
  const isRetried = outcome === 'failed' && job.attempts < ATTEMPTS_MAX;
  if (isRetried) await retryJob(tx, job, timeAfter(now, retryPauseMs(attempts, random(), retryAfterMs)));
  else await finishJob(tx, job, now);
  const result = outcome === 'delivered' ? 'delivered' : 'failed';
  const cause =
    webhookId && !isRetried ? await findTurnOffCause(tx, outcome, { id: job.key, webhook_id: webhookId }) : null;
  // Lock order: webhook, then message, because two failing messages could deadlock otherwise.
  const isTurnedOff = webhookId && cause && (await turnOff(tx, webhookId, cause, now));
  const changes: Partial<DeliveryRow> = {
    state: isRetried ? 'waiting' : result,
    attempts,
    last_attempt_at: startedAt.toISOString(),
    answer_status: answerStatus ?? null,
    problem: problem ?? null,
  };
  await tx.run(deliveries.update({ id: job.key }, changes));
  tx.afterCommit(() => {
    metrics.attempted(job.kind === 'MAIL' ? 'mail' : 'webhook', isRetried ? 'retried' : result);
    if (isTurnedOff) logger.warn({ webhookId, cause }, 'webhook disabled');
  });
}

/** Returns why the webhook must be turned off; null if it stays on. */
async function findTurnOffCause(
  tx: Tx,
  outcome: AttemptResult['outcome'],
  message: { readonly id: string; readonly webhook_id: string },
): Promise<TurnOffCause | null> {
  if (outcome === 'gone') return 'gone';
  if (outcome !== 'failed') return null;
  const other = await tx.one(selectLatestOther(message));
  // A failed message with attempts left was cancelled when the webhook was turned off.
  return other?.state === 'failed' && other.attempts === ATTEMPTS_MAX ? 'failing' : null;
}

const WEBHOOK_OFF = 'The webhook was turned off before the message was delivered.';

const selectLatestOther = defineQuery<Pick<DeliveryRow, 'state' | 'attempts'>, { id: string; webhook_id: string }>(
  (sql, { id, webhook_id }) =>
    sql('deliveries')
      .select('state', 'attempts')
      .where({ webhook_id })
      .whereNot({ id })
      .whereNot({ state: 'waiting' })
      .orderBy('created_at', 'desc')
      .limit(1),
);

/** Turns the webhook off and cancels its waiting messages. @returns false if it is already off */
async function turnOff(tx: Tx, webhookId: string, cause: TurnOffCause, now: Date): Promise<boolean> {
  const row = await tx.one(disableWebhook({ id: webhookId, now: now.toISOString() }));
  if (!row) return false;
  const { id, account_id: accountId, url, format } = row;
  await tx.run(deliveries.update({ webhook_id: id, state: 'waiting' }, { state: 'failed', problem: WEBHOOK_OFF }));
  await recordEvent(tx, { accountId, event: 'webhook_disabled', subject: new URL(url).host, now });
  const webhook = { id, name: displayName(url, format) };
  if ((await alertAddress(tx, accountId)) !== null) {
    const alert = newAlert('webhook.disabled', { webhook, cause }, now);
    await queueAlert(tx, alert, { accountId, siteId: null }, [null], now);
  }
  return true;
}

const disableWebhook = defineQuery<WebhookRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks').where({ id, disabled_at: null }).update({ disabled_at: now }).returning('*'),
);
