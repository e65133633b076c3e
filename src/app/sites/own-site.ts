import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import type { Plan } from '../accounts/plan.js';
import {
  type lockSiteAgainstChanges,
  lockSiteAgainstRemoval,
  listSitesAmong,
  type Site,
  siteOf,
  type SiteOfAccount,
  type SiteRow,
} from './site.js';

declare const isOwnerChecked: unique symbol;

/**
 * A site that belongs to the requesting account. Only {@link findOwnSite} creates one, so code that gets one need not check the owner. Writes
 * must lock the site in their own transaction, because it may have been removed: see {@link lockOwnSite}.
 */
export interface OwnSite extends Site {
  /** The account's plan. */
  readonly plan: Plan;
  readonly [isOwnerChecked]: true;
}

/** Site ids, and the account that requests the sites. */
export interface SitesOfAccount {
  readonly accountId: string;
  readonly plan: Plan;
  readonly siteIds: readonly string[];
}

const selectSiteOfAccount = defineQuery<SiteRow & { readonly plan: Plan }, { id: string; account_id: string }>(
  (sql, { id, account_id }) =>
    sql('sites')
      .join('accounts', 'accounts.id', 'sites.account_id')
      .select('sites.*', 'accounts.plan')
      .where({ 'sites.id': id, account_id, is_deleting: 0 }),
);

/** @throws ServiceError site_not_found, also for another account's site */
export async function findOwnSite(db: Database, { accountId, siteId }: SiteOfAccount): Promise<OwnSite> {
  if (!isId('site', siteId)) throw new ServiceError('site_not_found');
  const row = await db.one(selectSiteOfAccount({ id: siteId, account_id: accountId }));
  if (!row) throw new ServiceError('site_not_found');
  return { ...siteOf(row), plan: row.plan } as OwnSite;
}

/** Finds the account's sites among these; unknown ids are skipped. */
export async function findOwnSites(db: Database, { accountId, plan, siteIds }: SitesOfAccount): Promise<OwnSite[]> {
  return (await listSitesAmong(db, accountId, siteIds)).map((site) => ({ ...site, plan }) as OwnSite);
}

/**
 * Finds and locks the site in a transaction: it cannot be deleted until the transaction ends.
 * @param lock may also lock it against changes
 * @throws ServiceError site_not_found
 */
export async function lockOwnSite(
  tx: Tx,
  { accountId, siteId }: SiteOfAccount,
  lock: typeof lockSiteAgainstChanges = lockSiteAgainstRemoval,
): Promise<Site> {
  const site = isId('site', siteId) ? await lock(tx, siteId) : undefined;
  if (site?.accountId !== accountId) throw new ServiceError('site_not_found');
  return site;
}
