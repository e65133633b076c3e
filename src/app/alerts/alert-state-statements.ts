import { defineQuery } from '../../store/query.js';

export const selectAlertState = defineQuery<{ state: string }, { site_id: string }>((sql, { site_id }) =>
  sql('alert_states').select('state').where({ site_id }),
);

export const upsertAlertState = defineQuery<never, { site_id: string; state: string }>((sql, { site_id, state }) =>
  sql('alert_states').insert({ site_id, state }).onConflict('site_id').merge(['state']),
);

/** The account's address, and since when it gets alerts; null: it does not. */
export const selectEmailAlerts = defineQuery<{ email: string; email_alerts_since: string | null }, { id: string }>(
  (sql, { id }) => sql('accounts').select('email', 'email_alerts_since').where({ id }),
);

export const updateEmailAlerts = defineQuery<never, { id: string; since: string | null }>((sql, { id, since }) =>
  sql('accounts').where({ id }).whereNull('removed_at').update({ email_alerts_since: since }),
);
