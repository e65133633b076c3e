import { ServiceError } from '../../../platform/errors.js';
import type { FailureKind } from '../../../scanner/verdict/finding.js';
import type { OwnSite } from '../own-site.js';
import type { SiteOfAccount } from '../site.js';
import type { Sites } from '../sites.js';
import { paramOf, type RouteContext } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';

/** The addresses of a site's pages. */
export const addressOf = {
  site: (siteId: string) => `/sites/${siteId}`,
  verify: (siteId: string) => `/sites/${siteId}/verify`,
  remove: (siteId: string) => `/sites/${siteId}/remove`,
  automation: (siteId: string) => `/sites/${siteId}/automation`,
  schedule: (siteId: string) => `/sites/${siteId}/automation/schedule`,
  hook: (siteId: string) => `/sites/${siteId}/automation/hook`,
  removeHook: (siteId: string) => `/sites/${siteId}/automation/hook/remove`,
  badge: (siteId: string) => `/sites/${siteId}/automation/badge`,
  removeBadge: (siteId: string) => `/sites/${siteId}/automation/badge/remove`,
  progress: (siteId: string) => `/sites/${siteId}/progress`,
  runs: (siteId: string) => `/sites/${siteId}/runs`,
  run: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}`,
  runForAgents: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}/agent`,
  evidence: (siteId: string, number: number, checkId: string) => `${addressOf.run(siteId, number)}/evidence/${checkId}`,
  evidenceFile: (siteId: string, number: number) => `${addressOf.run(siteId, number)}/evidence.warc.gz`,
  recheck: (siteId: string, checkId: string) => `/sites/${siteId}/checks/${checkId}`,
  accept: (siteId: string, failure: FailureKind) => `/sites/${siteId}/accepted/${failure.checkId}/${failure.errorType}`,
  removeAccepted: (siteId: string, failure: FailureKind) => `${addressOf.accept(siteId, failure)}/remove`,
  compare: (siteId: string) => `/sites/${siteId}/compare`,
  comparison: (siteId: string, from: number, to: number) => `/sites/${siteId}/compare?from=${from}&to=${to}`,
};

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
