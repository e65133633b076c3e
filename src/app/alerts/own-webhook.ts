import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { type Database, runOne } from '../../store/database.js';
import { selectWebhookOfAccount, type WebhookRow } from './webhook-statements.js';
import type { WebhookOfAccount } from './webhook.js';

/** @throws ServiceError not_found, for another account's webhook too */
export async function findOwnWebhook(db: Database, request: WebhookOfAccount): Promise<WebhookRow> {
  return found(await runOne(db, selectWebhookOfAccount(ownedKey(request))));
}

/** Without a query where it is not a webhook id. @throws ServiceError not_found */
export function ownedKey({ accountId, webhookId }: WebhookOfAccount): {
  readonly id: string;
  readonly account_id: string;
} {
  if (!isId('wh', webhookId)) throw new ServiceError('not_found');
  return { id: webhookId, account_id: accountId };
}

/** @throws ServiceError not_found */
export function found<Row>(row: Row | undefined): Row {
  if (!row) throw new ServiceError('not_found');
  return row;
}
