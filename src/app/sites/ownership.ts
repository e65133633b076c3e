import { inParallel, yieldToEventLoop } from '../../platform/concurrency.js';
import { InputError } from '../../platform/input-error.js';
import { type Deadline, startDeadline, type StartTimer } from '../../platform/timer.js';
import type { Context } from '../context.js';
import { consume, limitOf } from '../limits/limits.js';
import { BulkChange, type BulkOutcome } from './bulk-change.js';
import { refuseExcluded } from './excluded-hosts.js';
import { findOwnSites, type OwnSite, type Site, type SitesOfAccount } from './site.js';
import {
  domainOfSite,
  domainRecord,
  findRecord,
  instructionsFor,
  lookForProof,
  type OwnershipAttempt,
  type OwnershipInstructions,
  type ProofMethod,
  readOwnershipTokens,
} from './proof.js';
import { noSuchSite, type OnVerified, type Sites } from './sites.js';

/** Concurrent visits, concurrent DNS lookups, and the time limit for many sites, since a browser waits for the response. */
const VISITED_AT_ONCE = 8;
const DOMAINS_AT_ONCE = 16;
const CHECK_MS = 20_000;

const NOT_FOUND = 'No proof was found. Check it on its own page to see what we found instead.';
const NO_TIME = 'There was no time left to look. Check again.';

export interface OwnershipReport {
  /** The site after the check. A verified site stays verified, whatever the check finds. */
  readonly site: Site;
  /** The proof that was found; null if there was none. */
  readonly provedBy: ProofMethod | null;
  /** One for each kind of proof that was looked for: those on the site only if DNS had none. */
  readonly attempts: readonly OwnershipAttempt[];
}

export interface OwnershipContext extends Pick<Context, 'db' | 'clock' | 'openVisit' | 'resolveTxt'> {
  readonly sites: Pick<Sites, 'get' | 'markVerified'>;
  /** Called when a user verifies a site that has no runs. */
  readonly onFirstProof?: OnVerified;
  /** Replaced by tests. */
  readonly startTimer?: StartTimer;
  /** Replaced by tests. */
  readonly random?: () => number;
}

/** Methods take the user's own site or, from the operator, a site id. They reject with an InputError if the site does not exist. */
export function createOwnership(context: OwnershipContext) {
  const { sites, resolveTxt, openVisit, db, clock, onFirstProof } = context;
  const find = async (site: string | OwnSite): Promise<Site> => (typeof site === 'string' ? sites.get(site) : site);

  const instructionsOf = async (site: Site): Promise<OwnershipInstructions> => {
    const hosts = [site.hostname, domainOfSite(site) ?? []].flat();
    const instructions = instructionsFor(site, await readOwnershipTokens(db, site.accountId, hosts));
    if (!instructions) throw noSuchSite();
    return instructions;
  };

  /** Looks for a proof and changes nothing. Never rejects because of the site. */
  const checkProof = async (site: Site): Promise<readonly OwnershipAttempt[]> => {
    const target = { origin: new URL(site.origin), isOwnershipVerified: false };
    return lookForProof(await instructionsOf(site), resolveTxt, () => openVisit(target));
  };

  /**
   * Looks for a proof and verifies the site if there is one. Never rejects because of the site.
   * @param isOfMany true if many sites are checked at once
   * @throws RateLimitError if the account has used up its checks of this hour
   */
  const verify = async (which: string | OwnSite, isOfMany = false): Promise<OwnershipReport> => {
    const isOwnerRequest = typeof which !== 'string';
    const site = await find(which);
    await refuseExcluded(db, new URL(site.origin));
    const limits = [limitOf('ownership-check', site.accountId)];
    if (isOfMany) limits.push(limitOf('ownership-checks', site.accountId));
    const refund = isOwnerRequest ? await consume(db, limits, clock.now()) : null;
    const attempts = await checkProof(site);
    const provedBy = attempts.find(({ isProof }) => isProof)?.method ?? null;
    if (provedBy === null) return { site, provedBy, attempts };
    // A proof in DNS is found without a request to the site, whose address may be another party's server.
    if (provedBy === 'dns' || provedBy === 'domain') await refund?.();
    const verified = await sites.markVerified(site.id, provedBy, isOwnerRequest ? onFirstProof : undefined);
    return { site: verified, provedBy, attempts };
  };

  return {
    checkProof,
    verify,
    instructions: async (which: string | OwnSite): Promise<OwnershipInstructions> => instructionsOf(await find(which)),
    verifyMany: (request: SitesOfAccount): Promise<BulkOutcome> => verifyMany(context, request, verify),
  };
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Verifies many sites: first by records that cover whole domains, one lookup each, then by visiting the remaining sites. */
async function verifyMany(
  context: OwnershipContext,
  request: SitesOfAccount,
  verify: (site: OwnSite, isOfMany: true) => Promise<OwnershipReport>,
): Promise<BulkOutcome> {
  const { db, sites, onFirstProof, random = Math.random, startTimer } = context;
  const change = new BulkChange();
  const open: OwnSite[] = [];
  for (const site of await findOwnSites(db, request)) {
    if (site.verifiedAt !== null && site.missingProof === null) change.unchanged.push(site.hostname);
    else open.push(site);
  }
  const deadline = startDeadline(CHECK_MS, startTimer);
  const domains = await findCoveredDomains(context, request.accountId, open, deadline);
  const isCovered = (site: OwnSite): boolean => domains.has(domainOfSite(site));
  for (const { id, hostname } of open.filter(isCovered)) {
    await change.add(hostname, async () => {
      await sites.markVerified(id, 'domain', onFirstProof);
      return true;
    });
    await yieldToEventLoop();
  }
  const uncovered = open.filter((site) => !isCovered(site));
  // Starts at a random site, so that retries reach those for which there was no time.
  const start = Math.floor(random() * uncovered.length);
  await inParallel([...uncovered.slice(start), ...uncovered.slice(0, start)], VISITED_AT_ONCE, async (site) => {
    if (deadline.isOver()) change.stop(NO_TIME);
    await change.add(site.hostname, async () => {
      if ((await verify(site, true)).provedBy === null) throw new InputError(NOT_FOUND);
      return true;
    });
  });
  deadline.cancel();
  return change;
}

/** Looks up one record for each domain of the sites. @returns the domains whose record covers every subdomain */
async function findCoveredDomains(
  { db, resolveTxt }: OwnershipContext,
  accountId: string,
  sites: readonly OwnSite[],
  deadline: Deadline,
): Promise<ReadonlySet<string | null>> {
  const covered = new Set<string>();
  const tokens = await readOwnershipTokens(
    db,
    accountId,
    sites.flatMap((site) => domainOfSite(site) ?? []),
  );
  const lookingUp = inParallel([...tokens], DOMAINS_AT_ONCE, async ([domain, token]) => {
    if (!deadline.isOver() && (await findRecord(domainRecord(domain, token), resolveTxt)) === 'record')
      covered.add(domain);
  });
  await Promise.race([lookingUp, deadline.over]);
  return new Set(covered);
}
