import { defineQuery, deleteReturning } from '../../store/query.js';

/** The messages about the account's marked sites that were still to be sent. */
export const deleteWaitingOfMarkedSites = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('deliveries')
    .where({ account_id })
    .whereNotNull('next_attempt_at')
    .whereIn('site_id', sql('sites').select('id').where({ account_id, is_deleting: 1 }))
    .delete(),
);

/** All messages of the account that were still to be sent. */
export const deleteWaitingOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('deliveries').where({ account_id }).whereNotNull('next_attempt_at').delete(),
);

/** How many messages are deleted at once. */
const ROWS_AT_ONCE = 500;

/** A row for each that was deleted. */
export const deleteSomeDeliveriesOfSite = defineQuery<{ id: string }, { site_id: string }>((sql, { site_id }) =>
  deleteReturning(
    sql,
    sql('deliveries').whereIn('id', sql('deliveries').select('id').where({ site_id }).limit(ROWS_AT_ONCE)),
    'id',
  ),
);
