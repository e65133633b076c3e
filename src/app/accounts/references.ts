import { one, type Transaction } from '../../store/transaction.js';
import { takeReference } from './account-statements.js';

/**
 * Takes the next run reference of a site's account, such as CR-000042. It locks the account, and so comes before every lock of the
 * site: all who lock both do it in this order. Undefined: the site was removed.
 */
export function* nextReference(siteId: string): Transaction<string | undefined> {
  const account = yield* one(takeReference({ site_id: siteId }));
  return account && `CR-${String(account.reference_counter).padStart(6, '0')}`;
}
