import type { Clock } from '../../platform/clock.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { parseSiteInput, refusalOf } from './site-input.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { UniqueViolation } from '../../store/errors.js';
import { addSites, createSitesMaxOf, newOwnershipToken, newSite, siteAdded } from './add-sites.js';
import { insertOwnershipTokens, selectOwnershipToken, selectOwnershipTokens } from './ownership-token-statements.js';
import { countSites, selectSite, type SiteRow, updateVerified, type VerifiedBy } from './site-statements.js';
import { refuseExcluded } from './excluded-hosts.js';
import { findOwnSite, type OwnSite } from './own-site.js';
import { listSites, lockSite, type Site, type SiteOfAccount, siteOf } from './site.js';
import { one, type Transaction } from '../../store/transaction.js';
import { type OnVerified, type ProvedSites, verifyInPieces } from './verify-sites.js';
import { type AuditEventName, recordEvent } from '../audit/audit.js';
import { findAccount, parseAccountId } from '../accounts/accounts.js';

export interface SitesDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether the guard lets an account add a site of this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  /** How many sites each account may have, whatever its plan; null or left out: as many as its plan says. */
  readonly sitesMaxOverride?: number | null;
}

/** Every method rejects with an InputError for what it cannot take; those for an account's holder answer a foreign site as an absent one. */
export function createSites({ db, clock, vetSite, sitesMaxOverride }: SitesDeps) {
  /** How many sites an account on this plan may have. */
  const sitesMaxOf = createSitesMaxOf(sitesMaxOverride);
  return {
    sitesMaxOf,
    /**
     * Not where the account has as many sites as it may have; those that it has stay, however many they are.
     * @param input.site a host name, or an origin with scheme and port
     */
    async add({ accountId, site: given }: { readonly accountId: string; readonly site: string }): Promise<Site> {
      const account_id = parseAccountId(accountId);
      const { origin, hostname } = parseSiteInput(given);
      // One answer for every refused target, so that it does not tell which addresses are behind a name.
      if (!(await vetSite(origin))) throw new InputError(refusalOf(origin));
      const now = clock.now();
      const site = newSite(origin.origin, hostname);
      const [obstacle] = await db
        .transaction(() => addSites({ accountId: account_id, sitesMaxOf }, [site], now))
        .catch((error: unknown) => {
          throw error instanceof UniqueViolation ? siteAdded() : error;
        });
      if (obstacle) throw obstacle.error;
      const { id } = site;
      const row = { id, account_id, origin: origin.origin, hostname, created_at: now.toISOString() };
      return siteOf({ ...row, ...NEVER_VERIFIED });
    },
    async get(siteId: string): Promise<Site> {
      return foundSite(await runOne(db, selectSite({ id: parseSiteId(siteId) })));
    },
    /** @throws ServiceError site_not_found, for another account's site too */
    getOwn: (request: SiteOfAccount): Promise<OwnSite> => findOwnSite(db, request),
    async list(accountId: string): Promise<Site[]> {
      return listSites(db, (await findAccount(db, accountId)).id);
    },
    async count(accountId: string): Promise<number> {
      return (await runOne(db, countSites({ account_id: accountId })))?.count ?? 0;
    },
    /** @throws InputError where the host's owner asked not to be scanned */
    assertNotExcluded: ({ origin }: Pick<Site, 'origin'>): Promise<void> =>
      runApart(db, refuseExcluded(new URL(origin))),
    /** The text that proves ownership when it is published; the same for every site of the account on this host. */
    async ownershipToken({ accountId, hostname }: Site): Promise<string> {
      const row = await runOne(db, selectOwnershipToken({ account_id: accountId, host: hostname }));
      if (!row) throw noSuchSite();
      return row.token;
    },
    /** All of an account by host, with those of whole domains. */
    async ownershipTokens(accountId: string): Promise<ReadonlyMap<string, string>> {
      const rows = await db.run(selectOwnershipTokens({ account_id: accountId }));
      return new Map(rows.map(({ host, token }) => [host, token]));
    },
    /** The token of a whole domain; null where nobody has asked for it. */
    async domainToken(accountId: string, domain: string): Promise<string | null> {
      return (await runOne(db, selectOwnershipToken({ account_id: accountId, host: domain })))?.token ?? null;
    },
    /** The same, made where there is none. */
    async newDomainToken(accountId: string, domain: string): Promise<string> {
      const tokens = JSON.stringify([{ host: domain, token: newOwnershipToken() }]);
      await db.run(insertOwnershipTokens({ account_id: accountId, tokens }));
      const row = await runOne(db, selectOwnershipToken({ account_id: accountId, host: domain }));
      if (!row) throw noSuchSite();
      return row.token;
    },
    /**
     * A proof does not take the place of the operator's word, which is never asked for again.
     * @param onFirst acts in the same transaction where the site was not verified and has no run
     */
    async markVerified(siteId: string, by: VerifiedBy, onFirst?: OnVerified): Promise<Site> {
      const id = parseSiteId(siteId);
      return foundSite(await db.transaction(() => verifySite(id, by, clock.now(), onFirst)));
    },
    /** The same of many sites by one proof, some to a transaction. @returns as {@link verifyInPieces} */
    markAllVerified: (proved: ProvedSites, onFirst?: OnVerified): Promise<ReadonlySet<string>> =>
      verifyInPieces(db, clock, proved, onFirst),
  };
}

export type Sites = ReturnType<typeof createSites>;

const NEVER_VERIFIED = {
  ...{ verified_at: null, verified_by: null, ownership_lost_at: null, unread_since: null, unread_days: null },
  ...{ unread_gone_days: null, unread_is_gone: null, unread_is_absent: null, tags: null, mail_muted_at: null },
};

/** A proof that is there as before is not an event. */
function* verifySite(
  id: string,
  verified_by: VerifiedBy,
  now: Date,
  onFirst?: OnVerified,
): Transaction<SiteRow | undefined> {
  const latestNumber = yield* lockSite(id);
  const before = yield* one(selectSite({ id }));
  if (before?.verified_by === 'operator' && verified_by !== 'operator') return before;
  if (before) yield* refuseExcluded(new URL(before.origin));
  const site = yield* one(updateVerified({ id, verified_at: now.toISOString(), verified_by }));
  const event = verified_by === 'operator' ? 'ownership_forced' : 'site_verified';
  if (site && before?.verified_by !== verified_by) yield* recordSite(site, event, now);
  if (site && onFirst && latestNumber === 0 && before?.verified_at === null) yield* onFirst(siteOf(site), now);
  return site;
}

function recordSite({ account_id, hostname }: SiteRow, event: AuditEventName, now: Date): Transaction<void> {
  return recordEvent({ accountId: account_id, event, subject: hostname, now });
}

/** @throws InputError when it is not a site id, without a query */
export function parseSiteId(text: string): string {
  if (!isId('site', text)) throw noSuchSite();
  return text;
}

function foundSite(row: SiteRow | undefined): Site {
  if (!row) throw noSuchSite();
  return siteOf(row);
}

export function noSuchSite(): InputError {
  return new InputError('There is no such site. Take its id (site_ and 20 characters) from the list of sites.');
}
