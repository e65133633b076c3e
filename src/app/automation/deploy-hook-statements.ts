import { defineQuery, deleteReturning } from '../../store/query.js';

export interface DeployHookRow {
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** Gives the site a hook, or a new one in the place of the one before. */
export const upsertDeployHook = defineQuery<never, { site_id: string; digest: string; created_at: string }>(
  (sql, { site_id, digest, created_at }) =>
    sql('deploy_hooks')
      .insert({ site_id, digest, created_at, last_used_at: null })
      .onConflict('site_id')
      .merge(['digest', 'created_at', 'last_used_at']),
);

/** A row when there was one. */
export const deleteDeployHook = defineQuery<{ site_id: string }, { site_id: string }>((sql, { site_id }) =>
  deleteReturning(sql, sql('deploy_hooks').where({ site_id }), 'site_id'),
);

export const selectDeployHook = defineQuery<DeployHookRow, { site_id: string }>((sql, { site_id }) =>
  sql('deploy_hooks').select(['created_at', 'last_used_at']).where({ site_id }),
);

/** The site that a hook belongs to. */
export interface HookedSiteRow {
  readonly id: string;
  readonly account_id: string;
  readonly hostname: string;
  readonly verified_at: string | null;
  /** The number of its latest run, 0 before the first. */
  readonly run_counter: number;
}

/** The site whose hook it is; it cannot be deleted until the transaction ends. */
export const selectHookedSite = defineQuery<HookedSiteRow, { digest: string }>((sql, { digest }) =>
  sql('sites as s')
    .join('deploy_hooks as h', 'h.site_id', 's.id')
    .select(['s.id', 's.account_id', 's.hostname', 's.verified_at', 's.run_counter'])
    .where({ 'h.digest': digest, 's.is_deleting': 0 })
    .forKeyShare('s'),
);

/** Sets the time of last use, unless it is later than `stale_before` already. */
export const touchDeployHook = defineQuery<never, { digest: string; now: string; stale_before: string }>(
  (sql, { digest, now, stale_before }) =>
    sql('deploy_hooks')
      .where({ digest })
      .andWhere((isStale) => isStale.whereNull('last_used_at').orWhere('last_used_at', '<', stale_before))
      .update({ last_used_at: now }),
);

/** How the site of a hook stands: its latest run, and its queued run of one trigger. The columns of what there is not are null. */
export interface HookStatusRow {
  readonly id: string;
  readonly hostname: string;
  readonly number: number | null;
  readonly score: number | null;
  readonly trigger: string | null;
  readonly finished_at: string | null;
  /** When the queued run was asked for. */
  readonly requested_at: string | null;
  readonly lease: string | null;
}

export const selectHookStatus = defineQuery<HookStatusRow, { digest: string; kind: string }>((sql, { digest, kind }) =>
  sql('deploy_hooks as h')
    .join('sites as s', 's.id', 'h.site_id')
    .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', 's.run_counter'))
    .leftJoin('jobs as q', (on) => on.on('q.key', 's.id').andOnVal('q.kind', '=', kind))
    .select(['s.id', 's.hostname', 'r.number', 'r.score', 'r.trigger', 'r.finished_at', 'q.requested_at', 'q.lease'])
    .where({ 'h.digest': digest, 's.is_deleting': 0 }),
);
