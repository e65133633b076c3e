const MB = 1_000_000;

/**
 * What each plan includes. `monthlyQuota` counts requests a key and UTC month; FREE has no API. Of the evidence that is over its bound
 * the oldest goes; runs never do.
 */
export const PLANS = {
  FREE: { api: false, monthlyQuota: 0, sitesMax: 3, evidenceBytesMax: 50 * MB },
  MONITOR: { api: true, monthlyQuota: 10_000, sitesMax: 100, evidenceBytesMax: 1000 * MB },
  SCALE: { api: true, monthlyQuota: 100_000, sitesMax: 2000, evidenceBytesMax: 20_000 * MB },
} as const;
export type Plan = keyof typeof PLANS;

export function isPlan(value: string): value is Plan {
  return Object.hasOwn(PLANS, value);
}

/** Keys an account may hold: the live ones and those revoked in this month after use, so that rotation mints no quota. */
export const KEYS_PER_ACCOUNT_MAX = 10;
