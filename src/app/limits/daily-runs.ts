import type { components } from '../../../generated/contract.js';
import { DAY_MS, utcDayStart } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { RateLimitError } from '../../platform/input-error.js';
import type { Sql, Tx } from '../../store/database.js';
import { consumeAll, type Limit, readUsed, refundAll } from './limits.js';

type Trigger = components['schemas']['Trigger'];

/**
 * The runs of one site in one UTC day by trigger: createRun (contract, "Limits"), manual runs, and its deploy hook. The last has one for each
 * hour, more than most sites are deployed, which bounds a leaked address or a looping pipeline. Schedules have no budget: their period is one.
 */
export const DAILY_RUNS: Readonly<Partial<Record<Trigger, number>>> = { API: 5, MANUAL: 10, POST_DEPLOY: 24 };

/** A site, or what identifies its budget. Adding a removed site again does not reset its daily limit. */
export interface BudgetOwner {
  readonly accountId: string;
  readonly hostname: string;
}

/** Returns the host without the default port of http or https: an account has one site for each of these. */
export function hostOf(hostname: string): string {
  return hostname.replace(/:(?:80|443)$/, '');
}

function limitFor({ accountId, hostname }: BudgetOwner, trigger: Trigger): Limit | null {
  const max = DAILY_RUNS[trigger];
  if (max === undefined) return null;
  const subject = `${accountId} ${hostOf(hostname)}`;
  return { name: `daily-runs-${trigger}`, subject, max, windowMs: DAY_MS, message: '' };
}

/** Charges one of the site's runs of the day. Returns null for a trigger without a budget. @throws ServiceError daily_runs_exceeded */
export async function chargeDailyRun(
  tx: Tx,
  site: BudgetOwner,
  trigger: Trigger,
  now: Date,
): Promise<RateLimit | null> {
  const limit = limitFor(site, trigger);
  if (!limit) return null;
  try {
    const [used = 0] = await consumeAll(tx, [limit], now);
    return dailyLimit(limit.max, used, now);
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    const { retryAfterS } = error;
    throw new ServiceError('daily_runs_exceeded', { retryAfterS, rateLimit: dailyLimit(limit.max, limit.max, now) });
  }
}

/** Returns a run to the day on which it was charged. */
export async function refundDailyRun(tx: Tx, site: BudgetOwner, trigger: Trigger, chargedAt: Date): Promise<void> {
  const limit = limitFor(site, trigger);
  if (limit) await refundAll(tx, [limit], chargedAt);
}

/** Returns what a site has left of the day; null for a trigger without a budget. */
export async function runsLeft(sql: Sql, site: BudgetOwner, trigger: Trigger, now: Date): Promise<RateLimit | null> {
  const limit = limitFor(site, trigger);
  return limit && dailyLimit(limit.max, await readUsed(sql, limit, now), now);
}

/** Returns what a site has left of the UTC day of `now`. */
export function dailyLimit(limit: number, used: number, now: Date): RateLimit {
  const remaining = Math.max(0, limit - used);
  return { policy: 'day', limit, remaining, startsAt: utcDayStart(now), endsAt: utcDayStart(now, 1) };
}
