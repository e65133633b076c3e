import { defineQuery, jsonRows } from '../../store/query.js';

/** Keeps a token that is there already, so that what was published stays good. @param tokens JSON: `[{host, token}, …]` */
export const insertOwnershipTokens = defineQuery<never, { account_id: string; tokens: string }>(
  (sql, { account_id, tokens }) =>
    // SQLite takes ON CONFLICT after a FROM for the condition of a join, unless there is a WHERE.
    sql.raw(
      `INSERT INTO ownership_tokens (account_id, host, token) SELECT CAST(? AS text), given.host, given.token FROM ?
        WHERE true ON CONFLICT (account_id, host) DO NOTHING`,
      [account_id, jsonRows(sql, tokens, ['host', 'token'])],
    ),
);

export const selectOwnershipToken = defineQuery<{ token: string }, { account_id: string; host: string }>(
  (sql, { account_id, host }) => sql('ownership_tokens').select('token').where({ account_id, host }),
);
