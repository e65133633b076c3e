import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { type ExportedDeliveryRow, selectDeliveriesToExport } from './delivery-statements.js';
import { selectWebhooksOfAccount } from './webhook-statements.js';

/** The webhooks of an account, without their secrets. */
export async function* webhookLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  for (const row of await db.run(selectWebhooksOfAccount({ account_id }))) {
    yield { id: row.id, url: row.url, createdAt: row.created_at, disabledAt: row.disabled_at };
  }
}

/** Its messages, a page at a time. */
export async function* deliveryLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  const deliveries = readPages((last: ExportedDeliveryRow | undefined) => {
    const { created_at: after_time = '', id: after_id = '' } = last ?? {};
    return db.run(selectDeliveriesToExport({ account_id, after_time, after_id }));
  });
  for await (const row of deliveries) yield describeDelivery(row);
}

function describeDelivery(row: ExportedDeliveryRow): object {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    siteId: row.site_id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    lastAttemptAt: row.last_attempt_at,
    answerStatus: row.answer_status,
    problem: row.problem,
    body: row.body,
  };
}
