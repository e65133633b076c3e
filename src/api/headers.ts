import type { RateLimit } from '../platform/errors.js';
import type { ApiContext } from './operation.js';
import type { StoredRun } from '../app/runs/run.js';

/** The caching headers of a finished run: it never changes, but who may read it does, so a cache has to ask each time. */
export function runHeaders(run: StoredRun): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: run.etag, 'Cache-Control': 'private, no-cache' };
}

/**
 * Says what is left of the monthly quota and, where it is known, of the site's day; by draft-ietf-httpapi-ratelimit-headers too
 * (revision 11 of May 2026). Seconds are counted from the answer on.
 */
export function setRateLimits(
  { state: { headers } }: Pick<ApiContext, 'state'>,
  rateLimits: readonly RateLimit[],
  now: Date,
): void {
  const [month] = rateLimits;
  if (!month) return;
  headers['X-RateLimit-Limit'] = String(month.limit);
  headers['X-RateLimit-Remaining'] = String(month.remaining);
  headers['X-RateLimit-Reset'] = String(secondsBetween(now, month.endsAt));
  headers['RateLimit-Policy'] = listOf(rateLimits, (it) => `q=${it.limit};w=${secondsBetween(it.startsAt, it.endsAt)}`);
  headers.RateLimit = listOf(rateLimits, (it) => `r=${it.remaining};t=${secondsBetween(now, it.endsAt)}`);
}

/** A List of Strings with their parameters (RFC 9651). */
function listOf(rateLimits: readonly RateLimit[], parametersOf: (rateLimit: RateLimit) => string): string {
  return rateLimits.map((rateLimit) => `"${rateLimit.policy}";${parametersOf(rateLimit)}`).join(', ');
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 1000));
}
