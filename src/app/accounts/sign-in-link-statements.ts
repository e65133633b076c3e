import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/** An account that does not exist or is being erased gets none. */
export const insertSignInLink = defineQuery<
  never,
  { digest: string; account_id: string; expires_at: string; is_for_password: number | null }
>((sql, { digest, account_id, expires_at, is_for_password }) =>
  sql.raw(
    `INSERT INTO sign_in_links (digest, account_id, expires_at, is_for_password)
      SELECT CAST(? AS text), id, CAST(? AS text), CAST(? AS integer) FROM accounts WHERE id = ? AND removed_at IS NULL`,
    [digest, expires_at, is_for_password, account_id],
  ),
);

/** Whose link this is, while it is good. */
export const selectGoodLink = defineQuery<
  { account_id: string; email: string; name: string; password_hash: string | null; is_for_password: number | null },
  { digest: string; now: string }
>((sql, { digest, now }) =>
  sql('sign_in_links as l')
    .join('accounts as a', 'a.id', 'l.account_id')
    .select('l.account_id', 'a.email', 'a.name', 'a.password_hash', 'l.is_for_password')
    .where({ 'l.digest': digest })
    .whereNull('l.used_at')
    .where('l.expires_at', '>', now),
);

/** Uses a good link up: a row for one caller, however many ask at the same time. */
export const takeSignInLink = defineQuery<{ account_id: string }, { digest: string; now: string }>(
  (sql, { digest, now }) =>
    sql('sign_in_links')
      .where({ digest })
      .whereNull('used_at')
      .where('expires_at', '>', now)
      .update({ used_at: now })
      .returning('account_id'),
);

/** Leaves none of the account's links good. */
export const voidSignInLinks = defineQuery<never, { account_id: string; now: string }>((sql, { account_id, now }) =>
  sql('sign_in_links').where({ account_id }).whereNull('used_at').update({ used_at: now }),
);

export const deleteEndedLinks = defineQuery<never, { now: string }>((sql, { now }) =>
  sql('sign_in_links').where('expires_at', '<=', now).del(),
);

export const cleanUpLinks = defineCleanup<{ now: string }>(
  'sign_in_links',
  ['digest'],
  (rows, { now }) => rows.whereNotNull('used_at').orWhere('expires_at', '<=', now),
  (now) => ({ now: now.toISOString() }),
);
