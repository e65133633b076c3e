import { deleteSomeEventsOf } from '../audit/audit-statements.js';
import { defineQuery, deleteReturning, isPostgres } from '../../store/query.js';

/**
 * How sites and accounts go: marked first, by which they are gone for every other query, then erased in steps, children
 * before parents. All statements of it are here, so that one can see that no table is left out.
 */

/**
 * From here on no one can sign in, and the e-mail address is free for another account: its column, which must be unique, is set
 * by the id. A row for one caller, however many ask at the same time.
 */
export const markAccountRemoved = defineQuery<{ id: string }, { id: string; now: string }>((sql, { id, now }) =>
  sql('accounts')
    .where({ id })
    .whereNull('removed_at')
    .update({
      email: id,
      name: '',
      password_hash: sql.raw('NULL'),
      email_alerts_since: sql.raw('NULL'),
      removed_at: now,
    })
    .returning('id'),
);

export const markSitesOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('sites').where({ account_id, is_deleting: 0 }).update({ is_deleting: 1 }),
);

/** What lets a person or a program in. */
export const deleteEntries = (['sessions', 'known_devices', 'sign_in_links', 'api_keys'] as const).map((table) =>
  defineQuery<never, { account_id: string }>((sql, { account_id }) => sql(table).where({ account_id }).delete()),
);

/**
 * What starts runs of the account's marked sites, or tells of them. The schedules come first: a planner that has one locked may be about to
 * queue its run.
 */
export const deleteSiteEntries = (['schedules', 'jobs', 'deploy_hooks', 'badges'] as const).map((table) =>
  defineQuery<never, { account_id: string }>((sql, { account_id }) =>
    sql(table)
      .whereIn('site_id', sql('sites').select('id').where({ account_id, is_deleting: 1 }))
      .delete(),
  ),
);

/** The messages about the account's marked sites that were still to be sent. */
export const deleteWaitingOfMarkedSites = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('deliveries')
    .where({ account_id })
    .whereNotNull('next_attempt_at')
    .whereIn('site_id', sql('sites').select('id').where({ account_id, is_deleting: 1 }))
    .delete(),
);

/** What was still to be done for the account. */
export const deleteJobsOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('jobs').where({ account_id }).delete(),
);

/** All messages of the account that were still to be sent. */
export const deleteWaitingOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('deliveries').where({ account_id }).whereNotNull('next_attempt_at').delete(),
);

/** A site that is marked. Its counter stands still: it had to be unmarked to take a number. */
export interface MarkedSiteRow {
  readonly id: string;
  readonly run_counter: number;
}

const MARKED = ['id', 'run_counter'];

export const selectMarkedSite = defineQuery<MarkedSiteRow, { id: string }>((sql, { id }) =>
  sql('sites').select(MARKED).where({ id, is_deleting: 1 }),
);

/** One at a time: what is erased does not come again. Written out, as the condition of the index is. */
export const selectNextMarkedSite = defineQuery<MarkedSiteRow>((sql) =>
  sql('sites').select(MARKED).whereRaw('is_deleting = 1').orderBy('id').limit(1),
);

export const selectNextMarkedSiteOf = defineQuery<MarkedSiteRow, { account_id: string }>((sql, { account_id }) =>
  sql('sites').select(MARKED).where({ account_id, is_deleting: 1 }).orderBy('id').limit(1),
);

export const selectNextRemovedAccount = defineQuery<{ id: string }>((sql) =>
  sql('accounts').select('id').whereNotNull('removed_at').orderBy('removed_at').limit(1),
);

/** Passes the guards only for a site that is marked; on PostgreSQL the role that serves may delete runs in this way alone. */
export const deleteRunsOfRange = defineQuery<object, { site_id: string; after: number; upto: number }>(
  (sql, { site_id, after, upto }) =>
    isPostgres(sql)
      ? sql.raw('SELECT erase_runs(?, ?, ?)', [site_id, after, upto])
      : sql('runs').where({ site_id }).where('number', '>', after).where('number', '<=', upto).delete(),
);

/** How many messages or events are deleted at once. */
const ROWS_AT_ONCE = 500;

/** A row for each that was deleted. */
export const deleteSomeDeliveriesOfSite = defineQuery<{ id: string }, { site_id: string }>((sql, { site_id }) =>
  deleteReturning(
    sql,
    sql('deliveries').whereIn('id', sql('deliveries').select('id').where({ site_id }).limit(ROWS_AT_ONCE)),
    'id',
  ),
);

/** The same for what an account may have many of. */
export const deleteSomeOfAccount = [
  ...(['deliveries', 'audit_tallies', 'audit_events'] as const).map((table) =>
    defineQuery<object, { account_id: string }>((sql, { account_id }) =>
      deleteReturning(
        sql,
        sql(table).whereIn('id', sql(table).select('id').where({ account_id }).limit(ROWS_AT_ONCE)),
        'id',
      ),
    ),
  ),
  deleteSomeEventsOf,
];

/** The site with what little still hangs on it: run budgets, values of Idempotency-Key, the state of its alerts. */
export const deleteMarkedSite = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id, is_deleting: 1 }).delete(),
);

/** The account with what little still hangs on it: webhooks, ownership tokens, what its removed sites had taken of their days. */
export const deleteRemovedAccount = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).whereNotNull('removed_at').delete(),
);
