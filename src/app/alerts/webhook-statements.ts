import type { Knex } from 'knex';
import { defineQuery, deleteReturning, type Query } from '../../store/query.js';

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

/**
 * What versions up to 0.5.0 see of a webhook that is of a chat or of one site, besides that it is disabled: they would send signed JSON to it, and of any site.
 * Where one of them enables it all the same, its messages lead nowhere (RFC 6761, section 6.4).
 */
const HIDDEN_URL = 'https://of-a-newer-version.invalid/';

/** SQL of the address of a webhook, and of since when it is not in use, whichever columns say it. */
const URL = 'COALESCE(address, url)';
const DISABLED_AT =
  'CASE WHEN address IS NULL THEN disabled_at WHEN used_since IS NULL THEN COALESCE(disabled_at, w.created_at) END';
const IN_USE = '(address IS NULL AND disabled_at IS NULL OR used_since IS NOT NULL)';

/** What is recorded of a webhook. */
export type RecordedWebhook = Pick<WebhookRow, 'account_id' | 'url'>;

/** Not the secret: only who signs needs it. */
const OWN_COLUMNS = ['id', 'account_id', 'format', 'site_id', 'created_at', 'is_new'];
const COLUMNS = [...OWN_COLUMNS.map((column) => `w.${column}`), 's.hostname'];

function isHidden({ format, site_id }: Pick<WebhookRow, 'format' | 'site_id'>): boolean {
  return format !== null || site_id !== null;
}

/** A webhook as it is added. */
export type NewWebhookRow = {
  readonly [Column in Exclude<keyof WebhookRow, 'hostname'>]: WebhookRow[Column];
} & { readonly secret: string };

type WebhookColumns = NewWebhookRow & { readonly address: string | null; readonly used_since: string | null };

const insertColumns = defineQuery<never, WebhookColumns>(
  (sql, { id, account_id, url, address, format, site_id, secret, created_at, disabled_at, used_since, is_new }) =>
    sql('webhooks').insert({
      ...{ id, account_id, url, address, format, site_id, secret, created_at, disabled_at, used_since, is_new },
    }),
);

export function insertWebhook(row: NewWebhookRow): Query<never> {
  if (!isHidden(row)) return insertColumns({ ...row, address: null, used_since: null });
  const { url: address, created_at, disabled_at } = row;
  const used_since = disabled_at === null ? created_at : null;
  return insertColumns({ ...row, address, used_since, url: HIDDEN_URL, disabled_at: disabled_at ?? created_at });
}

/** Those of a site that is being removed are gone with it. */
const withSites = (sql: Knex): Knex.QueryBuilder =>
  sql('webhooks as w')
    .leftJoin('sites as s', 's.id', 'w.site_id')
    .select(COLUMNS)
    .select(sql.raw(`${URL} AS url`), sql.raw(`${DISABLED_AT} AS disabled_at`))
    .where((shown) => shown.whereNull('w.site_id').orWhere({ 's.is_deleting': 0 }));

/** In the order in which they were added. */
export const selectWebhooksOfAccount = defineQuery<WebhookRow, { account_id: string }>((sql, { account_id }) =>
  withSites(sql).where({ 'w.account_id': account_id }).orderBy(['w.created_at', 'w.id']),
);

export const selectWebhookOfAccount = defineQuery<WebhookRow, { id: string; account_id: string }>(
  (sql, { id, account_id }) => withSites(sql).where({ 'w.id': id, 'w.account_id': account_id }),
);

/** What is recorded of the webhooks of a site. They stay as they are until the transaction ends. */
export const selectWebhooksOfSite = defineQuery<RecordedWebhook, { site_id: string }>((sql, { site_id }) =>
  sql('webhooks')
    .select('account_id', sql.raw(`${URL} AS url`))
    .where({ site_id })
    .orderBy(['created_at', 'id'])
    .forNoKeyUpdate(),
);

/** A webhook that gets a message. */
export interface UsedWebhookRow {
  readonly id: string;
  readonly format: string | null;
  readonly site_id: string | null;
}

const USED_COLUMNS = ['id', 'format', 'site_id'];

/** The webhooks in use that get the alerts of a site. None of them can be removed until the transaction ends. */
export const selectWebhooksInUse = defineQuery<UsedWebhookRow, { account_id: string; site_id: string }>(
  (sql, { account_id, site_id }) =>
    sql('webhooks')
      .select(USED_COLUMNS)
      .where({ account_id })
      .whereRaw(IN_USE)
      .andWhere((meant) => meant.whereNull('site_id').orWhere({ site_id }))
      .orderBy(['created_at', 'id'])
      .forKeyShare(),
);

/** One that a test may be sent to: it is in use, or was never turned on. It cannot be removed until the transaction ends. */
export const selectWebhookToTry = defineQuery<UsedWebhookRow, { id: string; account_id: string }>(
  (sql, { id, account_id }) =>
    sql('webhooks')
      .select(USED_COLUMNS)
      .where({ id, account_id })
      .andWhere((tried) => tried.whereRaw(IN_USE).orWhere({ is_new: 1 }))
      .forKeyShare(),
);

/** Where to send to, and what to sign with. */
export const selectWebhookToSend = defineQuery<
  Pick<WebhookRow, 'url' | 'format' | 'site_id' | 'disabled_at' | 'is_new'> & { readonly secret: string },
  { id: string }
>((sql, { id }) =>
  sql('webhooks as w')
    .select('secret', 'format', 'site_id', 'is_new', sql.raw(`${URL} AS url`), sql.raw(`${DISABLED_AT} AS disabled_at`))
    .where({ id }),
);

export const updateWebhookSecret = defineQuery<never, { id: string; account_id: string; secret: string }>(
  (sql, { id, account_id, secret }) => sql('webhooks').where({ id, account_id }).update({ secret }),
);

type SiteOfWebhook = Pick<WebhookRow, 'id' | 'account_id' | 'site_id'> & { readonly now: string };

const hideWebhook = defineQuery<never, SiteOfWebhook>((sql, { id, account_id, site_id, now }) =>
  sql('webhooks')
    .where({ id, account_id })
    .update({
      ...{ site_id, url: HIDDEN_URL },
      address: sql.raw(URL),
      used_since: sql.raw('CASE WHEN address IS NOT NULL THEN used_since WHEN disabled_at IS NULL THEN ? END', [now]),
      disabled_at: sql.raw('COALESCE(disabled_at, ?)', [now]),
    }),
);

const showWebhook = defineQuery<never, SiteOfWebhook>((sql, { id, account_id, site_id, now }) =>
  sql('webhooks')
    .where({ id, account_id })
    .update({
      ...{ site_id, address: sql.raw('NULL'), used_since: sql.raw('NULL') },
      url: sql.raw(URL),
      disabled_at: sql.raw(`CASE WHEN NOT ${IN_USE} THEN COALESCE(disabled_at, ?) END`, [now]),
    }),
);

/** Has it be of one site, or of all; where it is and whether it is in use, other columns say then. */
export function updateWebhookSite({ id, account_id, site_id, format }: WebhookRow, now: string): Query<never> {
  return (isHidden({ format, site_id }) ? hideWebhook : showWebhook)({ id, account_id, site_id, now });
}

export const enableWebhook = defineQuery<never, { id: string; account_id: string; now: string }>(
  (sql, { id, account_id, now }) =>
    sql('webhooks')
      .where({ id, account_id })
      .update({
        disabled_at: sql.raw('CASE WHEN address IS NOT NULL THEN COALESCE(disabled_at, ?) END', [now]),
        used_since: sql.raw('CASE WHEN address IS NOT NULL THEN COALESCE(used_since, ?) END', [now]),
        failing_since: null,
        is_new: null,
      }),
);

/** One that is turned off. */
export type DisabledWebhookRow = Pick<WebhookRow, 'id' | 'account_id' | 'url' | 'format'>;

/** A row when it was in use. */
export const disableWebhook = defineQuery<DisabledWebhookRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks')
    .where({ id })
    .whereRaw(IN_USE)
    .update({ disabled_at: now, used_since: null, is_new: null })
    .returning(['id', 'account_id', 'format', sql.raw(`${URL} AS url`)]),
);

/** From here on it gets nothing more, tests included. */
export const closeWebhook = defineQuery<never, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks').where({ id }).update({ disabled_at: now, used_since: null, is_new: null }),
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
