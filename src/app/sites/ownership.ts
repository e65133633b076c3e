import type { Context } from '../context.js';
import { limitOf } from '../limits/caps.js';
import { consume } from '../limits/limits.js';
import { refuseExcluded } from './excluded-hosts.js';
import type { BulkOutcome } from './bulk-change.js';
import type { OwnSite, SitesOfAccount } from './own-site.js';
import {
  domainOfSite,
  instructionsFor,
  type OwnershipAttempt,
  type OwnershipInstructions,
  type OwnershipWay,
  readOwnershipTokens,
  tryAllWays,
} from './proof.js';
import type { Site } from './site.js';
import { noSuchSite, type Sites } from './sites.js';
import { type VerifyContext, verifySites } from './verify-sites.js';

export interface OwnershipReport {
  /** The site after the check. A verified site stays verified, whatever the check finds. */
  readonly site: Site;
  /** The way that proved ownership in this check; null if none did. */
  readonly provedBy: OwnershipWay | null;
  /** One for each way that the site has. */
  readonly attempts: readonly OwnershipAttempt[];
}

export interface OwnershipContext extends Omit<VerifyContext, 'verify'>, Pick<Context, 'clock' | 'openVisit'> {
  readonly sites: Pick<Sites, 'get' | 'markVerified'>;
}

/** Methods take the user's own site or, from the operator, a site id. They reject with an InputError if the site does not exist. */
export function createOwnership(context: OwnershipContext) {
  const { sites, resolveTxt, openVisit, db, clock, onFirstProof } = context;
  const find = async (site: string | OwnSite): Promise<Site> => (typeof site === 'string' ? sites.get(site) : site);

  /** Returns instructions for several sites of an account, by site id. */
  const instructionsOfMany = async (
    accountId: string,
    some: readonly Site[],
  ): Promise<ReadonlyMap<string, OwnershipInstructions>> => {
    const hosts = some.flatMap((site) => [site.hostname, domainOfSite(site) ?? []].flat());
    const tokens = await readOwnershipTokens(db, accountId, hosts);
    const byId = new Map<string, OwnershipInstructions>();
    for (const site of some) {
      const instructions = instructionsFor(site, tokens);
      if (instructions) byId.set(site.id, instructions);
    }
    return byId;
  };

  const instructionsOf = async (site: Site): Promise<OwnershipInstructions> => {
    const instructions = (await instructionsOfMany(site.accountId, [site])).get(site.id);
    if (!instructions) throw noSuchSite();
    return instructions;
  };

  /** Looks in all places and changes nothing. Never rejects because of the site. */
  const checkProof = async (site: Site): Promise<readonly OwnershipAttempt[]> => {
    const instructions = await instructionsOf(site);
    const { visit, close } = await openVisit({ origin: new URL(site.origin), isOwnershipVerified: false });
    try {
      return await tryAllWays(instructions, visit, resolveTxt);
    } finally {
      await close();
    }
  };

  /**
   * Looks for the token in all places at once. Never rejects because of the site.
   * @param isOfMany true if many sites are checked at once
   * @throws TooSoonError if the account has used up its checks of this hour
   */
  const verify = async (which: string | OwnSite, isOfMany = false): Promise<OwnershipReport> => {
    const isOwnerRequest = typeof which !== 'string';
    const site = await find(which);
    await refuseExcluded(db, new URL(site.origin));
    if (isOwnerRequest) {
      const limits = [limitOf('ownership-check', site.accountId)];
      if (isOfMany) limits.push(limitOf('ownership-checks', site.accountId));
      await consume(db, limits, clock.now());
    }
    const attempts = await checkProof(site);
    const provedBy = attempts.find(({ isProof }) => isProof)?.way ?? null;
    if (provedBy === null) return { site, provedBy, attempts };
    const verified = await sites.markVerified(site.id, provedBy, isOwnerRequest ? onFirstProof : undefined);
    return { site: verified, provedBy, attempts };
  };

  const instructions = async (which: string | OwnSite): Promise<OwnershipInstructions> =>
    instructionsOf(await find(which));
  const verifyMany = (asked: SitesOfAccount): Promise<BulkOutcome> => verifySites({ ...context, verify }, asked);
  return { checkProof, instructions, instructionsOfMany, verify, verifyMany };
}

export type Ownership = ReturnType<typeof createOwnership>;
