import { ServiceError } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { defineDeletion } from '../../store/batches.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import type { Row } from '../../store/tables.js';
import { lockAccount, parseAccountId } from '../accounts/accounts.js';
import { type AuditEventName, recordEvent, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consumeAll, limitOf } from '../limits/limits.js';
import { lockOwnSite } from '../sites/site.js';
import { addMessage, type Delivery, readLog } from './deliveries.js';
import { newMessage } from './messages.js';
import { newWebhookSecret } from './post-message.js';
import { alertAddress, setEmailAlerts } from './recipients.js';
import {
  type ChosenFormat,
  displayAddress,
  displayName,
  formatFor,
  parseWebhookUrl,
  type WebhookFormat,
} from './webhook-format.js';
import { parseScope, type Scope } from './webhook-scope.js';

export interface Webhook {
  readonly id: string;
  readonly format: WebhookFormat;
  readonly host: string;
  /** Short name: the host, with the last characters of a chat's address. */
  readonly name: string;
  /** Shown on pages. Most of a chat's address is hidden, since it is a secret. */
  readonly address: string;
  readonly site: { readonly id: string; readonly hostname: string } | null;
  readonly tag: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Null while the webhook is on. */
  readonly disabledAt: string | null;
}

/** A webhook with its latest ten messages, newest first. */
export interface WatchedWebhook extends Webhook {
  readonly last: readonly Delivery[];
}

interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface WebhookOfAccount {
  readonly accountId: string;
  readonly webhookId: string;
}

interface NewWebhook {
  readonly accountId: string;
  readonly url: string;
  readonly format?: ChosenFormat;
  /** The sites whose alerts the webhook gets: `shop.example.com`, `#tag`, or empty for all sites. */
  readonly scope?: string;
}

export const WEBHOOKS_PER_ACCOUNT_MAX = 10;

export type WebhookRow = Row<'webhooks'> & Scope & { readonly format: WebhookFormat };

export const webhooks = table<'webhooks', WebhookRow>('webhooks');

/** Locks the webhook: it cannot be removed until the transaction ends. */
const lockWebhook = defineQuery<WebhookRow, { id: string; account_id: string }>((sql, { id, account_id }) =>
  sql('webhooks').where({ id, account_id }).forKeyShare(),
);

const deleteMessages = defineDeletion('deliveries', 'webhook_id = ?');

/** A webhook with the host name of its site. */
interface WebhookOfSiteRow extends WebhookRow {
  readonly hostname: string | null;
}

/** Leaves out the webhooks of a site that is being removed. */
const selectOfAccount = defineQuery<WebhookOfSiteRow, { account_id: string }>((sql, { account_id }) =>
  sql('webhooks as w')
    .leftJoin('sites as s', 's.id', 'w.site_id')
    .select('w.*', 's.hostname')
    .where({ 'w.account_id': account_id })
    .andWhere((shown) => shown.whereNull('w.site_id').orWhere({ 's.is_deleting': 0 }))
    .orderBy(['w.created_at', 'w.id']),
);

/** The webhooks of accounts. Methods that name a webhook reject with ServiceError not_found, also for another account's. */
export class Webhooks {
  constructor(private readonly context: Pick<Context, 'db' | 'clock' | 'hasMail' | 'vetWebhook'>) {}

  /**
   * Adds a webhook.
   * @returns the secret, which is not shown again; empty if messages are not signed
   * @throws InputError with field `url` or `site`
   */
  async add({ accountId, url: text, format: chosen = 'auto', scope = '' }: NewWebhook): Promise<WebhookWithSecret> {
    const { db, clock, vetWebhook } = this.context;
    const account_id = parseAccountId(accountId);
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
      // So that concurrent additions see one another.
      await lockAccount(tx, account_id);
      if (row.site_id !== null) await lockOwnSite(tx, { accountId: account_id, siteId: row.site_id });
      const others = await tx.run(selectOfAccount({ account_id }));
      if (others.some((other) => other.url === row.url && other.site_id === row.site_id && other.tag === row.tag)) {
        throw new InputError('The account has a webhook at this address already.', 'url');
      }
      if (others.length >= WEBHOOKS_PER_ACCOUNT_MAX) {
        throw new InputError(`An account has at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks. Remove one first.`, 'url');
      }
      await tx.run(webhooks.insert(row));
      await record(tx, row, 'webhook_added', now);
      return webhookOf(await readOne(tx, { accountId: account_id, webhookId: row.id }));
    });
    return { webhook, secret };
  }

  /** Replaces the secret at once. @throws ServiceError not_found also if messages are not signed */
  async rotateSecret(request: WebhookOfAccount): Promise<WebhookWithSecret> {
    const { db, clock } = this.context;
    const secret = newWebhookSecret();
    return db.transaction(async (tx) => {
      const row = await readOne(tx, request);
      if (row.format !== 'signed') throw new ServiceError('not_found');
      await tx.run(webhooks.update({ id: row.id }, { secret }));
      await record(tx, row, 'webhook_secret_changed', clock.now());
      return { webhook: webhookOf(row), secret };
    });
  }

  async enable(request: WebhookOfAccount): Promise<void> {
    const { db, clock } = this.context;
    await db.transaction(async (tx) => {
      const row = await readOne(tx, request);
      if (row.disabled_at === null) return;
      await tx.run(webhooks.update({ id: row.id }, { disabled_at: null }));
      await record(tx, row, 'webhook_enabled', clock.now());
    });
  }

  async remove(request: WebhookOfAccount): Promise<void> {
    const { db, clock } = this.context;
    const row = await readOne(db, request);
    // No run queues further messages in the meantime.
    await db.run(webhooks.update({ id: row.id }, { disabled_at: clock.now().toISOString() }));
    await deleteMessages(db, row.id);
    await db.transaction(async (tx) => {
      if (await tx.one(webhooks.delete({ id: row.id }))) await record(tx, row, 'webhook_removed', clock.now());
    });
  }

  async watch(accountId: string): Promise<readonly WatchedWebhook[]> {
    const { db } = this.context;
    const rows = await db.run(selectOfAccount({ account_id: parseAccountId(accountId) }));
    return Promise.all(
      rows.map(async (row) => ({ ...webhookOf(row), last: (await readLog(db, row.id)).slice(0, 10) })),
    );
  }

  async get(request: WebhookOfAccount): Promise<Webhook> {
    return webhookOf(await readOne(this.context.db, request));
  }

  /** Returns the latest messages, newest first. */
  async log(request: WebhookOfAccount): Promise<readonly Delivery[]> {
    const { id } = await readOne(this.context.db, request);
    return readLog(this.context.db, id);
  }

  /** Queues a test message. @throws RateLimitError; InputError for a webhook that was turned off */
  async sendTest({ accountId, webhookId }: WebhookOfAccount): Promise<void> {
    const { db, clock } = this.context;
    const now = clock.now();
    const message = 'This is a test. Messages of the type site.changed report changes of your sites.';
    await db.transaction(async (tx) => {
      const webhook = await tx.one(lockWebhook({ id: webhookId, account_id: accountId }));
      if (!webhook) throw new ServiceError('not_found');
      if (webhook.disabled_at !== null) {
        throw new InputError('The webhook is turned off. Turn it on again first.');
      }
      await consumeAll(tx, [limitOf('webhook-messages', accountId)], now);
      await addMessage(tx, { accountId, webhookId, siteId: null }, newMessage('test', { message }, now), now);
    });
  }

  /** True if alerts go to the account's email address; null if the service sends no email. */
  async emailAlerts(accountId: string): Promise<boolean | null> {
    const { db, hasMail } = this.context;
    return hasMail ? (await alertAddress(db, parseAccountId(accountId))) !== null : null;
  }

  /** @throws InputError if the service sends no email */
  async setEmailAlerts(accountId: string, isOn: boolean): Promise<void> {
    await setEmailAlerts(this.context, parseAccountId(accountId), isOn);
  }
}

/** @throws ServiceError not_found */
async function readOne(sql: Sql, { accountId, webhookId }: WebhookOfAccount): Promise<WebhookOfSiteRow> {
  const row = (await sql.run(selectOfAccount({ account_id: accountId }))).find(({ id }) => id === webhookId);
  if (!row) throw new ServiceError('not_found');
  return row;
}

function webhookOf(row: WebhookOfSiteRow): Webhook {
  const { id, url, format, site_id, tag, hostname, created_at: createdAt, disabled_at: disabledAt } = row;
  const site = site_id === null ? null : { id: site_id, hostname: hostname ?? '' };
  const name = displayName(url, format);
  const address = displayAddress(url, format);
  return { id, format, host: new URL(url).host, name, address, site, tag, createdAt, disabledAt };
}

/** Records only the host: the rest of the address may be a secret. */
function record(tx: Tx, row: Pick<WebhookRow, 'account_id' | 'url'>, event: AuditEventName, now: Date): Promise<void> {
  return recordEvent(tx, { accountId: row.account_id, event, subject: new URL(row.url).host, now });
}

/** Records the webhooks that are removed with their sites. */
export async function recordWebhooksOf(
  tx: Tx,
  { accountId, siteIds, now }: { readonly accountId: string; readonly siteIds: readonly string[]; readonly now: Date },
): Promise<void> {
  const rows = await tx.run(webhooks.find({ account_id: accountId }, ['site_id', 'url'], 'created_at', 'id'));
  const removed = rows.filter(({ site_id }) => site_id !== null && siteIds.includes(site_id));
  const hosts = removed.map(({ url }) => new URL(url).host);
  await recordEvents(tx, { accountId, event: 'webhook_removed', now }, hosts);
}

/** Returns the account's webhooks for its export, without secrets. */
export async function* webhookLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  for (const row of await db.run(selectOfAccount({ account_id }))) {
    const { id, address, format, site, tag, createdAt, disabledAt } = webhookOf(row);
    yield { id, url: address, format, siteId: site?.id ?? null, tag, createdAt, disabledAt };
  }
}
