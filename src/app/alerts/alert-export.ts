import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { type ExportedDeliveryRow, selectDeliveriesToExport } from './delivery-statements.js';
import { selectDigest } from './digest-statements.js';
import { webhookOf } from './webhook.js';
import { selectWebhooksOfAccount } from './webhook-statements.js';

/** The webhooks of an account, without their secrets: so of a chat's the address as people see it. */
export async function* webhookLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  for (const row of await db.run(selectWebhooksOfAccount({ account_id }))) {
    const { id, address, format, site, createdAt, disabledAt } = webhookOf(row);
    yield { id, url: address, format, siteId: site?.id ?? null, createdAt, disabledAt };
  }
}

/** Its weekly digest; nothing where it is off. */
export async function* digestLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  for (const { since, next_at } of await db.run(selectDigest({ account_id }))) yield { since, nextAt: next_at };
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
