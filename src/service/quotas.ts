import { type Plan, PLANS } from '../domain/plan.js';
import type { Quotas } from '../store/key-usage.js';

/**
 * Requests a month for each key, by plan.
 * @param override takes the place of every plan's quota, but gives no plan the API
 */
export function quotasOf(override: number | null): Quotas {
  const quotaOf = (plan: Plan): number => (PLANS[plan].api ? (override ?? PLANS[plan].monthlyQuota) : 0);
  return { FREE: quotaOf('FREE'), MONITOR: quotaOf('MONITOR'), SCALE: quotaOf('SCALE') };
}
