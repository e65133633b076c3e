import { defineQuery } from '../../store/query.js';
import type { SiteRow } from '../sites/site-statements.js';

/** What is read for the export of an account: whole pages in the order of a key, so that a reader of millions of rows holds few. */

export const selectAccountToExport = defineQuery<
  {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly plan: string;
    readonly created_at: string;
    readonly email_alerts_since: string | null;
  },
  { id: string }
>((sql, { id }) =>
  sql('accounts')
    .select('id', 'email', 'name', 'plan', 'created_at', 'email_alerts_since')
    .where({ id })
    .whereNull('removed_at'),
);

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

/** A site with what it has of each of the things that a site may have one of. */
export interface ExportedSiteRow extends SiteRow {
  readonly run_counter: number;
  readonly ownership_token: string | null;
  readonly frequency: string | null;
  readonly next_run_at: string | null;
  readonly badge_since: string | null;
  readonly hook_created_at: string | null;
  readonly hook_last_used_at: string | null;
}

const SITES_A_PAGE = 100;

/** The next sites by id; none: that was the last one. */
export const selectSitesToExport = defineQuery<ExportedSiteRow, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('sites as s')
      .leftJoin('ownership_tokens as t', (on) => on.on('t.account_id', 's.account_id').andOn('t.host', 's.hostname'))
      .leftJoin('schedules as c', 'c.site_id', 's.id')
      .leftJoin('badges as b', 'b.site_id', 's.id')
      .leftJoin('deploy_hooks as h', 'h.site_id', 's.id')
      .leftJoin('unread_proofs as u', (on) => on.on('u.site_id', 's.id').andOn('u.due_at', 's.proof_due_at'))
      .select([
        's.id',
        's.account_id',
        's.origin',
        's.hostname',
        's.verified_at',
        's.verified_by',
        's.ownership_lost_at',
        's.created_at',
      ])
      .select('u.since as unread_since', 'u.days as unread_days', 'u.gone_days as unread_gone_days')
      .select('u.is_gone as unread_is_gone', 'u.is_absent as unread_is_absent')
      .select('s.run_counter', 't.token as ownership_token', 'c.frequency', 'c.next_run_at')
      .select('b.created_at as badge_since', 'h.created_at as hook_created_at', 'h.last_used_at as hook_last_used_at')
      .where({ 's.account_id': account_id, 's.is_deleting': 0 })
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(SITES_A_PAGE),
);

export const selectKeyUsageToExport = defineQuery<
  { readonly key_id: string; readonly month: string; readonly used: number },
  { account_id: string }
>((sql, { account_id }) =>
  sql('key_usage as u')
    .join('api_keys as k', 'k.id', 'u.key_id')
    .select('u.key_id', 'u.month', 'u.used')
    .where({ 'k.account_id': account_id })
    .orderBy(['u.key_id', 'u.month']),
);

export const selectWebhooksToExport = defineQuery<
  {
    readonly id: string;
    readonly url: string;
    readonly created_at: string;
    readonly disabled_at: string | null;
  },
  { account_id: string }
>((sql, { account_id }) =>
  sql('webhooks').select('id', 'url', 'created_at', 'disabled_at').where({ account_id }).orderBy(['created_at', 'id']),
);

export interface ExportedDeliveryRow {
  readonly id: string;
  readonly webhook_id: string | null;
  readonly site_id: string | null;
  readonly event: string;
  readonly body: string;
  readonly created_at: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly answer_status: number | null;
  readonly problem: string | null;
}

const DELIVERIES_A_PAGE = 200;

/** The next deliveries by time and id; none: that was the last one. */
export const selectDeliveriesToExport = defineQuery<
  ExportedDeliveryRow,
  { account_id: string; after_time: string; after_id: string }
>((sql, { account_id, after_time, after_id }) =>
  sql('deliveries')
    .select('id', 'webhook_id', 'site_id', 'event', 'body', 'created_at', 'state', 'attempts')
    .select('last_attempt_at', 'answer_status', 'problem')
    .where({ account_id })
    .whereRaw('(created_at, id) > (?, ?)', [after_time, after_id])
    .orderBy(['created_at', 'id'])
    .limit(DELIVERIES_A_PAGE),
);
