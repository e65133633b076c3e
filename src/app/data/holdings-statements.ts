import { defineQuery } from '../../store/query.js';

/** How much hangs on an account: what a person is told before it goes. */
export const countHoldings = defineQuery<
  Readonly<Record<'sites' | 'runs' | 'keys' | 'webhooks' | 'schedules' | 'hooks' | 'reports' | 'badges', number>>,
  { account_id: string }
>((sql, { account_id }) => {
  const ofAccount = (table: string) => sql(table).where({ account_id });
  const ofSites = (table: string) =>
    sql(table).whereIn('site_id', ofAccount('sites').where({ is_deleting: 0 }).select('id'));
  return sql.select({
    sites: ofAccount('sites').where({ is_deleting: 0 }).count(),
    runs: ofAccount('sites').where({ is_deleting: 0 }).select(sql.raw('COALESCE(sum(run_counter), 0)')),
    keys: ofAccount('api_keys').whereNull('revoked_at').count(),
    webhooks: ofAccount('webhooks').count(),
    schedules: ofSites('schedules').count(),
    hooks: ofSites('deploy_hooks').count(),
    reports: ofSites('shared_reports').count(),
    badges: ofSites('badges').count(),
  });
});
