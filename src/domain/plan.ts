/** What each plan includes. `monthlyQuota` counts requests a key and UTC month; FREE has no API. */
export const PLANS = {
  FREE: { api: false, monthlyQuota: 0 },
  MONITOR: { api: true, monthlyQuota: 10_000 },
  SCALE: { api: true, monthlyQuota: 100_000 },
} as const;
export type Plan = keyof typeof PLANS;

export function isPlan(value: string): value is Plan {
  return Object.hasOwn(PLANS, value);
}

/** Runs that createRun starts for one site in one UTC day (contract, "Limits"). */
export const API_RUNS_PER_DAY = 5;

/** Runs that a person starts for one site in one UTC day. */
export const MANUAL_RUNS_PER_DAY = 10;

/** Keys an account may hold: the live ones and those revoked in this month after use, so that rotation mints no quota. */
export const KEYS_PER_ACCOUNT_MAX = 10;
