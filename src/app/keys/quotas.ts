import { type Plan, PLANS } from '../accounts/plan.js';
import type { Quotas } from './key-usage-statements.js';

/**
 * Requests a month for each key, by plan.
 * @param override takes the place of every plan's quota, but gives no plan the API
 */
export function quotasOf(override: number | null): Quotas {
  const quotaOf = (plan: Plan): number => (PLANS[plan].api ? (override ?? PLANS[plan].monthlyQuota) : 0);
  return { FREE: quotaOf('FREE'), MONITOR: quotaOf('MONITOR'), SCALE: quotaOf('SCALE') };
}
