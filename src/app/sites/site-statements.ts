import type { Knex } from 'knex';
import type { Plan } from '../accounts/plan.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { UNREAD_COLUMNS } from './unread-proof-statements.js';

/** How the ownership of a domain was proved. `domain` is a record that covers every name below it, `operator` the operator's word. */
export type VerifiedBy = 'dns' | 'file' | 'meta' | 'domain' | 'operator';

export interface SiteRow {
  readonly id: string;
  readonly account_id: string;
  readonly origin: string;
  readonly hostname: string;
  readonly verified_at: string | null;
  readonly verified_by: VerifiedBy | null;
  readonly ownership_lost_at: string | null;
  readonly created_at: string;
  /** JSON: the owner's own words for it; null: none. */
  readonly tags: string | null;
  /** Since when alerts of it are not sent by e-mail. */
  readonly mail_muted_at: string | null;
  /** Since when the proof is not found, how many days have counted, and what the last look saw; null where it was found. */
  readonly unread_since: string | null;
  readonly unread_days: number | null;
  readonly unread_gone_days: number | null;
  readonly unread_is_gone: number | null;
  readonly unread_is_absent: number | null;
}

const COLUMNS = [
  ...['id', 'account_id', 'origin', 'hostname', 'verified_at', 'verified_by', 'ownership_lost_at', 'created_at'],
  ...['tags', 'mail_muted_at'],
];

/** The columns of a {@link SiteRow}, in a statement on `sites`. */
export function siteColumns(sql: Knex): (string | Knex.Raw)[] {
  return [...COLUMNS, ...UNREAD_COLUMNS.map((column) => sql.raw(column))];
}

/** How many sites the account has. Two that count at once would both find room, so that the account has to be locked. */
export const countSites = defineQuery<{ count: number }, { account_id: string }>((sql, { account_id }) =>
  sql('sites')
    .select({ count: sql.raw('CAST(count(*) AS integer)') })
    .where({ account_id, is_deleting: 0 }),
);

/** @param sites JSON: `[{id, origin, hostname}, …]` */
export const insertSites = defineQuery<never, { account_id: string; created_at: string; sites: string }>(
  (sql, { account_id, created_at, sites }) =>
    sql.raw(
      `INSERT INTO sites (id, account_id, origin, hostname, tags, created_at)
        SELECT given.id, CAST(? AS text), given.origin, given.hostname, given.tags, CAST(? AS text) FROM ?`,
      [account_id, created_at, jsonRows(sql, sites, ['id', 'origin', 'hostname', 'tags'])],
    ),
);

export const selectSite = defineQuery<SiteRow, { id: string }>((sql, { id }) =>
  sql('sites').select(siteColumns(sql)).where({ id, is_deleting: 0 }),
);

/** The site if it is this account's, with the account's plan. */
export const selectSiteOfAccount = defineQuery<
  NumberedSiteRow & { readonly plan: Plan },
  { id: string; account_id: string }
>((sql, { id, account_id }) =>
  sql('sites')
    .select([...siteColumns(sql), 'run_counter'])
    .select({ plan: sql('accounts').select('plan').where('accounts.id', sql.ref('sites.account_id')) })
    .where({ id, account_id, is_deleting: 0 }),
);

/** A site with the number of its latest run (0: none yet). */
export type NumberedSiteRow = SiteRow & { readonly run_counter: number };

/** The site cannot be deleted until the transaction ends. */
export const selectSiteToAdmit = defineQuery<NumberedSiteRow, { id: string }>((sql, { id }) =>
  sql('sites')
    .select([...siteColumns(sql), 'run_counter'])
    .where({ id, is_deleting: 0 })
    .forKeyShare(),
);

/** Locks the site against transactions that take its next number or mark it. */
export const lockLatestNumber = defineQuery<{ run_counter: number }, { id: string }>((sql, { id }) =>
  sql('sites').select('run_counter').where({ id, is_deleting: 0 }).forNoKeyUpdate(),
);

/** The same, and against those that must find it there until they end: see {@link selectSiteToAdmit}. */
export const lockSiteAlone = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').select('id').where({ id }).forUpdate(),
);

/** Those of some hosts, by either scheme. One that is being deleted is still in the way of its like. @param hostnames JSON: `[{hostname}, …]` */
export const selectSitesOfHosts = defineQuery<
  { id: string; origin: string; hostname: string; is_deleting: number },
  { account_id: string; hostnames: string }
>((sql, { account_id, hostnames }) =>
  sql('sites')
    .select('id', 'origin', 'hostname', 'is_deleting')
    .where({ account_id })
    .whereIn('hostname', sql.select('given.hostname').from(jsonRows(sql, hostnames, ['hostname']))),
);

/** The number of the site's latest run, 0 before the first. */
export const selectLatestNumber = defineQuery<{ run_counter: number }, { id: string }>((sql, { id }) =>
  sql('sites').select('run_counter').where({ id, is_deleting: 0 }),
);

/** A row for each site of the account. */
export const selectSiteIds = defineQuery<{ id: string }, { account_id: string }>((sql, { account_id }) =>
  sql('sites').select('id').where({ account_id, is_deleting: 0 }),
);

function sitesAmong(sql: Knex, account_id: Knex.Raw, sites: Knex.Raw): Knex.QueryBuilder {
  return sql('sites')
    .select([...siteColumns(sql), 'run_counter'])
    .where({ account_id, is_deleting: 0 })
    .whereIn('id', sql.select('given.site_id').from(jsonRows(sql, sites, ['site_id'])))
    .orderBy('id');
}

/** Those of some sites that are the account's. @param sites JSON: `[{site_id}, …]` */
export const selectSitesAmong = defineQuery<NumberedSiteRow, { account_id: string; sites: string }>(
  (sql, { account_id, sites }) => sitesAmong(sql, account_id, sites),
);

/** The same: no other transaction changes them meanwhile. */
export const lockSitesAmong = defineQuery<NumberedSiteRow, { account_id: string; sites: string }>(
  (sql, { account_id, sites }) => sitesAmong(sql, account_id, sites).forNoKeyUpdate(),
);

/** @param sites JSON: `[{site_id, tags}, …]` */
export const updateTags = defineQuery<never, { sites: string }>((sql, { sites }) =>
  sql.raw('UPDATE sites SET tags = given.tags FROM ? WHERE sites.id = given.site_id AND is_deleting = 0', [
    jsonRows(sql, sites, ['site_id', 'tags']),
  ]),
);

/** @param sites JSON: `[{site_id}, …]` */
export const updateMailMuted = defineQuery<never, { sites: string; mail_muted_at: string | null }>(
  (sql, { sites, mail_muted_at }) =>
    sql('sites')
      .where({ is_deleting: 0 })
      .whereIn('id', sql.select('given.site_id').from(jsonRows(sql, sites, ['site_id'])))
      .update({ mail_muted_at }),
);

/** In the order in which they were added. */
export const selectSitesOfAccount = defineQuery<SiteRow, { account_id: string }>((sql, { account_id }) =>
  sql('sites').select(siteColumns(sql)).where({ account_id, is_deleting: 0 }).orderBy(['created_at', 'id']),
);

/** What a site says of its proof once it is no longer verified. */
export const NOT_VERIFIED = {
  verified_at: null,
  verified_by: null,
  proof_due_at: null,
  proof_missing_since: null,
} as const;

/** What it says of it once it is. */
const VERIFIED = { proof_due_at: null, proof_missing_since: null, ownership_lost_at: null } as const;

export const updateVerified = defineQuery<SiteRow, { id: string; verified_at: string; verified_by: string }>(
  (sql, { id, verified_at, verified_by }) =>
    sql('sites')
      .where({ id, is_deleting: 0 })
      .update({ verified_at, verified_by, ...VERIFIED })
      .returning(siteColumns(sql)),
);

/** The same for many. @param sites JSON: `[{site_id}, …]` */
export const updateAllVerified = defineQuery<never, { sites: string; verified_at: string; verified_by: string }>(
  (sql, { sites, verified_at, verified_by }) =>
    sql('sites')
      .where({ is_deleting: 0 })
      .whereIn('id', sql.select('given.site_id').from(jsonRows(sql, sites, ['site_id'])))
      .update({ verified_at, verified_by, ...VERIFIED }),
);

/** The number of the run that is finishing. No row: the site was removed meanwhile. */
export const takeRunNumber = defineQuery<
  { run_counter: number; account_id: string; hostname: string; verified_at: string | null },
  { id: string }
>((sql, { id }) =>
  sql('sites')
    .where({ id, is_deleting: 0 })
    .update({ run_counter: sql.raw('run_counter + 1') })
    .returning(['run_counter', 'account_id', 'hostname', 'verified_at']),
);

/** From here on the site is gone for every other query, and its runs may be deleted. */
export const markSiteDeleting = defineQuery<SiteRow, { id: string }>((sql, { id }) =>
  sql('sites').where({ id, is_deleting: 0 }).update({ is_deleting: 1 }).returning(siteColumns(sql)),
);

/** A site with what its own tables hold for its owner. */
export interface ExportedSiteRow extends SiteRow {
  readonly run_counter: number;
  readonly ownership_token: string | null;
}

const SITES_A_PAGE = 100;

/** The next sites by id; none: that was the last one. */
export const selectSitesToExport = defineQuery<ExportedSiteRow, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('sites')
      .select([...siteColumns(sql), 'run_counter'])
      .select({
        ownership_token: sql('ownership_tokens as t')
          .select('t.token')
          .where({ 't.account_id': sql.ref('sites.account_id'), 't.host': sql.ref('sites.hostname') }),
      })
      .where({ account_id, is_deleting: 0 })
      .where('id', '>', after)
      .orderBy('id')
      .limit(SITES_A_PAGE),
);
