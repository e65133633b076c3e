import { defineQuery } from './query.js';

export const insertSignInLink = defineQuery<never, { digest: string; account_id: string; expires_at: string }>(
  (sql, { digest, account_id, expires_at }) => sql('sign_in_links').insert({ digest, account_id, expires_at }),
);
