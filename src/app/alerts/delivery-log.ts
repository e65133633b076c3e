import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { type Database, runOne } from '../../store/database.js';
import {
  LOGGED_AT_ONCE,
  type LoggedDeliveryRow,
  selectDeliveriesOfWebhook,
  selectDeliveryOfWebhook,
} from './delivery-statements.js';
import type { Delivery } from './webhook.js';

/** Later than any time and id that the table holds. */
const END = { created_before: '9999', id_before: '' };

/** The messages of a webhook, the latest first. @throws ServiceError not_found for an unknown `before` */
export async function readLog(
  db: Database,
  {
    webhookId: webhook_id,
    before,
    limit,
  }: { readonly webhookId: string; readonly before: string | undefined; readonly limit: number },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly hasMore: boolean }> {
  const from = before === undefined ? END : await findPlace(db, webhook_id, before);
  const rows = await db.run(selectDeliveriesOfWebhook({ webhook_id, ...from }));
  const shown = rows.slice(0, Math.min(limit, LOGGED_AT_ONCE - 1));
  return { deliveries: shown.map(deliveryOf), hasMore: rows.length > shown.length };
}

async function findPlace(db: Database, webhook_id: string, id: string): Promise<typeof END> {
  const row = isId('msg', id) ? await runOne(db, selectDeliveryOfWebhook({ id, webhook_id })) : undefined;
  if (!row) throw new ServiceError('not_found');
  return { created_before: row.created_at, id_before: row.id };
}

export function deliveryOf(row: LoggedDeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    event: row.event,
    hostname: row.hostname,
    createdAt: row.created_at,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at,
    answerStatus: row.answer_status,
    problem: row.problem,
  };
}
