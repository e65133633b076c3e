import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import { siteColumns, type SiteRow } from './site-statements.js';

/** A verified site whose proof is to be looked for again. */
export interface RecheckedRow extends SiteRow {
  readonly verified_at: string;
  /** Null before the first look. */
  readonly proof_due_at: string | null;
  readonly proof_missing_since: string | null;
}

export function recheckedColumns(sql: Knex): (string | Knex.Raw)[] {
  return [...siteColumns(sql), 'proof_due_at', 'proof_missing_since'];
}

/** How many sites are asked at a time. */
export const RECHECKED_AT_ONCE = 5;

/**
 * Some of those that are due. The operator's word needs no proof. None is due later than `due_at_most`: where one is, the clock that
 * said so was wrong.
 */
export const selectSitesToRecheck = defineQuery<
  RecheckedRow,
  { now: string; verified_before: string; due_at_most: string }
>((sql, { now, verified_before, due_at_most }) =>
  sql('sites')
    .select(recheckedColumns(sql))
    .where({ is_deleting: 0 })
    .whereNotNull('verified_at')
    .whereNot('verified_by', 'operator')
    .andWhere((isDue) =>
      isDue
        .where('proof_due_at', '<=', now)
        .orWhere('proof_due_at', '>', due_at_most)
        .orWhere((isFirst) => isFirst.whereNull('proof_due_at').where('verified_at', '<=', verified_before)),
    )
    .limit(RECHECKED_AT_ONCE),
);

/** Writes what came of it, unless the site was verified or looked at meanwhile. A row when it was written. */
export const updateProof = defineQuery<
  { id: string },
  {
    id: string;
    verified_when_read: string;
    due_when_read: string | null;
    verified_at: string | null;
    verified_by: string | null;
    proof_due_at: string | null;
    proof_missing_since: string | null;
    ownership_lost_at: string | null;
  }
>((sql, values) => {
  const { id, verified_when_read, due_when_read } = values;
  const { verified_at, verified_by, proof_due_at, proof_missing_since, ownership_lost_at } = values;
  return sql('sites')
    .where({ id, is_deleting: 0, verified_at: verified_when_read })
    .whereRaw('proof_due_at IS NOT DISTINCT FROM ?', [due_when_read])
    .update({ verified_at, verified_by, proof_due_at, proof_missing_since, ownership_lost_at })
    .returning('id');
});
