import { DAY_MS, isoTimeAfter } from '../../platform/clock.js';
import { parseId, requireFound } from '../../platform/ids.js';
import { InputError } from '../../platform/errors.js';
import type { Tx } from '../../store/database.js';
import { findAccount } from '../accounts/accounts.js';
import type { Plan } from '../accounts/plan.js';
import { recordEvent } from '../audit/audit.js';
import { consume, limitOf } from '../limits/limits.js';
import { addLines, type ListLine, parseLine, parseSiteList, type SitesContext, sitesMaxOf } from './add-sites.js';
import { refuseExcluded } from './excluded-hosts.js';
import {
  findOwnSite,
  listSites,
  lockSiteAgainstChanges,
  NOT_MISSING,
  type OwnSite,
  readSite,
  type Site,
  type SiteOfAccount,
  siteTable,
  type VerifiedBy,
} from './site.js';
import { RECHECK_AFTER_DAYS } from './proof.js';

/** Called in the transaction that verifies a site. */
export type OnVerified = (tx: Tx, site: Site, now: Date) => Promise<void>;

/** Methods reject with an InputError for invalid input. */
export function createSites(context: SitesContext) {
  const { db, clock } = context;
  return {
    sitesMaxOf: (plan: Plan): number => sitesMaxOf(context, plan),
    /** Adds a site, unless the account has reached its limit. @param site host name, origin, or URL of a page */
    async add({ accountId, site }: { readonly accountId: string; readonly site: string }): Promise<Site> {
      const [line] = await addLines(context, accountId, [parseLine(1, site)]);
      const added = line?.siteId && (await readSite(db, line.siteId));
      if (!added) throw new InputError(line?.why ?? 'The account already has this site. Find it in the list of sites.');
      return added;
    },
    /** Adds the sites of a list that can be added. @throws InputError for a list that is empty or too long */
    addList: async (accountId: string, text: string): Promise<readonly ListLine[]> =>
      addLines(context, accountId, parseSiteList(text)),
    /** Counts a list against the hourly limit, because a list needs many DNS lookups. @throws RateLimitError */
    async consumeList(accountId: string): Promise<void> {
      await consume(db, [limitOf('site-list', accountId)], clock.now());
    },
    async get(siteId: string): Promise<Site> {
      return requireFound('site', await readSite(db, parseId('site', siteId)));
    },
    /** @throws ServiceError site_not_found, also for another account's site */
    getOwn: (request: SiteOfAccount): Promise<OwnSite> => findOwnSite(db, request),
    async list(accountId: string): Promise<Site[]> {
      return listSites(db, (await findAccount(db, accountId)).id);
    },
    async markVerified(siteId: string, by: VerifiedBy): Promise<Site> {
      const id = parseId('site', siteId);
      return db.transaction((tx) => verifySite(tx, id, by, clock.now()));
    },
  };
}

/**
 * Verifies a site. A proof does not replace verification by the operator. Records an event unless the site was already verified in the same
 * way.
 * @param onFirst called if the site was not verified and has no runs
 * @throws InputError for a site that was removed or is excluded
 */
export async function verifySite(
  tx: Tx,
  id: string,
  verifiedBy: VerifiedBy,
  now: Date,
  onFirst?: OnVerified,
): Promise<Site> {
  const before = requireFound('site', await lockSiteAgainstChanges(tx, id));
  if (before.verifiedBy === 'operator' && verifiedBy !== 'operator') return before;
  await refuseExcluded(tx, new URL(before.origin));
  const verifiedAt = now.toISOString();
  const verified = { ...NOT_MISSING, verified_at: verifiedAt, verified_by: verifiedBy, ownership_lost_at: null };
  const proof_due_at = verifiedBy === 'operator' ? null : isoTimeAfter(now, RECHECK_AFTER_DAYS * DAY_MS);
  await tx.run(siteTable.update({ id }, { ...verified, proof_due_at }));
  const site: Site = { ...before, verifiedAt, verifiedBy, ownershipLostAt: null, missingProof: null };
  if (before.verifiedBy !== verifiedBy) {
    const event = verifiedBy === 'operator' ? 'ownership_forced' : 'site_verified';
    await recordEvent(tx, { accountId: site.accountId, event, subject: site.hostname, now });
  }
  if (onFirst && before.latestNumber === 0 && before.verifiedAt === null) await onFirst(tx, site, now);
  return site;
}
