import { utcDayStart, utcMonthStart, utcNextDayStart, utcNextMonthStart } from '../../platform/clock.js';
import type { RateLimit } from '../../platform/errors.js';

/** What a key has left of the UTC month of `now`. */
export function monthlyLimit(limit: number, used: number, now: Date): RateLimit {
  return { policy: 'month', ...rest(limit, used), startsAt: utcMonthStart(now), endsAt: utcNextMonthStart(now) };
}

/** What a site has left of the UTC day of `now`. */
export function dailyLimit(limit: number, used: number, now: Date): RateLimit {
  return { policy: 'day', ...rest(limit, used), startsAt: utcDayStart(now), endsAt: utcNextDayStart(now) };
}

function rest(limit: number, used: number) {
  return { limit, remaining: Math.max(0, limit - used) };
}
