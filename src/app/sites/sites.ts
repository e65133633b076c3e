import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import { countOf } from '../../platform/counts.js';
import { isId, newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { REFUSED_TARGET } from '../../net/refusal.js';
import { hostOf, parseSiteInput } from './site-input.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { UniqueViolation } from '../../store/errors.js';
import { insertOwnershipToken, selectOwnershipToken } from './ownership-token-statements.js';
import {
  insertSite,
  selectSite,
  selectSitesOfHost,
  type SiteRow,
  updateVerified,
  type VerifiedBy,
} from './site-statements.js';
import { refuseExcluded } from './excluded-hosts.js';
import { findOwnSite, type OwnSite } from './own-site.js';
import { listSites, lockSite, type Site, type SiteOfAccount, siteOf } from './site.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { takeOverRuns } from '../limits/daily-runs.js';
import { type AuditEventName, recordEvent } from '../audit/audit.js';
import { findAccount, holdAccount, parseAccountId } from '../accounts/accounts.js';
import { type Plan, PLANS } from '../accounts/plan.js';

export interface SitesDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether the guard lets an account add a site of this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  /** How many sites each account may have, whatever its plan; null or left out: as many as its plan says. */
  readonly sitesMaxOverride?: number | null;
}

/** What later features make of a site that is verified, in the transaction that writes so. */
export type OnVerified = (site: Site, now: Date) => Transaction<void>;

/** Every method rejects with an InputError for what it cannot take; those for an account's holder answer a foreign site as an absent one. */
export function createSites({ db, clock, vetSite, sitesMaxOverride }: SitesDeps) {
  /** How many sites an account on this plan may have. */
  const sitesMaxOf = (plan: Plan): number => sitesMaxOverride ?? PLANS[plan].sitesMax;
  return {
    sitesMaxOf,
    /**
     * Not where the account has as many sites as it may have; those that it has stay, however many they are.
     * @param input.site a host name, or an origin with scheme and port
     */
    async add({ accountId, site }: { readonly accountId: string; readonly site: string }): Promise<Site> {
      const account_id = parseAccountId(accountId);
      const { origin, hostname } = parseSiteInput(site);
      // One answer for every refused target, so that it does not tell which addresses are behind a name.
      if (!(await vetSite(origin))) {
        throw new InputError(REFUSED_TARGET);
      }
      const row = {
        id: newId('site'),
        account_id,
        origin: origin.origin,
        hostname,
        created_at: clock.now().toISOString(),
      };
      await db
        .transaction(() => addSite(row, sitesMaxOf, clock.now()))
        .catch((error: unknown) => {
          throw error instanceof UniqueViolation ? siteAdded() : error;
        });
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
    /** @throws InputError where the host's owner asked not to be scanned */
    assertNotExcluded: ({ origin }: Pick<Site, 'origin'>): Promise<void> =>
      runApart(db, refuseExcluded(new URL(origin))),
    /** The text that proves ownership when it is published; the same for every site of the account on this host. */
    async ownershipToken({ accountId, hostname }: Site): Promise<string> {
      const row = await runOne(db, selectOwnershipToken({ account_id: accountId, host: hostname }));
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
  };
}

export type Sites = ReturnType<typeof createSites>;

const NEVER_VERIFIED = {
  ...{ verified_at: null, verified_by: null, ownership_lost_at: null, unread_since: null, unread_days: null },
  ...{ unread_gone_days: null, unread_is_gone: null, unread_is_absent: null },
};

function* addSite(
  row: Omit<SiteRow, keyof typeof NEVER_VERIFIED>,
  sitesMaxOf: (plan: Plan) => number,
  now: Date,
): Transaction<void> {
  const { account_id, origin, hostname } = row;
  yield* refuseExcluded(new URL(origin));
  const host = hostOf(hostname);
  // Locked, so that nobody adds the host by the other scheme meanwhile: two are two rows, which no index keeps apart.
  const { plan } = yield* holdAccount(account_id);
  for (const { origin: other, is_deleting } of yield* all(selectSitesOfHost({ account_id, host }))) {
    if (is_deleting === 0) throw other === origin ? siteAdded() : hostAdded(other);
    if (other === origin) throw siteGoing();
  }
  const sites_max = sitesMaxOf(plan);
  if (!(yield* one(insertSite({ ...row, sites_max })))) throw tooManySites(plan, sites_max);
  yield* takeOverRuns(row.id, account_id, host);
  yield* execute(insertOwnershipToken({ account_id, host: hostname, token: newOwnershipToken() }));
  yield* recordEvent({ accountId: account_id, event: 'site_added', subject: hostname, now });
}

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

/** 192 bits; `agent-readiness-` tells people who find it in a zone or on a page what it is for. */
function newOwnershipToken(): string {
  return `agent-readiness-${randomBytes(24).toString('hex')}`;
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

function siteAdded(): InputError {
  return new InputError('The account has this site already. Its id is in the list of sites.');
}

function hostAdded(origin: string): InputError {
  return new InputError(
    `The account has this host already, as ${origin}. http and https of one host and port are one site: to change over, remove that one first.`,
  );
}

function tooManySites(plan: Plan, sitesMax: number): InputError {
  return new InputError(
    `An account on the plan ${plan} may have ${countOf(sitesMax, 'site')}. Remove one first, or ask the operator of this service for more.`,
  );
}

function siteGoing(): InputError {
  return new InputError('This site was removed, and its runs are still being erased. Add it again in a few minutes.');
}
