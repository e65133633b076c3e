import { secondsToNextUtcDay, utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { one, type Transaction } from '../../store/transaction.js';
import { DAILY_RUNS } from '../accounts/plan.js';
import { selectSiteToAdmit, type SiteRow } from '../sites/site-statements.js';
import type { SiteOfAccount } from '../sites/sites.js';
import type { Trigger } from './run.js';
import { takeDailyRun } from './run-budget-statements.js';

export interface Admitting extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly now: Date;
}

/**
 * Checks that the run may start and takes it from the day's budget. A refusal undoes the whole transaction.
 * @throws ServiceError site_not_found, site_not_owned, domain_not_verified, daily_runs_exceeded
 */
export function* admitRun(request: Admitting): Transaction<SiteRow> {
  const site = yield* findSite(request);
  yield* admitTo(site, request);
  return site;
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
  { id, verified_at }: SiteRow,
  { trigger, now }: Pick<Admitting, 'trigger' | 'now'>,
): Transaction<void> {
  if (verified_at === null) throw new ServiceError('domain_not_verified');
  yield* takeFromBudget(id, trigger, now);
}

/** @throws ServiceError daily_runs_exceeded */
export function* takeFromBudget(siteId: string, trigger: Trigger, now: Date): Transaction<void> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return;
  if (yield* one(takeDailyRun({ site_id: siteId, day: utcDay(now), trigger, limit }))) return;
  throw new ServiceError('daily_runs_exceeded', { retryAfterS: secondsToNextUtcDay(now) });
}
