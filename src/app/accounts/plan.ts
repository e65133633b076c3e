import type { components } from '../../../generated/contract.js';

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

/**
 * Runs of one site in one UTC day by what starts them: by createRun (contract, "Limits"), by a person, by its deploy hook. As
 * many of the last as the day has hours: more than most sites are deployed, and an address that got into the wrong hands, or a
 * pipeline that goes round in circles, has the site scanned no more than that. Schedules have no budget: their period is one.
 */
export const DAILY_RUNS: Readonly<Partial<Record<components['schemas']['Trigger'], number>>> = {
  API: 5,
  MANUAL: 10,
  POST_DEPLOY: 24,
};

/** Keys an account may hold: the live ones and those revoked in this month after use, so that rotation mints no quota. */
export const KEYS_PER_ACCOUNT_MAX = 10;
