import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Clock, timeAfter } from '../../platform/clock.js';
import type { StartTimer } from '../../platform/timer.js';
import type { ClaimedJob, JobHandler } from '../../queue/job.js';
import { finishJob, retryJob } from '../../queue/jobs.js';
import { noteAgain } from '../../queue/note-again.js';
import type { Database } from '../../store/database.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { selectEmailAlerts } from './alert-state-statements.js';
import { type AttemptDeps, attemptDelivery, type AttemptOutcome, type Receiver } from './attempt.js';
import { MAIL_ATTEMPTS_MAX, WEBHOOK_ATTEMPTS_MAX } from './delivery-pauses.js';
import { beginDelivery, type DeliveryRow, failDelivery, failSomeDeliveriesOfWebhook } from './delivery-statements.js';
import type { DigestMessage, TurnOffCause } from './alert-event.js';
import { digestOf } from './digest.js';
import { selectDigest } from './digest-statements.js';
import { actAs, SERVICE } from '../audit/actor.js';
import { settleAttempt, type SettledAttempt, WEBHOOK_OFF } from './settle.js';
import { formatOf, isNeverOn } from './webhook.js';
import { selectWebhookToSend } from './webhook-statements.js';

/** Hears what becomes of messages: for log and metrics. */
export interface DeliveryObserver {
  attempted?(receiver: 'webhook' | 'mail', result: 'delivered' | 'retried' | 'failed'): void;
  /** A webhook was turned off. */
  disabled?(webhookId: string, cause: TurnOffCause): void;
  /** A fault of ours: the message is tried again a minute later. */
  crashed?(deliveryId: string, cause: unknown): void;
}

export interface DeliveryHandlerDeps extends AttemptDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly observer?: DeliveryObserver;
  /** From 0 to 1, for the pauses. */
  readonly random?: () => number;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

const CRASH_RETRY_MS = 60_000;

/**
 * Sends messages of alerts, to webhooks or to mailboxes. A message is sent at least once: a worker that dies between the receiver's
 * answer and its own note of it leaves a message that is sent again, under the same id, by which the receiver can tell.
 */
export class DeliveryHandler implements JobHandler {
  readonly attemptsMax: number;

  constructor(
    private readonly receiver: 'webhook' | 'mail',
    private readonly deps: DeliveryHandlerDeps,
  ) {
    this.attemptsMax = receiver === 'mail' ? MAIL_ATTEMPTS_MAX : WEBHOOK_ATTEMPTS_MAX;
  }

  async perform(job: ClaimedJob): Promise<void> {
    const { db, clock, observer = {} } = this.deps;
    const message = await db.transaction(() => begin(job, clock.now()));
    if (!message) return;
    const { to, webhookId } = message;
    const body = typeof to !== 'string' && message.isDigest ? await digestBody(db, job, message.body) : message.body;
    const outcome = await this.#attempt({ ...message, body });
    const { state, disabled } = await this.#note(job, webhookId, outcome);
    observer.attempted?.(this.receiver, state === 'waiting' ? 'retried' : state);
    if (disabled === null || webhookId === null) return;
    observer.disabled?.(webhookId, disabled);
    await failWaiting(db, webhookId);
  }

  #attempt({
    id,
    body,
    to,
  }: Pick<BegunMessage, 'id' | 'to'> & { readonly body: string | null }): Promise<AttemptOutcome> {
    if (typeof to === 'string') return Promise.resolve(refused(to));
    return body === null ? Promise.resolve(refused(NOTHING_LEFT)) : attemptDelivery({ id, body }, to, this.deps);
  }

  async failed(job: ClaimedJob, cause: unknown): Promise<void> {
    const { db, clock, observer = {} } = this.deps;
    observer.crashed?.(job.key, cause);
    const isGivenUp = job.attempts >= this.attemptsMax;
    await db.transaction(function* () {
      if (!isGivenUp) {
        yield* retryJob(job, { runAfter: timeAfter(clock.now(), CRASH_RETRY_MS) });
        return;
      }
      yield* finishJob(job, clock.now());
      yield* execute(failDelivery({ id: job.key, problem: 'The attempt was interrupted.' }));
    });
  }

  async #note(job: ClaimedJob, webhookId: string | null, outcome: AttemptOutcome): Promise<SettledAttempt> {
    const { db, clock, random = Math.random, startTimer } = this.deps;
    const settle = () =>
      settleAttempt({ job, webhookId, attemptsMax: this.attemptsMax }, outcome, { now: clock.now(), random: random() });
    return actAs(SERVICE, () => noteAgain(() => db.transaction(settle), startTimer));
  }
}

interface BegunMessage {
  readonly id: string;
  readonly body: string;
  readonly isDigest: boolean;
  readonly webhookId: string | null;
  /** A sentence where the receiver is gone. */
  readonly to: Receiver | string;
}

/** Counts the attempt; null, and the job ended, for a message that is not to be sent any more. */
function* begin(job: ClaimedJob, now: Date): Transaction<BegunMessage | null> {
  const { key: id, attempts, accountId } = job;
  const row = yield* one(beginDelivery({ id, attempts, now: now.toISOString() }));
  if (!row) {
    yield* finishJob(job, now);
    return null;
  }
  const to = row.webhook_id === null ? yield* mailboxOf(accountId ?? '', row) : yield* webhookOf(row.webhook_id, row);
  return { id, body: row.body, isDigest: row.event === 'digest.weekly', webhookId: row.webhook_id, to };
}

type BegunRow = Pick<DeliveryRow, 'event' | 'site_id'>;

function* webhookOf(id: string, { event, site_id }: BegunRow): Transaction<Receiver | string> {
  const webhook = yield* one(selectWebhookToSend({ id }));
  if (!webhook) return WEBHOOK_OFF;
  const isTried = event === 'test' && isNeverOn(webhook);
  if (webhook.disabled_at !== null && !isTried) return WEBHOOK_OFF;
  // Queued before the webhook was given another site, or by a version that knows of no such thing.
  if (webhook.site_id !== null && site_id !== null && site_id !== webhook.site_id) return OTHER_SITE;
  const { url, secret } = webhook;
  return { kind: 'webhook', url, secret, format: formatOf(webhook) };
}

function* mailboxOf(accountId: string, { event }: BegunRow): Transaction<Receiver | string> {
  const account = yield* one(selectEmailAlerts({ id: accountId }));
  const isDigest = event === 'digest.weekly';
  const isOn = isDigest ? yield* one(selectDigest({ account_id: accountId })) : account?.email_alerts_since;
  if (account && isOn) return { kind: 'mail', email: account.email };
  return isDigest ? 'The weekly digest was turned off.' : 'Alerts by e-mail were turned off.';
}

/** What is to be told by now; null: nothing. */
async function digestBody(db: Database, { accountId }: ClaimedJob, body: string): Promise<string | null> {
  const digest = await digestOf(db, accountId ?? '', JSON.parse(body) as DigestMessage);
  return digest && JSON.stringify(digest);
}

const NOTHING_LEFT = 'The sites that it told of were removed.';

/** Why a message of one site was not sent to the webhook of another. */
const OTHER_SITE = 'The webhook gets the alerts of another site only.';

function refused(problem: string): AttemptOutcome {
  return { verdict: 'refused', answerStatus: null, problem, askedMs: 0 };
}

/** Gives up what waits for a webhook that was turned off, some at a time; its jobs find nothing to do and end. */
async function failWaiting(db: Database, webhook_id: string): Promise<void> {
  const failSome = () => all(failSomeDeliveriesOfWebhook({ webhook_id, problem: WEBHOOK_OFF }));
  while ((await db.transaction(failSome)).length > 0) await yieldToEventLoop();
}
