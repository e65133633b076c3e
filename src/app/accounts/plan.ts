const MB = 1_000_000;

/** What each plan includes. `monthlyQuota`: requests per key and UTC month. Above `evidenceBytesMax`, the oldest evidence is deleted. */
export const PLANS = {
  FREE: { api: false, monthlyQuota: 0, sitesMax: 3, evidenceBytesMax: 50 * MB },
  MONITOR: { api: true, monthlyQuota: 10_000, sitesMax: 100, evidenceBytesMax: 1000 * MB },
  SCALE: { api: true, monthlyQuota: 100_000, sitesMax: 2000, evidenceBytesMax: 20_000 * MB },
} as const;
export type Plan = keyof typeof PLANS;

/** Includes revoked keys that were used this month, so that replacing a key does not add quota. */
export const KEYS_PER_ACCOUNT_MAX = 10;
