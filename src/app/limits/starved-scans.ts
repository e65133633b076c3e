import { ServiceError } from '../../platform/errors.js';
import { Starved } from '../../scanner/artifacts/out-of-resources.js';
import type { RateLimits } from './rate-limits.js';

/** How many starved runs of an account are given back to the days of its sites, in one UTC day. */
const STARVED_RUNS_FORGIVEN = 3;

const DAY_MS = 86_400_000;

/** What a scan rejected with that came to nothing because others held the places at its site's address; null where that is not why. */
export function findStarved(error: unknown): Starved | null {
  return error instanceof ServiceError && error.cause instanceof Starved ? error.cause : null;
}

export function isStarved(error: unknown): boolean {
  return findStarved(error) !== null;
}

/**
 * Whether the day gets back a run that failed. An owner of two slow sites at one address can have their runs starve each other: given back
 * each time, they would keep the slots busy for nothing.
 */
export async function isForgiven(error: unknown, accountId: string, rateLimits: RateLimits): Promise<boolean> {
  if (!isStarved(error)) return true;
  const request = { scope: 'starved-runs', subject: accountId, limit: STARVED_RUNS_FORGIVEN, windowMs: DAY_MS };
  // A database that is away is our fault as well.
  const { isTaken } = await rateLimits.take(request).catch(() => ({ isTaken: true }));
  return isTaken;
}
