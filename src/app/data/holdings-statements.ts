import { defineQuery } from '../../store/query.js';

/** How much hangs on an account: what a person is told before it goes. */
export const countHoldings = defineQuery<
  { readonly sites: number; readonly runs: number; readonly keys: number; readonly webhooks: number },
  { account_id: string }
>((sql, { account_id }) => {
  const ofAccount = (table: string) => sql(table).where({ account_id });
  return sql.select({
    sites: ofAccount('sites').where({ is_deleting: 0 }).count(),
    runs: ofAccount('sites').where({ is_deleting: 0 }).select(sql.raw('COALESCE(sum(run_counter), 0)')),
    keys: ofAccount('api_keys').whereNull('revoked_at').count(),
    webhooks: ofAccount('webhooks').count(),
  });
});
