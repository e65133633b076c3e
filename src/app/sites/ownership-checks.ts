import { type RateLimits, takeAllOrRefuse } from '../limits/rate-limits.js';

/** So many sites of an account are checked in an hour, and so many of them where many are checked at once: the others are for single sites. */
const CHECKS_AN_HOUR = 60;
const CHECKS_OF_MANY_AN_HOUR = 45;
const HOUR_MS = 3_600_000;

/**
 * @param isOfMany whether it is one of many that are checked at once
 * @throws TooSoonError when the account has had {@link CHECKS_AN_HOUR} in this hour, or {@link CHECKS_OF_MANY_AN_HOUR} of many at once
 */
export async function takeCheck(rateLimits: RateLimits, subject: string, isOfMany: boolean): Promise<void> {
  const common = { subject, windowMs: HOUR_MS };
  const each = {
    ...{ ...common, scope: 'ownership-check', limit: CHECKS_AN_HOUR },
    explain: (wait: string) => `This account has had ${CHECKS_AN_HOUR} checks in an hour. Check again in ${wait}.`,
  };
  const ofMany = {
    ...{ ...common, scope: 'ownership-checks', limit: CHECKS_OF_MANY_AN_HOUR },
    explain: (wait: string) =>
      `Of many at once, ${CHECKS_OF_MANY_AN_HOUR} are checked in an hour. Check again in ${wait}. The order changes each time.`,
  };
  await takeAllOrRefuse(rateLimits, isOfMany ? [each, ofMany] : [each]);
}

/**
 * In the order in which they are checked, from another one on each time: neither an hour nor the time of one request need suffice for all.
 * @param random at least 0, less than 1
 */
export function inTurn<T>(sites: readonly T[], random: number): readonly T[] {
  const begin = Math.floor(random * sites.length);
  return [...sites.slice(begin), ...sites.slice(0, begin)];
}
