import { one, type Transaction } from '../../store/transaction.js';
import { isRestricted } from './unread-proof.js';
import { selectUnreadDays } from './unread-proof-statements.js';

/** Whether a scan of a verified site may do what its owner alone may have done: its proof was found not long ago. */
export function* isProofCurrent(site_id: string): Transaction<boolean> {
  const unread = yield* one(selectUnreadDays({ site_id }));
  return unread === undefined || !isRestricted(unread);
}
