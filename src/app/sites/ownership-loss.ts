import { execute, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import type { SiteRow } from './site-statements.js';
import { deleteUnreadProof } from './unread-proof-statements.js';

/** What belongs to the loss of an ownership, whatever it was lost by. */
export function* recordLoss(
  { id, account_id: accountId, hostname }: Pick<SiteRow, 'id' | 'account_id' | 'hostname'>,
  now: Date,
): Transaction<void> {
  yield* execute(deleteUnreadProof({ site_id: id }));
  yield* recordEvent({ accountId, event: 'ownership_lost', subject: hostname, now });
}
