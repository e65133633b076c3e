import type { Database } from '../../store/database.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { keepRuns } from '../limits/daily-runs.js';
import { hostOf } from './site-input.js';
import {
  lockLatestNumber,
  lockSiteAlone,
  lockSitesAmong,
  markSiteDeleting,
  type NumberedSiteRow,
  selectLatestNumber,
  selectSite,
  selectSitesAmong,
  selectSitesOfAccount,
  selectSiteToAdmit,
  type SiteRow,
  takeRunNumber,
  type VerifiedBy,
  selectSiteIds,
} from './site-statements.js';
import { tagsOf } from './tags.js';
import { type UnreadProof, unreadProofOfSite } from './unread-proof.js';

export interface Site {
  readonly id: string;
  readonly accountId: string;
  /** Where its runs start, without a path: `https://example.com`. */
  readonly origin: string;
  /** The origin's host, with its port where that is not the scheme's own. */
  readonly hostname: string;
  /** ISO 8601, UTC; null while the ownership of the domain is not verified. */
  readonly verifiedAt: string | null;
  readonly verifiedBy: VerifiedBy | null;
  /** Since when it is no longer verified; null while it is, and where it never was. */
  readonly ownershipLostAt: string | null;
  /** What is known where the proof of a verified site was last looked for and not found; null where it was found. */
  readonly unreadProof: UnreadProof | null;
  readonly createdAt: string;
  /** The owner's own words for it, and nobody else's to see. */
  readonly tags: readonly string[];
  /** Since when alerts of it are not sent by e-mail; null: they are, where the account has them. ISO 8601, UTC. */
  readonly mailMutedAt: string | null;
}

/** A site with the number of its latest run, 0 before the first. */
export interface NumberedSite extends Site {
  readonly latestNumber: number;
}

/** Which site, and for which account: the caller's. */
export interface SiteOfAccount {
  readonly accountId: string;
  readonly siteId: string;
}

export function siteOf(row: SiteRow): Site {
  return {
    id: row.id,
    accountId: row.account_id,
    origin: row.origin,
    hostname: row.hostname,
    verifiedAt: row.verified_at,
    verifiedBy: row.verified_by,
    ownershipLostAt: row.ownership_lost_at,
    unreadProof: unreadProofOfSite(row),
    createdAt: row.created_at,
    tags: tagsOf(row.tags),
    mailMutedAt: row.mail_muted_at,
  };
}

/** In the order in which they were added. */
export async function listSites(db: Database, accountId: string): Promise<Site[]> {
  return (await db.run(selectSitesOfAccount({ account_id: accountId }))).map(siteOf);
}

/** @returns undefined for a site that was removed, as do the functions below */
export function* readSite(siteId: string): Transaction<Site | undefined> {
  const row = yield* one(selectSite({ id: siteId }));
  return row && siteOf(row);
}

/** The site cannot be deleted until the transaction ends, so that what is added to it finds it there. */
export function* holdSite(siteId: string): Transaction<NumberedSite | undefined> {
  const row = yield* one(selectSiteToAdmit({ id: siteId }));
  return row && numberedSiteOf(row);
}

/** Those of some sites that are the account's. */
export async function listSitesAmong(
  db: Database,
  account_id: string,
  siteIds: readonly string[],
): Promise<readonly NumberedSite[]> {
  return (await db.run(selectSitesAmong({ account_id, sites: asGiven(siteIds) }))).map(numberedSiteOf);
}

/** The same: nobody changes or removes them until the transaction ends. */
export function* holdSites(account_id: string, siteIds: readonly string[]): Transaction<readonly NumberedSite[]> {
  return (yield* all(lockSitesAmong({ account_id, sites: asGiven(siteIds) }))).map(numberedSiteOf);
}

function asGiven(siteIds: readonly string[]): string {
  return JSON.stringify(siteIds.map((site_id) => ({ site_id })));
}

function numberedSiteOf(row: NumberedSiteRow): NumberedSite {
  return { ...siteOf(row), latestNumber: row.run_counter };
}

/** Locks the site against transactions that take its next number or remove it. @returns the number of its latest run */
export function* lockSite(siteId: string): Transaction<number | undefined> {
  return (yield* one(lockLatestNumber({ id: siteId })))?.run_counter;
}

/** The number of the site's latest run, 0 before the first. */
export function* latestNumberOf(siteId: string): Transaction<number | undefined> {
  return (yield* one(selectLatestNumber({ id: siteId })))?.run_counter;
}

/** A site whose run is finishing. */
export interface FinishingSite extends Pick<Site, 'accountId' | 'hostname' | 'verifiedAt'> {
  /** The run's. */
  readonly number: number;
}

/** Takes the number of the run that is finishing. */
export function* takeNextNumber(siteId: string): Transaction<FinishingSite | undefined> {
  const row = yield* one(takeRunNumber({ id: siteId }));
  if (!row) return undefined;
  const { run_counter: number, account_id: accountId, hostname, verified_at: verifiedAt } = row;
  return { number, accountId, hostname, verifiedAt };
}

/** Marks a site for removal: from here on it is gone for every reader. @returns undefined where it was removed or marked already */
export function* markSite(siteId: string): Transaction<Site | undefined> {
  // A run that is being admitted holds the site: what it takes of the day is kept too.
  yield* execute(lockSiteAlone({ id: siteId }));
  const row = yield* one(markSiteDeleting({ id: siteId }));
  if (!row) return undefined;
  yield* keepRuns(siteId, row.account_id, hostOf(row.hostname));
  return siteOf(row);
}

/** The ids of the account's sites, in no order. */
export function* siteIdsOf(accountId: string): Transaction<readonly string[]> {
  const rows = yield* all(selectSiteIds({ account_id: accountId }));
  return rows.map(({ id }) => id);
}
