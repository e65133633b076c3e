import type { Knex } from 'knex';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import type { ScanTarget } from '../../scanner/client/visit.js';
import type { Platform } from '../../scanner/verdict/fix-parts.js';
import { readPages } from '../../store/batches.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows, type Row, table } from '../../store/query.js';

/** How a site was verified. `domain`: by a DNS record that covers every subdomain. `operator`: by the operator, without proof. */
export type VerifiedBy = 'dns' | 'file' | 'meta' | 'domain' | 'operator';

export type SiteRow = Row<'sites'> & {
  readonly verified_by: VerifiedBy | null;
  readonly platform: Platform | null;
};

export const siteTable = table<'sites', SiteRow>('sites');

export const NOT_MISSING = { proof_missing_since: null, proof_missed_days: 0 } as const;

export const NOT_VERIFIED = { ...NOT_MISSING, verified_at: null, verified_by: null, proof_due_at: null } as const;

/** A missing proof, as the owner sees it. */
export interface MissingProof {
  /** Time of the first check that did not find the proof. ISO 8601, UTC. */
  readonly since: string;
  /** Number of days on which it was missing. Days without any DNS or HTTP answer do not count. */
  readonly days: number;
}

/** The id of a site, and the account that requests it. */
export interface SiteOfAccount {
  readonly accountId: string;
  readonly siteId: string;
}

export interface SitesOfAccount {
  readonly accountId: string;
  readonly siteIds: readonly string[];
}

/** Times are ISO 8601, UTC. For the meaning of null, see the columns of `sites` in tables.ts. */
export type Site = Readonly<ReturnType<typeof toSite>>;

export function toSite(row: SiteRow) {
  const { proof_missing_since: since } = row;
  const missingProof: MissingProof | null = since === null ? null : { since, days: row.proof_missed_days };
  return {
    id: row.id,
    /** The origin's host, with its port if that is not the scheme's default. */
    hostname: row.hostname,
    verifiedAt: row.verified_at,
    ownershipLostAt: row.ownership_lost_at,
    missingProof,
    tags: tagsOf(row),
    /** Number of the latest run, 0 before the first. */
    latestNumber: row.run_counter,
    accountId: row.account_id,
    /** Where runs start, without a path: `https://example.com`. */
    origin: row.origin,
    verifiedBy: row.verified_by,
    createdAt: row.created_at,
    chosenPages: row.chosen_pages === null ? null : (JSON.parse(row.chosen_pages) as readonly string[]),
    platform: row.platform,
  };
}

/** Returns the site's fields in the export of its account. Other features add their own. */
export function describeSite({ accountId, missingProof, chosenPages, latestNumber: runCount, ...site }: Site) {
  const proofNotFound = missingProof && { since: missingProof.since, countedDays: missingProof.days };
  return { ...site, chosenPages: chosenPages ?? [], proofNotFound, runCount };
}

export function tagsOf({ tags }: Pick<SiteRow, 'tags'>): readonly string[] {
  return tags === null ? [] : (JSON.parse(tags) as string[]);
}

/** Returns the target of a scan of a verified site. */
export function toScanTarget({ origin, chosenPages }: Pick<Site, 'origin' | 'chosenPages'>): ScanTarget {
  const pages = chosenPages?.map((path) => new URL(origin + path));
  return { origin: new URL(origin), isOwnershipVerified: true, ...(pages && { pages }) };
}

/** How a statement on PostgreSQL locks the sites that it selects until its transaction ends. */
type Lock = 'forKeyShare' | 'forNoKeyUpdate' | 'forUpdate';

function withLock(rows: Knex.QueryBuilder, lock: Lock | undefined): Knex.QueryBuilder {
  return lock === undefined ? rows : rows[lock]();
}

type ReadInTransaction = (tx: Tx, siteId: string) => Promise<Site | undefined>;

/** Defines a function that reads a site; undefined for a removed one. */
function defineRead(lock?: Lock) {
  const select = defineQuery<SiteRow, { id: string }>((sql, { id }) =>
    withLock(sql('sites').where({ id, is_deleting: 0 }), lock),
  );
  return async (sql: Sql, siteId: string): Promise<Site | undefined> => {
    const row = await sql.one(select({ id: siteId }));
    return row && toSite(row);
  };
}

export const readSite = defineRead();

/** Reads and locks a site, so that it cannot be deleted until the transaction ends. */
export const lockSiteAgainstRemoval: ReadInTransaction = defineRead('forKeyShare');

/** Reads and locks a site, so that it cannot be changed or deleted, nor a run of it stored, until the transaction ends. */
export const lockSiteAgainstChanges: ReadInTransaction = defineRead('forNoKeyUpdate');

/** Reads and locks a site. Also waits for transactions that used {@link lockSiteAgainstRemoval}. */
const lockSiteAgainstReads: ReadInTransaction = defineRead('forUpdate');

declare const isOwnerChecked: unique symbol;

/**
 * A site that belongs to the requesting account. Code that gets one need not check the owner, but must lock the site before it writes,
 * because the site may have been removed: see {@link lockOwnSite}.
 */
export interface OwnSite extends Site {
  readonly [isOwnerChecked]: true;
}

/** @throws ServiceError site_not_found, also for another account's site */
export async function findOwnSite<S extends Sql>(
  sql: S,
  { accountId, siteId }: SiteOfAccount,
  read: (sql: S, siteId: string) => Promise<Site | undefined> = readSite,
): Promise<OwnSite> {
  const site = isId('site', siteId) ? await read(sql, siteId) : undefined;
  if (site?.accountId !== accountId) throw new ServiceError('site_not_found');
  return site as OwnSite;
}

/**
 * Finds and locks the site, so that it cannot be deleted until the transaction ends.
 * @param lock may also lock it against changes
 * @throws ServiceError site_not_found
 */
export function lockOwnSite(tx: Tx, site: SiteOfAccount, lock = lockSiteAgainstRemoval): Promise<OwnSite> {
  return findOwnSite(tx, site, lock);
}

/** Defines a function that reads several sites of an account. Skips unknown ids. */
function defineReadOwn(lock?: Lock) {
  const select = defineQuery<SiteRow, { account_id: string; sites: string }>((sql, { account_id, sites }) => {
    const ids = sql.select('input.site_id').from(jsonRows(sql, sites, ['site_id']));
    return withLock(sql('sites').where({ account_id, is_deleting: 0 }).whereIn('id', ids).orderBy('id'), lock);
  });
  return async (sql: Sql, { accountId: account_id, siteIds }: SitesOfAccount): Promise<readonly OwnSite[]> => {
    const sites = JSON.stringify(siteIds.map((site_id) => ({ site_id })));
    return (await sql.run(select({ account_id, sites }))).map((row) => toSite(row) as OwnSite);
  };
}

export const findOwnSites = defineReadOwn();

/** Finds and locks the sites, so that they cannot be changed or removed until the transaction ends. */
export const lockOwnSites: (tx: Tx, request: SitesOfAccount) => Promise<readonly OwnSite[]> =
  defineReadOwn('forNoKeyUpdate');

const selectSitesOfAccount = defineQuery<SiteRow, { account_id: string }>((sql, { account_id }) =>
  sql('sites').where({ account_id, is_deleting: 0 }).orderBy(['created_at', 'id']),
);

/** Lists the account's sites, oldest first. */
export async function listSites(db: Database, accountId: string): Promise<Site[]> {
  return (await db.run(selectSitesOfAccount({ account_id: accountId }))).map(toSite);
}

const SITES_AT_ONCE = 200;

const selectSitesAfter = defineQuery<SiteRow, { account_id: string; after_time: string; after_id: string }>(
  (sql, { account_id, after_time, after_id }) =>
    sql('sites')
      .where({ account_id, is_deleting: 0 })
      .whereRaw('(created_at, id) > (?, ?)', [after_time, after_id])
      .orderBy(['created_at', 'id'])
      .limit(SITES_AT_ONCE),
);

/** Yields the account's sites, oldest first. */
export function sitesToExport(db: Database, account_id: string): AsyncGenerator<Site, void> {
  return readPages<Site>(async (last) => {
    const rows = await db.run(
      selectSitesAfter({ account_id, after_time: last?.createdAt ?? '', after_id: last?.id ?? '' }),
    );
    return rows.map(toSite);
  });
}

const incrementRunCounter = defineQuery<SiteRow, { id: string }>((sql, { id }) =>
  sql('sites')
    .where({ id, is_deleting: 0 })
    .update({ run_counter: sql.raw('run_counter + 1') })
    .returning('*'),
);

/** Increments the site's `latestNumber`, which becomes the number of the finishing run. @returns undefined for a removed site */
export async function assignRunNumber(tx: Tx, siteId: string): Promise<Site | undefined> {
  const row = await tx.one(incrementRunCounter({ id: siteId }));
  return row && toSite(row);
}

/**
 * Marks a site for removal, which hides it from all readers and allows its runs to be deleted. Waits for runs that are being admitted.
 * @returns undefined if it was already removed or marked
 */
export async function markSiteForRemoval(tx: Tx, siteId: string): Promise<Site | undefined> {
  const site = await lockSiteAgainstReads(tx, siteId);
  if (site) await tx.run(siteTable.update({ id: siteId }, { is_deleting: 1 }));
  return site;
}
