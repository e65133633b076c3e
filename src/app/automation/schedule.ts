import { createHash } from 'node:crypto';
import type { Plan } from '../accounts/plan.js';

const HOUR_MS = 3_600_000;

/** How often a site's schedule runs, the rarest first. */
export const FREQUENCIES = {
  WEEKLY: { label: 'every week', periodMs: 7 * 24 * HOUR_MS },
  DAILY: { label: 'every day', periodMs: 24 * HOUR_MS },
  HOURLY: { label: 'every hour', periodMs: HOUR_MS },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

const RAREST_FIRST = Object.keys(FREQUENCIES) as Frequency[];

/** The most frequent schedule of each plan. */
const MOST_FREQUENT: Readonly<Record<Plan, Frequency>> = { FREE: 'WEEKLY', MONITOR: 'DAILY', SCALE: 'HOURLY' };

export function isFrequency(value: string): value is Frequency {
  return Object.hasOwn(FREQUENCIES, value);
}

export function mostFrequentOf(plan: Plan): Frequency {
  return MOST_FREQUENT[plan];
}

/** What the plan's schedules may be, the rarest first. */
export function frequenciesOf(plan: Plan): readonly Frequency[] {
  return RAREST_FIRST.slice(0, RAREST_FIRST.indexOf(MOST_FREQUENT[plan]) + 1);
}

/** The least plan that has it. */
export function planWith(frequency: Frequency): Plan {
  const plans = Object.keys(MOST_FREQUENT) as Plan[];
  return plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? 'SCALE';
}

/** What a schedule does on this plan: one that was chosen on a higher plan runs as often as this one lets it. */
export function effectiveFrequency(chosen: Frequency, plan: Plan): Frequency {
  return frequenciesOf(plan).includes(chosen) ? chosen : MOST_FREQUENT[plan];
}

/**
 * The first time of the site's schedule after `after`. Each site has a fixed place within the period, by its id, so that
 * no minute is a peak; whole seconds.
 */
export function nextScheduledTime(siteId: string, frequency: Frequency, after: Date): Date {
  const { periodMs } = FREQUENCIES[frequency];
  const placeMs = placeOf(siteId) * periodMs;
  const offsetMs = placeMs - (placeMs % 1000);
  const periodsGone = Math.floor((after.getTime() - offsetMs) / periodMs);
  return new Date(offsetMs + (periodsGone + 1) * periodMs);
}

/** A number from 0 to 1 (never 1), the same for the same id and spread evenly over ids. */
export function placeOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}
