import type { ScanTarget } from '../../scanner/client/visit.js';
import { one, type Transaction } from '../../store/transaction.js';
import { pagesIn } from './chosen-pages.js';
import type { Site } from './site.js';
import { isRestricted } from './unread-proof.js';
import { selectTarget } from './unread-proof-statements.js';

/** What a scan of a verified site is made of: with what its owner alone may have done, and the pages that the owner chose. */
export function* targetOf({ id, origin }: Pick<Site, 'id' | 'origin'>): Transaction<ScanTarget> {
  const { days = null, paths = null } = (yield* one(selectTarget({ site_id: id }))) ?? {};
  const pages = pagesIn(paths)?.map((path) => new URL(origin + path));
  return {
    origin: new URL(origin),
    isOwnershipVerified: days === null || !isRestricted({ days }),
    ...(pages && { pages }),
  };
}
