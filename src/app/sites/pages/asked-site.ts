import { ServiceError } from '../../../platform/errors.js';
import { paramOf, type RouteContext } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { OwnSite } from '../own-site.js';
import type { SiteOfAccount } from '../site.js';
import type { Sites } from '../sites.js';

/** The site in the address, for the signed-in account. @throws SignInNeeded */
export function siteAsked(ctx: RouteContext): SiteOfAccount {
  return { accountId: sessionOf(ctx).account.id, siteId: paramOf(ctx, 'siteId') };
}

/** The run's number as it stands in an address: `12`; null for anything else. */
export function parseNumber(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}

interface LoadDeps {
  readonly sites: Pick<Sites, 'getOwn'>;
}

/** The same, loaded: once for a request. @throws SignInNeeded; ServiceError site_not_found, for another account's site too */
export async function ownSite(ctx: RouteContext, { sites }: LoadDeps): Promise<OwnSite> {
  return sites.getOwn(siteAsked(ctx));
}

/** The run that the address names, and its site. @throws as {@link ownSite}; ServiceError run_not_found */
export async function ownRun(
  ctx: RouteContext,
  deps: LoadDeps,
): Promise<{ readonly site: OwnSite; readonly number: number }> {
  const asked = siteAsked(ctx);
  const number = parseNumber(paramOf(ctx, 'number'));
  if (number === null) throw new ServiceError('run_not_found');
  return { site: await deps.sites.getOwn(asked), number };
}
