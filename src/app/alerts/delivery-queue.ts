import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { newSecretToken } from '../../platform/secret-token.js';
import { selectEmailAlerts } from './alert-state-statements.js';
import type { Database } from '../../store/database.js';
import {
  claimDelivery,
  type ClaimedDeliveryRow,
  failSomeDeliveriesOfWebhook,
  selectLostDeliveries,
  settleDelivery,
  takeUnheardDeliveries,
} from './delivery-statements.js';
import { all, one, type Transaction } from '../../store/transaction.js';
import { selectWebhookToSend } from './webhook-statements.js';
import { laterThan } from '../../platform/later-than.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { OFFER_AGAIN_MS, type OfferWork, type Work, type WorkSource } from '../../queue/work.js';
import { type AttemptDeps, attemptDelivery, type AttemptOutcome, type Receiver } from './attempt.js';
import { workOfDelivery } from './outbox.js';
import { attemptsMaxOf, type ClaimedDelivery, settleAttempt, type SettledAttempt, WEBHOOK_OFF } from './settle.js';

/** Hears what becomes of messages: for log and metrics. */
export interface DeliveryObserver {
  attempted?(receiver: 'webhook' | 'mail', result: 'delivered' | 'retried' | 'failed'): void;
  /** A webhook was turned off: its receiver is gone, or took nothing for days. */
  disabled?(webhookId: string): void;
  /** A fault of ours: the message is tried again when its lease has ended. */
  crashed?(deliveryId: string, cause: unknown): void;
}

export interface DeliveryQueueDeps extends AttemptDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly offerWork: OfferWork;
  readonly observer?: DeliveryObserver;
  /** From 0 to 1, for the pauses. */
  readonly random?: () => number;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/**
 * How long a worker may have a message in hand. A post ends within 16 s, a mail server that is slow at every step within ten minutes,
 * and the note of it takes a minute and a half at most, so one that takes longer is dead or asleep.
 */
const WEBHOOK_LEASE_MS = 120_000;
const MAIL_LEASE_MS = 900_000;

/** What was sent is not to be sent again only because the database was away for a moment when that was to be noted. */
const NOTE_AGAIN_MS = [1000, 2000, 4000, 8000, 15_000];

/**
 * The messages that wait in the database, sent under leases. A message is sent at least once: a worker that dies between the
 * receiver's answer and its own note of it leaves a message that is sent again, under the same id, by which the receiver can
 * tell. One that wakes after its lease has ended writes nothing.
 */
export function createDeliveryQueue(deps: DeliveryQueueDeps): WorkSource {
  const { db, clock, offerWork, observer = {}, random = Math.random, startTimer = startNodeTimer } = deps;

  const note = async (claimed: ClaimedDelivery, outcome: AttemptOutcome): Promise<SettledAttempt | undefined> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await db.transaction(() => settleAttempt(claimed, outcome, { now: clock.now(), random: random() }));
      } catch (error) {
        const pauseMs = NOTE_AGAIN_MS[tries];
        if (pauseMs === undefined || !isDatabaseAway(error)) throw error;
        await new Promise<void>((resolve) => startTimer(resolve, pauseMs));
      }
    }
  };

  const deliver = async (claimed: ClaimedDelivery): Promise<void> => {
    const { receiver } = claimed;
    const outcome =
      typeof receiver === 'string' ? nobodyThere(receiver) : await attemptDelivery(claimed, receiver, deps);
    const settled = await note(claimed, outcome);
    if (!settled) return;
    tellObserver(observer, claimed, settled);
    if (settled.work.length > 0) offerWork(settled.work);
    if (settled.isWebhookDisabled && claimed.webhook_id !== null) await giveUpWaiting(db, claimed.webhook_id);
  };

  return {
    kind: 'delivery',
    async perform(key) {
      const claimed = await db.transaction(() => claim(key, clock.now())).catch(() => null);
      if (claimed) await deliver(claimed).catch((error: unknown) => observer.crashed?.(claimed.id, error));
    },
    async sweep() {
      const freed = await db.transaction(() => freeLost(clock.now()));
      const unheard = await offerAnew(db, clock.now());
      return [...freed, ...unheard];
    },
  };
}

function isDatabaseAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'overloaded';
}

function nobodyThere(problem: string): AttemptOutcome {
  return { verdict: 'refused', answerStatus: null, problem, askedMs: 0 };
}

/** What waits for a webhook that was turned off is given up at once, some at a time. What this leaves is when it is due. */
async function giveUpWaiting(db: Database, webhook_id: string): Promise<void> {
  const giveUpSome = () => all(failSomeDeliveriesOfWebhook({ webhook_id, problem: WEBHOOK_OFF }));
  while ((await db.transaction(giveUpSome)).length > 0) await letOthersRun();
}

function tellObserver(observer: DeliveryObserver, { webhook_id }: ClaimedDelivery, settled: SettledAttempt): void {
  const { state } = settled.row;
  observer.attempted?.(webhook_id === null ? 'mail' : 'webhook', state === 'waiting' ? 'retried' : state);
  if (settled.isWebhookDisabled && webhook_id !== null) observer.disabled?.(webhook_id);
}

/** Takes the message in hand if it is due and free. */
function* claim(id: string, now: Date): Transaction<ClaimedDelivery | null> {
  const lease = newSecretToken();
  const mail_leased_until = laterThan(now, MAIL_LEASE_MS);
  const webhook_leased_until = laterThan(now, WEBHOOK_LEASE_MS);
  const row = yield* one(claimDelivery({ id, now: now.toISOString(), lease, mail_leased_until, webhook_leased_until }));
  return row ? { ...row, id, lease, receiver: yield* receiverOf(row) } : null;
}

function* receiverOf({ webhook_id, account_id }: ClaimedDeliveryRow): Transaction<Receiver | string> {
  if (webhook_id !== null) {
    const webhook = yield* one(selectWebhookToSend({ id: webhook_id }));
    if (webhook?.disabled_at === null) return { kind: 'webhook', url: webhook.url, secret: webhook.secret };
    return WEBHOOK_OFF;
  }
  const account = yield* one(selectEmailAlerts({ id: account_id }));
  if (account && account.email_alerts_since !== null) return { kind: 'mail', email: account.email };
  return 'Alerts by e-mail were turned off.';
}

/** Frees the messages whose leases have ended; those that were tried often enough are given up. */
function* freeLost(now: Date): Transaction<Work[]> {
  const freed: Work[] = [];
  for (const lost of yield* all(selectLostDeliveries({ now: now.toISOString() }))) {
    const { id, lease, priority, answer_status, problem } = lost;
    const isGivenUp = lost.attempts >= attemptsMaxOf(lost);
    const row = yield* one(
      settleDelivery({
        ...{ id, lease: lease ?? '', priority, answer_status },
        state: isGivenUp ? 'failed' : 'waiting',
        next_attempt_at: isGivenUp ? null : now.toISOString(),
        offered_at: now.toISOString(),
        problem: problem ?? 'The attempt was interrupted.',
      }),
    );
    if (row && !isGivenUp) freed.push(workOfDelivery(row));
  }
  return freed;
}

/** The messages that wait although it is some time that they were offered: whoever was to hear of them did not. */
async function offerAnew(db: Database, now: Date): Promise<Work[]> {
  const offered_before = laterThan(now, -OFFER_AGAIN_MS);
  return (await db.run(takeUnheardDeliveries({ now: now.toISOString(), offered_before }))).map(workOfDelivery);
}
