import { defineQuery } from '../../store/query.js';
import { SITE_COLUMNS, type SiteRow } from './site-statements.js';

/** A verified site whose proof is to be looked for again. */
export interface RecheckedRow extends SiteRow {
  readonly verified_at: string;
  readonly proof_missing_since: string | null;
}

/** How many sites are asked at a time. */
export const RECHECKED_AT_ONCE = 5;

/** Some of those that are due. The operator's word needs no proof. */
export const selectSitesToRecheck = defineQuery<RecheckedRow, { now: string; verified_before: string }>(
  (sql, { now, verified_before }) =>
    sql('sites')
      .select([...SITE_COLUMNS, 'proof_missing_since'])
      .where({ is_deleting: 0 })
      .whereNotNull('verified_at')
      .whereNot('verified_by', 'operator')
      .andWhere((isDue) =>
        isDue
          .where('proof_due_at', '<=', now)
          .orWhere((isFirst) => isFirst.whereNull('proof_due_at').where('verified_at', '<=', verified_before)),
      )
      .limit(RECHECKED_AT_ONCE),
);

/** Writes what came of it, unless the site was verified anew meanwhile. A row when it was written. */
export const updateProof = defineQuery<
  { id: string },
  {
    id: string;
    verified_when_read: string;
    verified_at: string | null;
    verified_by: string | null;
    proof_due_at: string | null;
    proof_missing_since: string | null;
    ownership_lost_at: string | null;
  }
>((sql, { id, verified_when_read, verified_at, verified_by, proof_due_at, proof_missing_since, ownership_lost_at }) =>
  sql('sites')
    .where({ id, is_deleting: 0, verified_at: verified_when_read })
    .update({ verified_at, verified_by, proof_due_at, proof_missing_since, ownership_lost_at })
    .returning('id'),
);
