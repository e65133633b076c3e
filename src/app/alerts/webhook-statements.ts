import { defineQuery, deleteReturning } from '../../store/query.js';

export interface WebhookRow {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

/** Not the secret: only who signs needs it. */
const COLUMNS = ['id', 'account_id', 'url', 'created_at', 'disabled_at'];

export const insertWebhook = defineQuery<
  never,
  { id: string; account_id: string; url: string; secret: string; created_at: string }
>((sql, { id, account_id, url, secret, created_at }) =>
  sql('webhooks').insert({ id, account_id, url, secret, created_at }),
);

/** In the order in which they were added. */
export const selectWebhooksOfAccount = defineQuery<WebhookRow, { account_id: string }>((sql, { account_id }) =>
  sql('webhooks').select(COLUMNS).where({ account_id }).orderBy(['created_at', 'id']),
);

export const selectWebhookOfAccount = defineQuery<WebhookRow, { id: string; account_id: string }>(
  (sql, { id, account_id }) => sql('webhooks').select(COLUMNS).where({ id, account_id }),
);

/** The webhooks that are in use. None of them can be removed until the transaction ends. */
export const selectWebhooksInUse = defineQuery<{ id: string }, { account_id: string }>((sql, { account_id }) =>
  sql('webhooks').select('id').where({ account_id, disabled_at: null }).orderBy(['created_at', 'id']).forKeyShare(),
);

/** As {@link selectWebhooksInUse}, for one of them. */
export const selectWebhookInUse = defineQuery<{ id: string }, { id: string; account_id: string }>(
  (sql, { id, account_id }) => sql('webhooks').select('id').where({ id, account_id, disabled_at: null }).forKeyShare(),
);

/** Where to send to, and what to sign with. */
export const selectWebhookToSend = defineQuery<
  { url: string; secret: string; disabled_at: string | null },
  { id: string }
>((sql, { id }) => sql('webhooks').select('url', 'secret', 'disabled_at').where({ id }));

export const updateWebhookSecret = defineQuery<WebhookRow, { id: string; account_id: string; secret: string }>(
  (sql, { id, account_id, secret }) => sql('webhooks').where({ id, account_id }).update({ secret }).returning(COLUMNS),
);

export const enableWebhook = defineQuery<WebhookRow, { id: string; account_id: string }>((sql, { id, account_id }) =>
  sql('webhooks').where({ id, account_id }).update({ disabled_at: null, failing_since: null }).returning(COLUMNS),
);

/** A row when it was in use. */
export const disableWebhook = defineQuery<WebhookRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks').where({ id, disabled_at: null }).update({ disabled_at: now }).returning(COLUMNS),
);

/** A row when there was one. */
export const deleteWebhook = defineQuery<{ id: string }, { id: string; account_id: string }>(
  (sql, { id, account_id }) => deleteReturning(sql, sql('webhooks').where({ id, account_id }), 'id'),
);

/** Notes an attempt that failed; answers since when all have. */
export const markWebhookFailing = defineQuery<{ failing_since: string }, { id: string; now: string }>(
  (sql, { id, now }) =>
    sql('webhooks')
      .where({ id })
      .update({ failing_since: sql.raw('COALESCE(failing_since, ?)', [now]) })
      .returning('failing_since'),
);

/** Notes an attempt that went well. */
export const markWebhookWorking = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('webhooks').where({ id }).whereNotNull('failing_since').update({ failing_since: null }),
);
