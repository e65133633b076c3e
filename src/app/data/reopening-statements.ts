import { defineQuery, deleteReturning } from '../../store/query.js';

export const insertEpoch = defineQuery<never, { id: string; now: string }>((sql, { id, now }) =>
  sql.raw(
    `INSERT INTO epochs (number, id, opened_at)
      SELECT COALESCE(max(number), 0) + 1, CAST(? AS text), CAST(? AS text) FROM epochs`,
    [id, now],
  ),
);

/** Each answers a row for each that was deleted. */
export const deleteAllSessions = defineQuery<object>((sql) => deleteReturning(sql, sql('sessions'), 'digest'));
export const deleteAllLinks = defineQuery<object>((sql) => deleteReturning(sql, sql('sign_in_links'), 'digest'));
export const deleteAllSignUps = defineQuery<object>((sql) => deleteReturning(sql, sql('sign_ups'), 'digest'));
export const deleteAllAccountMails = defineQuery<never>((sql) => sql('account_mails').delete());
export const deleteAllHooks = defineQuery<object>((sql) => deleteReturning(sql, sql('deploy_hooks'), 'site_id'));

/** A row for each. */
export const revokeAllKeys = defineQuery<{ id: string }, { now: string }>((sql, { now }) =>
  sql('api_keys').whereNull('revoked_at').update({ revoked_at: now }).returning('id'),
);
