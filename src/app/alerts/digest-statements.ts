import { defineQuery, deleteReturning } from '../../store/query.js';

export interface DigestRow {
  readonly account_id: string;
  readonly since: string;
  readonly next_at: string;
}

/** A row for an account that had none. */
export const insertDigest = defineQuery<{ account_id: string }, { account_id: string; since: string; next_at: string }>(
  (sql, { account_id, since, next_at }) =>
    sql('digests').insert({ account_id, since, next_at }).onConflict('account_id').ignore().returning('account_id'),
);

export const selectDigest = defineQuery<DigestRow, { account_id: string }>((sql, { account_id }) =>
  sql('digests').select('account_id', 'since', 'next_at').where({ account_id }),
);

/** The longest due behind another, of accounts that are there. */
export const selectDueDigest = defineQuery<DigestRow, { now: string; after_at: string; after_id: string }>(
  (sql, { now, after_at, after_id }) =>
    sql('digests')
      .join('accounts', 'accounts.id', 'digests.account_id')
      .select('account_id', 'since', 'next_at')
      .where('next_at', '<=', now)
      .whereRaw('(next_at, account_id) > (?, ?)', [after_at, after_id])
      .whereNull('removed_at')
      .orderBy(['next_at', 'account_id'])
      .limit(1),
);

/** A row for the one process that moves it on. */
export const moveDigest = defineQuery<
  { account_id: string },
  { account_id: string; due_at: string; since: string; next_at: string }
>((sql, { account_id, due_at, since, next_at }) =>
  sql('digests').where({ account_id, next_at: due_at }).update({ since, next_at }).returning('account_id'),
);

/** A row when there was one. */
export const deleteDigest = defineQuery<{ account_id: string }, { account_id: string }>((sql, { account_id }) =>
  deleteReturning(sql, sql('digests').where({ account_id }), 'account_id'),
);
