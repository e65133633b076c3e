import { secondsToNextUtcDay, utcDay } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { one, type Transaction } from '../../store/transaction.js';
import { DAILY_RUNS } from '../accounts/plan.js';
import { dailyLimit } from '../limits/rate-limit.js';
import { selectSiteToAdmit, type SiteRow } from '../sites/site-statements.js';
import type { SiteOfAccount } from '../sites/sites.js';
import type { Trigger } from './run.js';
import { selectDailyRuns, takeDailyRun } from '../limits/run-budget-statements.js';

export interface Admitting extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly now: Date;
}

export interface AdmittedRun {
  readonly site: SiteRow;
  /** What the site has left of the day; null for a trigger without a budget. */
  readonly daily: RateLimit | null;
}

/**
 * Checks that the run may start and takes it from the day's budget. A refusal undoes the whole transaction.
 * @throws ServiceError site_not_found, site_not_owned, domain_not_verified, daily_runs_exceeded
 */
export function* admitRun(request: Admitting): Transaction<AdmittedRun> {
  const site = yield* findSite(request);
  return { site, daily: yield* admitTo(site, request) };
}

/** @throws ServiceError site_not_found, site_not_owned */
export function* findSite({ accountId, siteId }: SiteOfAccount): Transaction<SiteRow> {
  const site = yield* one(selectSiteToAdmit({ id: siteId }));
  if (!site) throw new ServiceError('site_not_found');
  if (site.account_id !== accountId) throw new ServiceError('site_not_owned');
  return site;
}

/** @throws ServiceError domain_not_verified, daily_runs_exceeded */
export function* admitTo(
  site: SiteRow,
  { trigger, now }: Pick<Admitting, 'trigger' | 'now'>,
): Transaction<RateLimit | null> {
  assertVerified(site);
  return yield* takeFromBudget(site.id, trigger, now);
}

/** @throws ServiceError domain_not_verified */
export function assertVerified({ verified_at }: SiteRow): void {
  if (verified_at === null) throw new ServiceError('domain_not_verified');
}

/** @throws ServiceError daily_runs_exceeded */
export function* takeFromBudget(siteId: string, trigger: Trigger, now: Date): Transaction<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const taken = yield* one(takeDailyRun({ site_id: siteId, day: utcDay(now), trigger, limit }));
  if (taken) return dailyLimit(limit, taken.used, now);
  const rateLimit = dailyLimit(limit, limit, now);
  throw new ServiceError('daily_runs_exceeded', { retryAfterS: secondsToNextUtcDay(now), rateLimit });
}

/** What a site has left of the day. */
export function* readBudget(siteId: string, trigger: Trigger, now: Date): Transaction<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const row = yield* one(selectDailyRuns({ site_id: siteId, day: utcDay(now), trigger }));
  return dailyLimit(limit, row?.used ?? 0, now);
}
