import { type RateLimit, ServiceError } from '../../platform/errors.js';
import type { Transaction } from '../../store/transaction.js';
import { takeRunOfDay } from '../limits/daily-runs.js';
import { holdSite, type Site, type SiteOfAccount } from '../sites/site.js';
import type { Trigger } from './run.js';

export interface Admitting extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly now: Date;
}

export interface AdmittedRun {
  readonly site: Site;
  /** What the site has left of the day; null for a trigger without a budget. */
  readonly daily: RateLimit | null;
}

/**
 * Checks that the run may start and takes it from the day's budget. A refusal undoes the whole transaction.
 * @throws ServiceError site_not_found, site_not_owned, domain_not_verified, daily_runs_exceeded
 */
export function* admitRun(request: Admitting): Transaction<AdmittedRun> {
  const site = yield* holdSiteToRun(request);
  return { site, daily: yield* admitTo(site, request) };
}

/** @throws ServiceError site_not_found, site_not_owned */
export function* holdSiteToRun({ accountId, siteId }: SiteOfAccount): Transaction<Site> {
  const site = yield* holdSite(siteId);
  if (!site) throw new ServiceError('site_not_found');
  if (site.accountId !== accountId) throw new ServiceError('site_not_owned');
  return site;
}

/** @throws ServiceError domain_not_verified, daily_runs_exceeded */
export function* admitTo(
  site: Site,
  { trigger, now }: Pick<Admitting, 'trigger' | 'now'>,
): Transaction<RateLimit | null> {
  assertVerified(site);
  return yield* takeRunOfDay(site.id, trigger, now);
}

/** @throws ServiceError domain_not_verified */
export function assertVerified({ verifiedAt }: Site): void {
  if (verifiedAt === null) throw new ServiceError('domain_not_verified');
}
