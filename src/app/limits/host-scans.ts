import { describeWait, TooSoonError } from '../../platform/input-error.js';
import type { RateLimitResult, RateLimits } from './rate-limits.js';

const HOUR_MS = 3_600_000;

/** Scans of one host in an hour that anybody may ask for, and single checks of it, over all who ask. */
export const HOST_SCANS_MAX = 10;

/** Takes one of a host's scans. @throws TooSoonError when it has none left */
export async function takeHostScan(rateLimits: RateLimits, hostname: string): Promise<RateLimitResult> {
  const limit = HOST_SCANS_MAX;
  const result = await rateLimits.take({ scope: 'host-scans', subject: hostname, limit, windowMs: HOUR_MS });
  if (result.isTaken) return result;
  throw new TooSoonError(
    `${hostname} has been scanned ${HOST_SCANS_MAX} times in this hour. Try again in ${describeWait(result.retryAfterS)}.`,
    result.retryAfterS,
  );
}
