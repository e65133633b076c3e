import { ServiceError } from '../../platform/errors.js';
import { paramOf, type RouteContext } from './context.js';
import { sessionOf } from './session.js';
import type { OwnSite, SiteOfAccount } from '../../app/sites/site.js';
import type { Sites } from '../../app/sites/sites.js';

/** Returns the site in the path and the signed-in account. @throws SignInNeeded */
export function requestedSite(ctx: RouteContext): SiteOfAccount {
  return { accountId: sessionOf(ctx).account.id, siteId: paramOf(ctx, 'siteId') };
}

/** Parses a positive number in an address, such as `12`; null for anything else. */
export function parseNumber(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}

interface SiteReader {
  readonly sites: Pick<Sites, 'getOwn'>;
}

/** Loads the site in the path. @throws SignInNeeded; ServiceError site_not_found, for another account's site too */
export async function loadOwnSite(ctx: RouteContext, { sites }: SiteReader): Promise<OwnSite> {
  return sites.getOwn(requestedSite(ctx));
}

/** Loads the site in the path, and returns the run's number. @throws as {@link loadOwnSite}; ServiceError run_not_found */
export async function loadOwnRun(
  ctx: RouteContext,
  deps: SiteReader,
): Promise<{ readonly site: OwnSite; readonly number: number }> {
  // Checks the owner first: only the owner may learn that a run does not exist.
  const site = await loadOwnSite(ctx, deps);
  const number = parseNumber(paramOf(ctx, 'number'));
  if (number === null) throw new ServiceError('run_not_found');
  return { site, number };
}
