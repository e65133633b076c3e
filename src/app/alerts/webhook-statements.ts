import type { Knex } from 'knex';
import { defineQuery, deleteReturning } from '../../store/query.js';

export interface WebhookRow {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  /** Null: signed JSON. */
  readonly format: string | null;
  /** The one site whose alerts it gets, and its host name; null: it gets those of all. */
  readonly site_id: string | null;
  readonly hostname: string | null;
  readonly created_at: string;
  readonly disabled_at: string | null;
  /** 1: it is turned off since it was added. */
  readonly is_new: number | null;
}

/** Not the secret: only who signs needs it. */
const OWN_COLUMNS = ['id', 'account_id', 'url', 'format', 'site_id', 'created_at', 'disabled_at', 'is_new'];
const COLUMNS = [...OWN_COLUMNS.map((column) => `w.${column}`), 's.hostname'];

/** A webhook as it is added. */
export type NewWebhookRow = {
  readonly [Column in Exclude<keyof WebhookRow, 'hostname'>]: WebhookRow[Column];
} & { readonly secret: string };

export const insertWebhook = defineQuery<never, NewWebhookRow>(
  (sql, { id, account_id, url, format, site_id, secret, created_at, disabled_at, is_new }) =>
    sql('webhooks').insert({ id, account_id, url, format, site_id, secret, created_at, disabled_at, is_new }),
);

/** Those of a site that is being removed are gone with it. */
const withSites = (sql: Knex): Knex.QueryBuilder =>
  sql('webhooks as w')
    .leftJoin('sites as s', 's.id', 'w.site_id')
    .select(COLUMNS)
    .where((shown) => shown.whereNull('w.site_id').orWhere({ 's.is_deleting': 0 }));

/** In the order in which they were added. */
export const selectWebhooksOfAccount = defineQuery<WebhookRow, { account_id: string }>((sql, { account_id }) =>
  withSites(sql).where({ 'w.account_id': account_id }).orderBy(['w.created_at', 'w.id']),
);

export const selectWebhookOfAccount = defineQuery<WebhookRow, { id: string; account_id: string }>(
  (sql, { id, account_id }) => withSites(sql).where({ 'w.id': id, 'w.account_id': account_id }),
);

/** A webhook that gets a message. */
export interface UsedWebhookRow {
  readonly id: string;
  readonly format: string | null;
}

/** The webhooks in use that get the alerts of a site. None of them can be removed until the transaction ends. */
export const selectWebhooksInUse = defineQuery<UsedWebhookRow, { account_id: string; site_id: string }>(
  (sql, { account_id, site_id }) =>
    sql('webhooks')
      .select('id', 'format')
      .where({ account_id, disabled_at: null })
      .andWhere((meant) => meant.whereNull('site_id').orWhere({ site_id }))
      .orderBy(['created_at', 'id'])
      .forKeyShare(),
);

/** One that a test may be sent to: it is in use, or was never turned on. It cannot be removed until the transaction ends. */
export const selectWebhookToTry = defineQuery<UsedWebhookRow, { id: string; account_id: string }>(
  (sql, { id, account_id }) =>
    sql('webhooks')
      .select('id', 'format')
      .where({ id, account_id })
      .andWhere((tried) => tried.whereNull('disabled_at').orWhere({ is_new: 1 }))
      .forKeyShare(),
);

/** Where to send to, and what to sign with. */
export const selectWebhookToSend = defineQuery<
  Pick<WebhookRow, 'url' | 'format' | 'site_id' | 'disabled_at' | 'is_new'> & { readonly secret: string },
  { id: string }
>((sql, { id }) => sql('webhooks').select('url', 'secret', 'format', 'site_id', 'disabled_at', 'is_new').where({ id }));

export const updateWebhookSecret = defineQuery<never, { id: string; account_id: string; secret: string }>(
  (sql, { id, account_id, secret }) => sql('webhooks').where({ id, account_id }).update({ secret }),
);

export const updateWebhookSite = defineQuery<never, { id: string; account_id: string; site_id: string | null }>(
  (sql, { id, account_id, site_id }) => sql('webhooks').where({ id, account_id }).update({ site_id }),
);

export const enableWebhook = defineQuery<never, { id: string; account_id: string }>((sql, { id, account_id }) =>
  sql('webhooks').where({ id, account_id }).update({ disabled_at: null, failing_since: null, is_new: null }),
);

/** What is recorded of one that is turned off. */
export type DisabledWebhookRow = Pick<WebhookRow, 'id' | 'account_id' | 'url'>;

/** A row when it was in use. */
export const disableWebhook = defineQuery<DisabledWebhookRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks')
    .where({ id, disabled_at: null })
    .update({ disabled_at: now, is_new: null })
    .returning(['id', 'account_id', 'url']),
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
