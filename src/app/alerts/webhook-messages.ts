import { testEvent } from './alert-event.js';
import type { Clock } from '../../platform/clock.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { type Database, runOne } from '../../store/database.js';
import { type DeliveryRow, selectDeliveryOfWebhook } from './delivery-statements.js';
import { one, type Transaction } from '../../store/transaction.js';
import { selectWebhookToTry, type UsedWebhookRow } from './webhook-statements.js';
import { type RateLimits, takeOrRefuse } from '../limits/rate-limits.js';
import { deliveryOf, readLog } from './delivery-log.js';
import { addMessage, resend } from './outbox.js';
import { findOwnWebhook, found, ownedKey } from './own-webhook.js';
import { type Delivery, EXTRA_MESSAGES_PER_HOUR_MAX, type WebhookOfAccount } from './webhook.js';

export interface WebhookMessagesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
}

interface LogRequest extends WebhookOfAccount {
  readonly before?: string;
  readonly limit: number;
}

const HOUR_MS = 3_600_000;

/** The messages of a webhook, and those that its holder asks for. */
export function createWebhookMessages({ db, clock, rateLimits }: WebhookMessagesDeps) {
  /** Puts a message on its way by the holder's wish. */
  const send = async (accountId: string, work: () => Transaction<DeliveryRow>): Promise<DeliveryRow> => {
    await takeOne(rateLimits, accountId);
    return db.transaction(work);
  };

  return {
    /** Sends a message that says that it is a test. @throws TooSoonError past so many an hour; InputError for a disabled webhook */
    async sendTest(request: WebhookOfAccount): Promise<Delivery> {
      await findOwnWebhook(db, request);
      const { accountId } = request;
      const row = await send(accountId, function* () {
        const webhook = yield* holdTriable(request);
        const event = testEvent(clock.now());
        const message = { accountId, webhook, siteId: null, event: event.type, body: JSON.stringify(event) };
        return yield* addMessage(message, clock.now());
      });
      return deliveryOf({ ...row, hostname: null });
    },
    /**
     * Sends a message of the log again, under the same id; a message that is being sent is left alone.
     * @throws ServiceError not_found; TooSoonError past so many an hour; InputError for a disabled webhook
     */
    async sendAgain({ deliveryId, ...request }: WebhookOfAccount & { readonly deliveryId: string }): Promise<Delivery> {
      const webhook = await findOwnWebhook(db, request);
      const key = { id: deliveryId, webhook_id: webhook.id };
      const logged = found(isId('msg', deliveryId) ? await runOne(db, selectDeliveryOfWebhook(key)) : undefined);
      const row = await send(request.accountId, function* () {
        const held = yield* holdTriable(request);
        return (yield* resend(deliveryId, held, clock.now())) ?? found(yield* one(selectDeliveryOfWebhook(key)));
      });
      return deliveryOf({ ...row, hostname: logged.hostname });
    },
    /** The latest first, at most 100. `before`: only those that were made earlier (a delivery's id). */
    async log({ before, limit, ...request }: LogRequest) {
      return readLog(db, { webhookId: (await findOwnWebhook(db, request)).id, before, limit });
    },
  };
}

async function takeOne(rateLimits: RateLimits, accountId: string): Promise<void> {
  await takeOrRefuse(
    rateLimits,
    { scope: 'webhook-messages', subject: accountId, limit: EXTRA_MESSAGES_PER_HOUR_MAX, windowMs: HOUR_MS },
    (wait) => `Only ${EXTRA_MESSAGES_PER_HOUR_MAX} tests and repeats an hour can be sent. Try again in ${wait}.`,
  );
}

/** A webhook that is in use, or was never turned on: it cannot be removed until the transaction ends. @throws InputError */
function* holdTriable(request: WebhookOfAccount): Transaction<UsedWebhookRow> {
  const webhook = yield* one(selectWebhookToTry(ownedKey(request)));
  if (webhook) return webhook;
  throw new InputError('The webhook is turned off. Turn it on again first.');
}
