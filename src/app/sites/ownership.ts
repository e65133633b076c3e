import { timeAfter } from '../../platform/clock.js';
import { InputError } from '../../platform/errors.js';
import type { Context } from '../context.js';
import { consume, limitOf } from '../limits/limits.js';
import { type BulkOutcome, changeEach } from './bulk-change.js';
import { refuseExcluded } from './excluded-hosts.js';
import {
  lookForProof,
  type OwnershipAttempt,
  type OwnershipInstructions,
  type ProofMethod,
  readInstructions,
} from './proof.js';
import { findOwnSites, type OwnSite, type Site, type SitesOfAccount } from './site.js';
import { type OnVerified, verifySite } from './sites.js';

/** Number of concurrent checks, and the time limit for all sites, because a browser waits for the response. */
const CHECKED_AT_ONCE = 8;
const CHECK_MS = 20_000;

const NOT_FOUND = 'No proof found. To see what we found instead, open a site and check it there.';
const NO_TIME = 'We ran out of time. Check again.';

export interface OwnershipReport {
  /** The site after the check. A verified site stays verified even if no proof was found. */
  readonly site: Site;
  /** The proof that was found; null if there was none. */
  readonly provedBy: ProofMethod | null;
  /** One per kind of proof. The site is visited only if DNS has no proof. */
  readonly attempts: readonly OwnershipAttempt[];
}

export interface OwnershipContext extends Pick<Context, 'db' | 'clock' | 'openVisit' | 'resolveTxt'> {
  /** Called when a user verifies a site that has no runs. */
  readonly onFirstVerification?: OnVerified;
}

export function createOwnership(context: OwnershipContext) {
  const { resolveTxt, openVisit, db, clock, onFirstVerification } = context;

  /** @throws InputError if the site was removed */
  const instructions = (site: Site): Promise<OwnershipInstructions> => readInstructions(db, site);

  /** Looks for a proof without changing the site. Never rejects because of the site. @param beforeVisit may reject to prevent the visit */
  const checkProof = async (site: Site, beforeVisit?: () => Promise<unknown>): Promise<readonly OwnershipAttempt[]> => {
    const target = { origin: new URL(site.origin), isOwnershipVerified: false };
    return lookForProof(await instructions(site), resolveTxt, async () => {
      await beforeVisit?.();
      return openVisit(target);
    });
  };

  /**
   * Looks for a proof and verifies the site if there is one. Never rejects because of the site. The operator has no limits.
   * @throws InputError if the site was removed; RateLimitError if the account has used up its checks, or its visits, for this hour
   */
  const verify = async (site: Site, by: 'owner' | 'operator' = 'owner'): Promise<OwnershipReport> => {
    const { id, accountId } = site;
    await refuseExcluded(db, new URL(site.origin));
    if (by !== 'operator') await consume(db, [limitOf('ownership-lookups', accountId)], clock.now());
    // Visits have a lower limit, because the server may be someone else's.
    const countVisit = () => consume(db, [limitOf('ownership-check', accountId)], clock.now());
    const attempts = await checkProof(site, by === 'operator' ? undefined : countVisit);
    const provedBy = attempts.find(({ isProof }) => isProof)?.method ?? null;
    if (provedBy === null) return { site, provedBy, attempts };
    const onFirst = by === 'operator' ? undefined : onFirstVerification;
    const verified = await db.transaction((tx) => verifySite(tx, id, provedBy, clock.now(), onFirst));
    return { site: verified, provedBy, attempts };
  };

  const verifyMany = async (request: SitesOfAccount): Promise<BulkOutcome> => {
    const deadline = timeAfter(clock.now(), CHECK_MS);
    const own = await findOwnSites(db, request);
    // In random order, so that the next call reaches the sites for which there was no time.
    const ranked = own.map((site) => ({ site, rank: Math.random() })).sort((one, other) => one.rank - other.rank);
    const shuffled = ranked.map(({ site }) => site);
    const check = async (site: OwnSite): Promise<boolean> => {
      if (site.verifiedAt !== null && site.missingProof === null) return false;
      if (clock.now() > deadline) throw new InputError(NO_TIME);
      if ((await verify(site)).provedBy === null) throw new InputError(NOT_FOUND);
      return true;
    };
    return changeEach(shuffled, check, CHECKED_AT_ONCE);
  };

  return { checkProof, verify, verifyMany, instructions };
}

export type Ownership = ReturnType<typeof createOwnership>;
