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

/** The same for alerts of one of its sites: no row where those are not sent by e-mail. */
export const selectEmailAlertsOfSite = defineQuery<
  { email: string; email_alerts_since: string | null },
  { id: string; site_id: string }
>((sql, { id, site_id }) =>
  sql('accounts as a')
    .join('sites as s', 's.account_id', 'a.id')
    .select('a.email', 'a.email_alerts_since')
    .where({ 'a.id': id, 's.id': site_id })
    .whereNull('s.mail_muted_at'),
);

export const updateEmailAlerts = defineQuery<never, { id: string; since: string | null }>((sql, { id, since }) =>
  sql('accounts').where({ id }).whereNull('removed_at').update({ email_alerts_since: since }),
);
