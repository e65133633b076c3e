import type { Tx } from '../../store/database.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { chargeDailyRun } from '../limits/daily-runs.js';
import { lockSiteAgainstRemoval, type Site, type SiteOfAccount } from '../sites/site.js';
import type { Trigger } from './run.js';

/** Locks the site for a run. @throws ServiceError site_not_found, site_not_owned */
export async function lockSiteToRun(tx: Tx, { accountId, siteId }: SiteOfAccount): Promise<Site> {
  const site = await lockSiteAgainstRemoval(tx, siteId);
  if (!site) throw new ServiceError('site_not_found');
  if (site.accountId !== accountId) throw new ServiceError('site_not_owned');
  return site;
}

/**
 * Checks that the run may start and counts it. A refusal undoes the whole transaction.
 * @returns what the site has left of the day; null for a trigger without a limit
 * @throws ServiceError domain_not_verified, daily_runs_exceeded
 */
export async function admitRun(tx: Tx, site: Site, trigger: Trigger, now: Date): Promise<RateLimit | null> {
  assertVerified(site);
  return chargeDailyRun(tx, site, trigger, now);
}

/** @throws ServiceError domain_not_verified */
export function assertVerified({ verifiedAt }: Site): void {
  if (verifiedAt === null) throw new ServiceError('domain_not_verified');
}
