import type { MarkedSite } from '../kept.js';
import { defineQuery } from '../../store/query.js';

/**
 * How sites and accounts go: marked first, by which they are gone for every other query, then erased in steps, children
 * before parents: what each feature erases, its manifest says (see kept.ts).
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

const MARKED = ['id', 'run_counter'];

export const selectMarkedSite = defineQuery<MarkedSite, { id: string }>((sql, { id }) =>
  sql('sites').select(MARKED).where({ id, is_deleting: 1 }),
);

/** One at a time: what is erased does not come again. Written out, as the condition of the index is. */
export const selectNextMarkedSite = defineQuery<MarkedSite>((sql) =>
  sql('sites').select(MARKED).whereRaw('is_deleting = 1').orderBy('id').limit(1),
);

export const selectNextMarkedSiteOf = defineQuery<MarkedSite, { account_id: string }>((sql, { account_id }) =>
  sql('sites').select(MARKED).where({ account_id, is_deleting: 1 }).orderBy('id').limit(1),
);

export const selectNextRemovedAccount = defineQuery<{ id: string }>((sql) =>
  sql('accounts').select('id').whereNotNull('removed_at').orderBy('removed_at').limit(1),
);

/** The site with what little still hangs on it: run budgets, values of Idempotency-Key, the state of its alerts, webhooks of its own. */
export const deleteMarkedSite = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id, is_deleting: 1 }).delete(),
);

/** The account with what little still hangs on it: webhooks, ownership tokens, what its removed sites had taken of their days. */
export const deleteRemovedAccount = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).whereNotNull('removed_at').delete(),
);
