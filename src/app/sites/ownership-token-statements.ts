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

/** Of all that the account has, its sites and the domains of these. */
export const selectOwnershipTokens = defineQuery<TokenRow, { account_id: string }>((sql, { account_id }) =>
  sql('ownership_tokens').select('host', 'token').where({ account_id }),
);

export interface TokenRow {
  readonly host: string;
  readonly token: string;
}

const TOKENS_A_PAGE = 500;

/** The next by host, of those that no site of the account has: of whole domains, and of sites that were removed. */
export const selectTokensToExport = defineQuery<TokenRow, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('ownership_tokens as t')
      .select('t.host', 't.token')
      .where('t.account_id', account_id)
      .where('t.host', '>', after)
      .whereNotExists(
        sql('sites as s')
          .select(sql.raw('1'))
          .whereRaw('s.account_id = t.account_id AND s.hostname = t.host AND s.is_deleting = 0'),
      )
      .orderBy('t.host')
      .limit(TOKENS_A_PAGE),
);
