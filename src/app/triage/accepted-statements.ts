import { defineQuery, deleteReturning } from '../../store/query.js';

export interface AcceptedRow {
  readonly check_id: string;
  readonly error_type: string;
  readonly reason: string;
  readonly accepted_at: string;
}

/** Accepts the failure, or gives another reason for it. */
export const upsertAccepted = defineQuery<
  never,
  { site_id: string; check_id: string; error_type: string; reason: string; accepted_at: string }
>((sql, { site_id, check_id, error_type, reason, accepted_at }) =>
  sql('accepted_failures')
    .insert({ site_id, check_id, error_type, reason, accepted_at })
    .onConflict(['site_id', 'check_id', 'error_type'])
    .merge(['reason', 'accepted_at']),
);

/** A row when it was accepted. */
export const deleteAccepted = defineQuery<
  { check_id: string },
  { site_id: string; check_id: string; error_type: string }
>((sql, { site_id, check_id, error_type }) =>
  deleteReturning(sql, sql('accepted_failures').where({ site_id, check_id, error_type }), 'check_id'),
);

export const selectAccepted = defineQuery<AcceptedRow, { site_id: string }>((sql, { site_id }) =>
  sql('accepted_failures')
    .select('check_id', 'error_type', 'reason', 'accepted_at')
    .where({ site_id })
    .orderBy(['check_id', 'error_type']),
);

/** Of every site of an account. */
export const selectAcceptedOfAccount = defineQuery<
  Pick<AcceptedRow, 'check_id' | 'error_type'> & { readonly site_id: string },
  { account_id: string }
>((sql, { account_id }) =>
  sql('accepted_failures as a')
    .join('sites as s', 's.id', 'a.site_id')
    .select('a.site_id', 'a.check_id', 'a.error_type')
    .where({ 's.account_id': account_id, 's.is_deleting': 0 }),
);
