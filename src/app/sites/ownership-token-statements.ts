import { defineQuery } from '../../store/query.js';

/** Keeps the token that is there already, so that what was published stays good. */
export const insertOwnershipToken = defineQuery<never, { account_id: string; host: string; token: string }>(
  (sql, { account_id, host, token }) =>
    sql('ownership_tokens').insert({ account_id, host, token }).onConflict(['account_id', 'host']).ignore(),
);

export const selectOwnershipToken = defineQuery<{ token: string }, { account_id: string; host: string }>(
  (sql, { account_id, host }) => sql('ownership_tokens').select('token').where({ account_id, host }),
);
