import { laterThan, timeAfter, utcDay } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';

const DAY_MS = 86_400_000;

/** Ten years: who wants longer wants none. */
const EXPIRY_DAYS_MAX = 3650;

/**
 * When a key ends, as it is asked for: in a number of days, or at the beginning of a UTC day, `YYYY-MM-DD`.
 * @returns ISO 8601, UTC; null for an empty text: it does not end by itself
 * @throws InputError with field `expires`
 */
export function parseExpiry(text: string, now: Date): string | null {
  const asked = text.trim();
  if (asked === '') return null;
  const at = /^\d{1,4}$/.test(asked) ? laterThan(now, Number(asked) * DAY_MS) : startOfDay(asked);
  if (at === null || at <= now.toISOString() || at > laterThan(now, EXPIRY_DAYS_MAX * DAY_MS)) {
    throw new InputError(
      `Say when the key expires: a number of days up to ${EXPIRY_DAYS_MAX}, or a later day, such as ${utcDay(timeAfter(now, 90 * DAY_MS))}.`,
      'expires',
    );
  }
  return at;
}

/** Null for what is not a day. */
function startOfDay(text: string): string | null {
  const at = `${text}T00:00:00.000Z`;
  const date = new Date(at);
  // A day that its month does not have would be taken for one of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString() === at ? at : null;
}
