import { defineQuery } from '../../store/query.js';

/** A verified site whose proof was looked for and not found. */
export interface UnreadProofRow {
  readonly since: string;
  /** The UTC day of the last look. */
  readonly last_day: string;
  /** Whether the DNS said on that day that the name does not exist. */
  readonly is_gone: number;
  /** Whether the last look was certain that the proof is not there. */
  readonly is_absent: number;
  /** Counted days; the last one counts once it is over. */
  readonly days: number;
  readonly gone_days: number;
  readonly told: number;
  /** Whether the owner was told that the end is near; 0 where it is not near. */
  readonly is_end_told: number;
}

/** A row of `sites` and its proof. Of a site that was verified since, the row counts for nothing. */
export const IS_CURRENT = 'unread_proofs.site_id = sites.id AND unread_proofs.due_at = sites.proof_due_at';

/** What says how a proof stands. */
const STANDING = ['since', 'days', 'gone_days', 'is_gone', 'is_absent'] as const;

/** Columns of a site in any statement on `sites`; null where its proof was found. */
export const UNREAD_COLUMNS = STANDING.map(
  (column) => `(SELECT ${column} FROM unread_proofs WHERE ${IS_CURRENT}) AS unread_${column}`,
);

/** The same by name where the table is joined by {@link IS_CURRENT}: for many sites at once. */
export const UNREAD_STANDING = Object.fromEntries(
  STANDING.map((column) => [`unread_${column}`, `unread_proofs.${column}`]),
);

export const selectUnreadProof = defineQuery<UnreadProofRow, { site_id: string; due_at: string | null }>(
  (sql, { site_id, due_at }) =>
    sql('unread_proofs')
      .select([...STANDING, 'last_day', 'told', 'is_end_told'])
      .where({ site_id, due_at }),
);

/** On how many days the proof of a site was not found; no row where it was. */
export const selectUnreadDays = defineQuery<{ days: number }, { site_id: string }>((sql, { site_id }) =>
  sql('sites').join('unread_proofs', sql.raw(IS_CURRENT)).select('unread_proofs.days').where({ 'sites.id': site_id }),
);

/** The same with the pages that were chosen, for a scan: each null where there is no row. */
export const selectTarget = defineQuery<{ days: number | null; paths: string | null }, { site_id: string }>(
  (sql, { site_id }) =>
    sql('sites')
      .leftJoin('unread_proofs', sql.raw(IS_CURRENT))
      .leftJoin('chosen_pages', 'chosen_pages.site_id', 'sites.id')
      .select('unread_proofs.days', 'chosen_pages.paths')
      .where({ 'sites.id': site_id }),
);

export const upsertUnreadProof = defineQuery<
  never,
  {
    site_id: string;
    due_at: string;
    since: string;
    last_day: string;
    is_gone: number;
    is_absent: number;
    days: number;
    gone_days: number;
    told: number;
    is_end_told: number;
  }
>((sql, { site_id, due_at, since, last_day, is_gone, is_absent, days, gone_days, told, is_end_told }) =>
  sql('unread_proofs')
    .insert({ site_id, due_at, since, last_day, is_gone, is_absent, days, gone_days, told, is_end_told })
    .onConflict('site_id')
    .merge(['due_at', 'since', 'last_day', 'is_gone', 'is_absent', 'days', 'gone_days', 'told', 'is_end_told']),
);

export const deleteUnreadProof = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('unread_proofs').where({ site_id }).delete(),
);
