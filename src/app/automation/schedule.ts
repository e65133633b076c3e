import { createHash } from 'node:crypto';
import { DAY_MS } from '../../platform/clock.js';
import type { Plan } from '../accounts/plan.js';

const HOUR_MS = 3_600_000;

/** Frequencies of scheduled runs, lowest first. */
export const FREQUENCIES = {
  WEEKLY: { label: 'every week', periodMs: 7 * DAY_MS },
  DAILY: { label: 'every day', periodMs: DAY_MS },
  HOURLY: { label: 'every hour', periodMs: HOUR_MS },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

const LOWEST_FIRST = Object.keys(FREQUENCIES) as Frequency[];

const HIGHEST_FREQUENCY: Readonly<Record<Plan, Frequency>> = { FREE: 'WEEKLY', MONITOR: 'DAILY', SCALE: 'HOURLY' };

export function isFrequency(value: string): value is Frequency {
  return Object.hasOwn(FREQUENCIES, value);
}

export function maxFrequency(plan: Plan): Frequency {
  return HIGHEST_FREQUENCY[plan];
}

/** Lowest first. */
export function frequenciesOf(plan: Plan): readonly Frequency[] {
  return LOWEST_FIRST.slice(0, LOWEST_FIRST.indexOf(HIGHEST_FREQUENCY[plan]) + 1);
}

export function planWith(frequency: Frequency): Plan {
  const plans = Object.keys(HIGHEST_FREQUENCY) as Plan[];
  return plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? 'SCALE';
}

/**
 * Returns the first scheduled time after `after`, in whole seconds. Each site has a fixed offset within the period, derived from its id, to
 * spread the load.
 */
export function nextScheduledTime(siteId: string, frequency: Frequency, after: Date): Date {
  const { periodMs } = FREQUENCIES[frequency];
  const offsetMs = Math.floor((hashFraction(siteId) * periodMs) / 1000) * 1000;
  const periodsElapsed = Math.floor((after.getTime() - offsetMs) / periodMs);
  return new Date(offsetMs + (periodsElapsed + 1) * periodMs);
}

/** Returns a number in [0, 1), stable for an id and evenly distributed. */
export function hashFraction(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}
