import { InputError, ServiceError } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { defineDeletion } from '../../store/batches.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import { lockAccount } from '../accounts/accounts.js';
import { type AuditEventName, recordEvent, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consumeAll, limitOf, removeDefaultPort } from '../limits/limits.js';
import { listSites, lockOwnSite } from '../sites/site.js';
import { parseSiteInput } from '../sites/site-input.js';
import { foldTag, parseTag } from '../sites/site-settings.js';
import { newAlert } from './alert.js';
import { queueAlert } from './deliveries.js';
import { displayName, formatFor, newWebhookSecret, parseWebhookUrl, type WebhookFormat } from './webhook-receiver.js';

/** A webhook without its secret. */
export type Webhook = Readonly<ReturnType<typeof toWebhook>>;

export interface WebhookOfAccount {
  readonly accountId: string;
  readonly webhookId: string;
}

interface NewWebhook {
  readonly accountId: string;
  readonly url: string;
  /** A webhook format. By default, the format that fits the address. */
  readonly format?: string;
  /** The sites whose alerts the webhook gets: `shop.example.com`, `#tag`, or empty for all sites. */
  readonly scope?: string;
}

type WebhooksContext = Pick<Context, 'db' | 'clock'>;

export const WEBHOOKS_PER_ACCOUNT_MAX = 10;

export type WebhookRow = Row<'webhooks'> & Scope & { readonly format: WebhookFormat };

export const webhooks = table<'webhooks', WebhookRow>('webhooks');

const deleteDeliveries = defineDeletion('deliveries', 'webhook_id = ?');

type WebhookWithHostnameRow = WebhookRow & { readonly hostname: string | null };

/** Selects the account's webhooks, except those of sites that are being removed. */
function defineSelect(isLocked: boolean) {
  return defineQuery<WebhookWithHostnameRow, { account_id: string }>((sql, { account_id }) => {
    const rows = sql('webhooks as w')
      .leftJoin('sites as s', 's.id', 'w.site_id')
      .select('w.*', 's.hostname')
      .where({ 'w.account_id': account_id })
      .andWhere((shown) => shown.whereNull('w.site_id').orWhere({ 's.is_deleting': 0 }))
      .orderBy(['w.created_at', 'w.id']);
    return isLocked ? rows.forKeyShare('w') : rows;
  });
}

const selectWebhooks = defineSelect(false);

/** Selects and locks the webhooks, so that they cannot be removed until the transaction ends. */
const lockWebhooks = defineSelect(true);

/** @throws ServiceError not_found, also for another account's webhook */
async function findRow(
  sql: Sql,
  { accountId, webhookId }: WebhookOfAccount,
  select = selectWebhooks,
): Promise<WebhookWithHostnameRow> {
  const row = (await sql.run(select({ account_id: accountId }))).find(({ id }) => id === webhookId);
  if (!row) throw new ServiceError('not_found');
  return row;
}

/** @throws ServiceError not_found, also for another account's webhook */
export async function findWebhook(db: Database, request: WebhookOfAccount): Promise<Webhook> {
  return toWebhook(await findRow(db, request));
}

/** Lists the account's webhooks, oldest first. */
export async function listWebhooks(db: Database, account_id: string): Promise<readonly Webhook[]> {
  return (await db.run(selectWebhooks({ account_id }))).map(toWebhook);
}

/**
 * Adds a webhook.
 * @returns the webhook and its secret, which is not shown again; the secret is empty if messages are not signed
 * @throws InputError with field `url` or `site`
 */
export async function addWebhook(
  { db, clock, vetWebhook }: WebhooksContext & Pick<Context, 'vetWebhook'>,
  { accountId: account_id, url: text, format: chosen = '', scope = '' }: NewWebhook,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const url = await parseWebhookUrl(text, vetWebhook);
  const format = formatFor(url, chosen);
  const secret = format === 'signed' ? newWebhookSecret() : '';
  const now = clock.now();
  const row: WebhookRow = {
    id: newId('wh'),
    account_id,
    ...(await parseScope(db, account_id, scope)),
    url: url.href,
    secret,
    format,
    created_at: now.toISOString(),
    disabled_at: null,
  };
  const webhook = await db.transaction(async (tx) => {
    // Serializes concurrent additions.
    await lockAccount(tx, account_id);
    if (row.site_id !== null) await lockOwnSite(tx, { accountId: account_id, siteId: row.site_id });
    const others = await tx.run(selectWebhooks({ account_id }));
    if (others.some((other) => other.url === row.url && other.site_id === row.site_id && other.tag === row.tag)) {
      throw new InputError('The account already has a webhook at this address.', 'url');
    }
    if (others.length >= WEBHOOKS_PER_ACCOUNT_MAX) {
      throw new InputError(
        `An account can have at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks. Remove one first.`,
        'url',
      );
    }
    await tx.run(webhooks.insert(row));
    await record(tx, row, 'webhook_added', now);
    return toWebhook(await findRow(tx, { accountId: account_id, webhookId: row.id }));
  });
  return { webhook, secret };
}

/** Turns a webhook on again. @throws ServiceError not_found */
export async function enableWebhook({ db, clock }: WebhooksContext, request: WebhookOfAccount): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await findRow(tx, request, lockWebhooks);
    if (row.disabled_at === null) return;
    await tx.run(webhooks.update({ id: row.id }, { disabled_at: null }));
    await record(tx, row, 'webhook_enabled', clock.now());
  });
}

/** @throws ServiceError not_found */
export async function removeWebhook({ db, clock }: WebhooksContext, request: WebhookOfAccount): Promise<void> {
  const row = await findRow(db, request);
  // Disables the webhook first, so that it gets no messages while the old ones are deleted.
  await db.run(webhooks.update({ id: row.id }, { disabled_at: clock.now().toISOString() }));
  await deleteDeliveries(db, row.id);
  await db.transaction(async (tx) => {
    if (await tx.one(webhooks.delete({ id: row.id }))) await record(tx, row, 'webhook_removed', clock.now());
  });
}

/** Queues a test message. @throws ServiceError not_found; RateLimitError; InputError for a webhook that was turned off */
export async function sendTest({ db, clock }: WebhooksContext, request: WebhookOfAccount): Promise<void> {
  const now = clock.now();
  const message = 'This is a test. Messages of the type site.changed report changes to your sites.';
  await db.transaction(async (tx) => {
    const { disabled_at } = await findRow(tx, request, lockWebhooks);
    if (disabled_at !== null) throw new InputError('The webhook is turned off. Turn it on again first.');
    await consumeAll(tx, [limitOf('webhook-messages', request.accountId)], now);
    const { accountId, webhookId } = request;
    await queueAlert(tx, newAlert('test', { message }, now), { accountId, siteId: null }, [webhookId], now);
  });
}

function toWebhook(row: WebhookWithHostnameRow) {
  const { id, url, format, site_id, tag, hostname } = row;
  return {
    id,
    format,
    host: new URL(url).host,
    /** The host and, for a chat, the last characters of the address. */
    name: displayName(url, format),
    /** The address as pages show it. Most of a chat's address is hidden, because it is a secret. */
    address: format === 'signed' ? url : displayName(url, format),
    site: site_id === null ? null : { id: site_id, hostname: hostname ?? '' },
    tag,
    /** ISO 8601, UTC. */
    createdAt: row.created_at,
    /** Null while the webhook is on. */
    disabledAt: row.disabled_at,
  };
}

/** Records an event with only the host, because the rest of the address may be a secret. */
function record(tx: Tx, row: Pick<WebhookRow, 'account_id' | 'url'>, event: AuditEventName, now: Date): Promise<void> {
  return recordEvent(tx, { accountId: row.account_id, event, subject: new URL(row.url).host, now });
}

export async function recordRemovedWebhooks(
  tx: Tx,
  { accountId, siteIds, now }: { readonly accountId: string; readonly siteIds: readonly string[]; readonly now: Date },
): Promise<void> {
  const rows = await tx.run(webhooks.find({ account_id: accountId }, ['site_id', 'url'], 'created_at', 'id'));
  const removed = rows.filter(({ site_id }) => site_id !== null && siteIds.includes(site_id));
  const hosts = removed.map(({ url }) => new URL(url).host);
  await recordEvents(tx, { accountId, event: 'webhook_removed', now }, hosts);
}

/** Yields the account's webhooks, without secrets. */
export async function* exportWebhooks(db: Database, accountId: string): AsyncGenerator<object, void> {
  for (const { id, address, format, site, tag, createdAt, disabledAt } of await listWebhooks(db, accountId)) {
    yield { id, url: address, format, siteId: site?.id ?? null, tag, createdAt, disabledAt };
  }
}

/** The sites whose alerts a webhook gets: one site, the sites with a tag or, if both are null, all sites of the account. */
interface Scope {
  readonly site_id: string | null;
  readonly tag: string | null;
}

/** Parses the host name of a site of the account, or `#tag`. Empty text means all sites. @throws InputError with field `site` */
async function parseScope(db: Database, accountId: string, text: string): Promise<Scope> {
  const name = text.trim();
  if (name === '') return { site_id: null, tag: null };
  const own = await listSites(db, accountId);
  try {
    if (name.startsWith('#')) {
      const tag = foldTag(parseTag(name.slice(1)));
      if (own.some(({ tags }) => tags.map(foldTag).includes(tag))) return { site_id: null, tag };
      throw new InputError(`None of your sites has the tag ${name.slice(1)}. Enter one of their tags.`);
    }
    const exact = own.find((one) => one.hostname === name.toLowerCase());
    const { hostname } = exact ?? parseSiteInput(name);
    const site = own.find((one) => removeDefaultPort(one.hostname) === removeDefaultPort(hostname));
    if (site) return { site_id: site.id, tag: null };
    throw new InputError(
      `You have no site ${hostname}. Enter the host name of one of your sites, #tag for the sites with a tag, or nothing for all sites.`,
    );
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, 'site') : error;
  }
}
