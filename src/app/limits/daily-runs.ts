import type { components } from '../../../generated/contract.js';
import { DAY_MS } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { RateLimitError } from '../../platform/input-error.js';
import type { Sql, Tx } from '../../store/database.js';
import { consumeAll, type Limit, readUsed, refundAll } from './limits.js';

type Trigger = components['schemas']['Trigger'];

/**
 * Maximum runs of a site per UTC day, by trigger (contract, "Limits"). 24 deploys are more than most sites need, and bound the damage of a
 * leaked address or a looping pipeline. Scheduled runs need no limit: the schedule is one.
 */
export const DAILY_RUNS: Readonly<Partial<Record<Trigger, number>>> = { API: 5, MANUAL: 10, POST_DEPLOY: 24 };

/** Identifies the daily limits of a site, also after it is removed and added again. */
export interface LimitedSite {
  readonly accountId: string;
  readonly hostname: string;
}

/** Removes port 80 or 443, so that the http and https sites of a host share their limits. */
export function removeDefaultPort(hostname: string): string {
  return hostname.replace(/:(?:80|443)$/, '');
}

function limitFor({ accountId, hostname }: LimitedSite, trigger: Trigger): Limit | null {
  const max = DAILY_RUNS[trigger];
  if (max === undefined) return null;
  const subject = `${accountId} ${removeDefaultPort(hostname)}`;
  return { name: `daily-runs-${trigger}`, subject, max, windowMs: DAY_MS, message: '' };
}

function dayOf({ max: limit }: Limit, used: number, at: Date): RateLimit {
  return { policy: 'day', limit, remaining: Math.max(0, limit - used), at };
}

/** Charges one run of the day. Returns null for a trigger without a limit. @throws ServiceError daily_runs_exceeded */
export async function chargeDailyRun(
  tx: Tx,
  site: LimitedSite,
  trigger: Trigger,
  now: Date,
): Promise<RateLimit | null> {
  const limit = limitFor(site, trigger);
  if (!limit) return null;
  try {
    const [used = 0] = await consumeAll(tx, [limit], now);
    return dayOf(limit, used, now);
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    const { retryAfterS } = error;
    throw new ServiceError('daily_runs_exceeded', { retryAfterS, rateLimit: dayOf(limit, limit.max, now) });
  }
}

/** Refunds a run to the day to which it was charged. */
export async function refundDailyRun(tx: Tx, site: LimitedSite, trigger: Trigger, chargedAt: Date): Promise<void> {
  const limit = limitFor(site, trigger);
  if (limit) await refundAll(tx, [limit], chargedAt);
}

/** Returns the site's remaining runs of the day; null for a trigger without a limit. */
export async function runsLeft(sql: Sql, site: LimitedSite, trigger: Trigger, now: Date): Promise<RateLimit | null> {
  return (await runsLeftOfSites(sql, [site], trigger, now))[0] ?? null;
}

/** Returns the remaining runs of each site, in one statement; none for a trigger without a limit. */
export async function runsLeftOfSites(sql: Sql, sites: readonly LimitedSite[], trigger: Trigger, now: Date) {
  const limits = sites.flatMap((site) => limitFor(site, trigger) ?? []);
  const used = await readUsed(sql, limits, now);
  return limits.map((limit, index) => dayOf(limit, used[index] ?? 0, now));
}
