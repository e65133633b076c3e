import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { type Database, runOne } from '../../store/database.js';
import type { Transaction } from '../../store/transaction.js';
import type { Plan } from '../accounts/plan.js';
import { holdSite, listSitesAmong, type NumberedSite, type SiteOfAccount, siteOf } from './site.js';
import { selectSiteOfAccount } from './site-statements.js';

declare const isLoaded: unique symbol;

/**
 * A site of the account that asks, as it was when {@link findOwnSite} loaded it, which nothing else makes: code that has one need not ask whose
 * it is. What is written to a site holds it in its own transaction, since it may have been removed since: see {@link holdOwnSite}.
 */
export interface OwnSite extends NumberedSite {
  /** Of its account. */
  readonly plan: Plan;
  readonly [isLoaded]: true;
}

/** @throws ServiceError site_not_found, for another account's site too */
export async function findOwnSite(db: Database, { accountId, siteId }: SiteOfAccount): Promise<OwnSite> {
  const row = isId('site', siteId)
    ? await runOne(db, selectSiteOfAccount({ id: siteId, account_id: accountId }))
    : undefined;
  if (!row) throw new ServiceError('site_not_found');
  return { ...siteOf(row), latestNumber: row.run_counter, plan: row.plan } as OwnSite;
}

/** Some of them, those that are there: one that is not is nobody's to know of. */
export async function findOwnSites(
  db: Database,
  {
    accountId,
    plan,
    siteIds,
  }: { readonly accountId: string; readonly plan: Plan; readonly siteIds: readonly string[] },
): Promise<readonly OwnSite[]> {
  return (await listSitesAmong(db, accountId, siteIds)).map((site) => ({ ...site, plan }) as OwnSite);
}

/**
 * The same within a transaction: the site cannot be deleted until it ends, so that what is added to it finds it there.
 * @throws ServiceError site_not_found
 */
export function* holdOwnSite({ accountId, siteId }: SiteOfAccount): Transaction<NumberedSite> {
  const site = isId('site', siteId) ? yield* holdSite(siteId) : undefined;
  if (site?.accountId !== accountId) throw new ServiceError('site_not_found');
  return site;
}
