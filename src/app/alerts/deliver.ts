import type { Post } from '../../net/post.js';
import { DAY_MS, timeAfter } from '../../platform/clock.js';
import type { SendMail } from '../../platform/mail.js';
import { retryStoring, type StartTimer } from '../../platform/timer.js';
import { finishJob, type Job, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import { inBatches } from '../../store/cleanup.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { actAs, SERVICE } from '../audit/audit.js';
import type { Context } from '../context.js';
import { deliveries, type DeliveryRow } from './deliveries.js';
import type { MailedEvent, TurnOffCause, WebhookEvent } from './messages.js';
import { type AttemptResult, failedAttempt, postMessage } from './post-message.js';
import type { WebhookFormat } from './webhook-format.js';
import { updateHealth } from './webhook-health.js';
import { hasTag } from './webhook-scope.js';
import { alertMail, CHAT_MESSAGES } from './words.js';

const HOUR_S = 3600;

/** Standard Webhooks, "Deliverability and reliability": a little more than three days in all. */
const PAUSES_S = [5, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S];

/** Mails are retried for about 17 hours: later, an alert is too old to help. */
export const ATTEMPTS_MAX = { WEBHOOK: PAUSES_S.length + 1, MAIL: 7 } as const;

/** Largest random addition to a pause, as a fraction, so that messages that failed together are not retried together. */
const JITTER = 0.1;

const CRASH_RETRY_MS = 60_000;

/** Returns how long to wait after an attempt. @param random from 0 to 1 @param retryAfterMs the pause that the receiver requested */
export function pauseAfter(attempts: number, random: number, retryAfterMs = 0): number {
  const pauseS = PAUSES_S[attempts - 1] ?? 24 * HOUR_S;
  return Math.round(Math.max(pauseS * 1000 * (1 + JITTER * random), Math.min(retryAfterMs, DAY_MS)));
}

export interface DeliveryContext extends Pick<Context, 'db' | 'clock' | 'publicUrl'> {
  readonly post: Post;
  /** Null if no mail server is configured. */
  readonly sendMail: SendMail | null;
  readonly userAgent: string;
  readonly observer: DeliveryObserver;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly startTimer?: StartTimer;
}

/** A message with its recipient; the columns of a webhook are null for an email. */
interface MessageRow extends Pick<DeliveryRow, 'webhook_id' | 'event' | 'body' | 'site_id'> {
  /** The account's address; null if alerts by email are off. */
  readonly email: string | null;
  readonly url: string | null;
  readonly secret: string;
  readonly format: WebhookFormat;
  readonly scope_site_id: string | null;
  readonly tag: string | null;
  readonly disabled_at: string | null;
  readonly is_new: number | null;
  readonly tags: string | null;
}

/** Selects a message that is still to be sent. */
const selectMessage = defineQuery<MessageRow, { id: string }>((sql, { id }) =>
  sql('deliveries as d')
    .join('accounts as a', 'a.id', 'd.account_id')
    .leftJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .leftJoin('sites as s', 's.id', 'd.site_id')
    .select(['d.webhook_id', 'd.event', 'd.body', 'd.site_id', 'w.url', 'w.secret', 'w.format', 'w.tag'])
    .select(['w.site_id as scope_site_id', 'w.disabled_at', 'w.is_new', 's.tags'])
    .select(sql.raw('CASE WHEN a.email_alerts_since IS NULL THEN NULL ELSE a.email END AS email'))
    .where({ 'd.id': id, 'd.state': 'waiting' }),
);

/** Fails some waiting messages of a webhook, unless it was turned on again. @returns a row for each */
const failSomeMessages = defineQuery<object, { webhook_id: string; problem: string }>(
  (sql, { webhook_id, problem }) => {
    const some = sql('deliveries as d')
      .join('webhooks as w', 'w.id', 'd.webhook_id')
      .select('d.id')
      .where({ 'd.webhook_id': webhook_id, 'd.state': 'waiting' })
      .whereNotNull('w.disabled_at')
      .limit(500);
    return sql('deliveries').whereIn('id', some).update({ state: 'failed', problem }).returning('id');
  },
);

/**
 * Sends alerts. A message is sent at least once: if a worker dies after the receiver has answered, another one sends it again under the
 * same id.
 */
export class DeliveryHandler implements JobHandler {
  readonly attemptsMax: number;

  constructor(
    private readonly kind: keyof typeof ATTEMPTS_MAX,
    private readonly context: DeliveryContext,
  ) {
    this.attemptsMax = ATTEMPTS_MAX[kind];
  }

  async perform(job: Job): Promise<void> {
    const { db, clock, observer, startTimer } = this.context;
    const startedAt = clock.now().toISOString();
    const message = await db.one(selectMessage({ id: job.key }));
    if (!message) {
      await db.transaction((tx) => finishJob(tx, job, clock.now()));
      return;
    }
    const { webhook_id } = message;
    const result = await this.#send(job.key, message);
    const isRetried = result.verdict === 'failed' && job.attempts < this.attemptsMax;
    const store = (tx: Tx) => this.#store(tx, job, { ...result, isRetried, webhookId: webhook_id, startedAt });
    const disabled = await actAs(SERVICE, () => retryStoring(() => db.transaction(store), startTimer));
    const ended = result.verdict === 'delivered' ? 'delivered' : 'failed';
    observer.attempted(this.kind === 'MAIL' ? 'mail' : 'webhook', isRetried ? 'retried' : ended);
    if (disabled === null || webhook_id === null) return;
    observer.disabled(webhook_id, disabled);
    await inBatches(db, failSomeMessages({ webhook_id, problem: WEBHOOK_OFF }));
  }

  async failed(job: Job, cause: unknown): Promise<void> {
    const { db, clock, observer } = this.context;
    observer.crashed(job.key, cause);
    await db.transaction(async (tx) => {
      if (job.attempts < this.attemptsMax) {
        await retryJob(tx, job, timeAfter(clock.now(), CRASH_RETRY_MS));
        return;
      }
      await finishJob(tx, job, clock.now());
      const problem = 'The attempt was interrupted.';
      await tx.run(
        deliveries.update({ id: job.key, state: 'waiting' }, { state: 'failed', attempts: this.attemptsMax, problem }),
      );
    });
  }

  async #send(id: string, message: MessageRow): Promise<AttemptResult> {
    const { clock, post, publicUrl, userAgent } = this.context;
    const { url, secret, format, body } = message;
    if (this.kind === 'MAIL') return this.#mail(id, message);
    const refusal = refusalOf(message);
    if (url === null || refusal !== null) return failedAttempt('refused', refusal ?? WEBHOOK_OFF);
    const sent =
      format === 'signed' ? body : JSON.stringify(CHAT_MESSAGES[format](JSON.parse(body) as WebhookEvent, publicUrl));
    return postMessage(post, { id, url, secret, format, userAgent, body: sent, sentAt: clock.now() });
  }

  async #mail(id: string, { email: to, body }: MessageRow): Promise<AttemptResult> {
    const { sendMail, publicUrl } = this.context;
    if (to === null) return failedAttempt('refused', 'Alerts by e-mail were turned off.');
    if (!sendMail) return failedAttempt('refused', 'The service no longer has a mail server.');
    const outcome = await sendMail(alertMail({ id, to, event: JSON.parse(body) as MailedEvent, publicUrl }));
    if (outcome === 'sent') return { verdict: 'delivered', answerStatus: null, problem: null, retryAfterMs: 0 };
    return outcome === 'failed'
      ? failedAttempt('failed', 'The mail server could not be reached, or did not accept the message.')
      : failedAttempt('refused', 'The mail server refuses messages to this address.');
  }

  /** Finishes the job or schedules the next attempt. @returns why the webhook was turned off; null if it was not @throws LeaseLost */
  async #store(tx: Tx, job: Job, attempt: FinishedAttempt): Promise<TurnOffCause | null> {
    const { clock, random = Math.random } = this.context;
    const { verdict, isRetried, retryAfterMs, webhookId } = attempt;
    const now = clock.now();
    const runAfter = timeAfter(now, pauseAfter(job.attempts, random(), retryAfterMs));
    if (isRetried) await retryJob(tx, job, runAfter);
    else await finishJob(tx, job, now);
    const ended = verdict === 'delivered' ? 'delivered' : 'failed';
    // A message that arrived counts, even if its webhook was turned off while it was being sent.
    const stored = verdict === 'delivered' ? { id: job.key } : ({ id: job.key, state: 'waiting' } as const);
    await tx.run(
      deliveries.update(stored, {
        state: isRetried ? 'waiting' : ended,
        attempts: job.attempts,
        last_attempt_at: attempt.startedAt,
        answer_status: attempt.answerStatus,
        problem: attempt.problem,
      }),
    );
    if (webhookId === null) return null;
    return updateHealth(tx, webhookId, { verdict, isFinal: !isRetried }, now);
  }
}

/** Why a message was not sent to a webhook that is off. */
const WEBHOOK_OFF = 'The webhook was turned off before the message was delivered.';

interface FinishedAttempt extends AttemptResult {
  readonly isRetried: boolean;
  readonly webhookId: string | null;
  readonly startedAt: string;
}

/** Returns why the webhook no longer gets this queued message, since its settings changed; null if it does. */
function refusalOf({ event, site_id, scope_site_id, tag, tags, disabled_at, is_new }: MessageRow): string | null {
  const isFirstTest = event === 'test' && is_new === 1;
  if (disabled_at !== null && !isFirstTest) return WEBHOOK_OFF;
  if (site_id === null) return null;
  const isInScope = (scope_site_id === null || scope_site_id === site_id) && hasTag(tag, tags);
  return isInScope ? null : 'The webhook gets the alerts of other sites only.';
}

/** Observes attempts for the log and the metrics. */
export interface DeliveryObserver {
  attempted(receiver: 'webhook' | 'mail', result: 'delivered' | 'retried' | 'failed'): void;
  disabled(webhookId: string, cause: TurnOffCause): void;
  /** Reports an internal error. */
  crashed(deliveryId: string, cause: unknown): void;
}
