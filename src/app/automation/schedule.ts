import { createHash } from 'node:crypto';
import { DAY_MS } from '../../platform/clock.js';
import type { Plan } from '../accounts/plan.js';

const HOUR_MS = 3_600_000;

/** How often a site's schedule runs, lowest frequency first. */
export const FREQUENCIES = {
  WEEKLY: { label: 'every week', periodMs: 7 * DAY_MS },
  DAILY: { label: 'every day', periodMs: DAY_MS },
  HOURLY: { label: 'every hour', periodMs: HOUR_MS },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

const LOWEST_FIRST = Object.keys(FREQUENCIES) as Frequency[];

const MOST_FREQUENT: Readonly<Record<Plan, Frequency>> = { FREE: 'WEEKLY', MONITOR: 'DAILY', SCALE: 'HOURLY' };

export function isFrequency(value: string): value is Frequency {
  return Object.hasOwn(FREQUENCIES, value);
}

export function mostFrequentOf(plan: Plan): Frequency {
  return MOST_FREQUENT[plan];
}

/** Returns the frequencies that the plan allows, lowest first. */
export function frequenciesOf(plan: Plan): readonly Frequency[] {
  return LOWEST_FIRST.slice(0, LOWEST_FIRST.indexOf(MOST_FREQUENT[plan]) + 1);
}

export function planWith(frequency: Frequency): Plan {
  const plans = Object.keys(MOST_FREQUENT) as Plan[];
  return plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? 'SCALE';
}

/**
 * Returns the first scheduled time after `after`, in whole seconds. Each site has a fixed offset within the period, derived from its id, so
 * that runs are spread evenly.
 */
export function nextScheduledTime(siteId: string, frequency: Frequency, after: Date): Date {
  const { periodMs } = FREQUENCIES[frequency];
  const offsetMs = Math.floor((hashFraction(siteId) * periodMs) / 1000) * 1000;
  const periodsElapsed = Math.floor((after.getTime() - offsetMs) / periodMs);
  return new Date(offsetMs + (periodsElapsed + 1) * periodMs);
}

/** Returns a number from 0 up to but not including 1, always the same for an id and spread evenly over ids. */
export function hashFraction(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}
