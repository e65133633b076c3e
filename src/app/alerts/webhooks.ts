import { ServiceError } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { inBatches } from '../../store/cleanup.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, deleteReturning } from '../../store/query.js';
import { table } from '../../store/table.js';
import { lockAccount, parseAccountId } from '../accounts/accounts.js';
import { type AuditEventName, recordEvent, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { lockOwnSite, type OwnSite } from '../sites/own-site.js';
import { type Delivery, type Log, readLog, sendAgain, sendTest } from './deliveries.js';
import { newWebhookSecret } from './post-message.js';
import { isEmailOn, setEmailAlerts } from './recipients.js';
import {
  type ChosenFormat,
  parseWebhookUrl,
  displayAddress,
  displayName,
  type WebhookFormat,
} from './webhook-format.js';
import { parseScope, refuseDuplicate, type Scope } from './webhook-scope.js';

/** An address of an account that gets the alerts of one site, of the sites with a tag, or (if both are null) of all. */
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
  /** True if it was never turned on. A chat's webhook is off until its owner has seen a test message there. */
  readonly isNew: boolean;
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
  /** See {@link Webhooks.setScope}. */
  readonly scope?: string;
}

export const WEBHOOKS_PER_ACCOUNT_MAX = 10;

interface WebhookRow extends Scope {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly secret: string;
  readonly format: WebhookFormat;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly failing_since: string | null;
  readonly is_new: number | null;
}

const webhooks = table<WebhookRow>('webhooks', ['id']);

/** Locks the webhook: it cannot be removed until the transaction ends. */
const lockWebhook = defineQuery<object, { id: string; account_id: string }>((sql, { id, account_id }) =>
  sql('webhooks').select('id').where({ id, account_id }).forKeyShare(),
);

const deleteSomeMessages = defineQuery<object, { webhook_id: string }>((sql, { webhook_id }) => {
  const some = sql('deliveries').select('id').where({ webhook_id }).limit(500);
  return deleteReturning(sql, sql('deliveries').whereIn('id', some), 'id');
});

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
  constructor(private readonly deps: Pick<Context, 'db' | 'clock' | 'hasMail' | 'vetWebhook'>) {}

  /**
   * Adds a webhook. A chat's webhook is off until {@link enable}.
   * @returns the secret, which is not shown again; empty if messages are not signed
   * @throws InputError with field `url`, `format` or `site`
   */
  async add({ accountId, url, format: chosen = 'auto', scope = '' }: NewWebhook): Promise<WebhookWithSecret> {
    const { db, clock, vetWebhook } = this.deps;
    const account_id = parseAccountId(accountId);
    const { url: target, format } = await parseWebhookUrl(url, chosen, vetWebhook);
    const secret = format === 'signed' ? newWebhookSecret() : '';
    const now = clock.now();
    const created_at = now.toISOString();
    const off = format === 'signed' ? null : created_at;
    const row: WebhookRow = {
      id: newId('wh'),
      account_id,
      ...(await parseScope(db, account_id, scope)),
      url: target,
      secret,
      format,
      created_at,
      disabled_at: off,
      failing_since: null,
      is_new: off === null ? null : 1,
    };
    const webhook = await db.transaction(async (tx) => {
      const others = await lockOthers(tx, row);
      if (others.length >= WEBHOOKS_PER_ACCOUNT_MAX) {
        throw new InputError(`An account has at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks. Remove one first.`, 'url');
      }
      refuseDuplicate(row, others, 'url');
      await tx.run(webhooks.insert(row));
      await record(tx, row, 'webhook_added', now);
      return webhookOf(await readOne(tx, { accountId: account_id, webhookId: row.id }));
    });
    return { webhook, secret };
  }

  /** Sets the sites whose alerts the webhook gets: `shop.example.com`, `#tag`, or empty for all sites. @throws InputError with field `site` */
  async setScope({ scope: text, ...request }: WebhookOfAccount & { readonly scope: string }): Promise<Webhook> {
    const scope = await parseScope(this.deps.db, request.accountId, text);
    return this.#change(request, async (tx, before) => {
      refuseDuplicate({ ...before, ...scope }, await lockOthers(tx, { ...before, ...scope }), 'site');
      if (scope.site_id === before.site_id && scope.tag === before.tag) return;
      await tx.run(webhooks.update({ id: before.id }, scope));
      await record(tx, before, 'webhook_scope_changed', this.deps.clock.now());
    });
  }

  /** Replaces the secret at once. @throws ServiceError not_found also if messages are not signed */
  async rotateSecret(request: WebhookOfAccount): Promise<WebhookWithSecret> {
    const secret = newWebhookSecret();
    const webhook = await this.#change(request, async (tx, before) => {
      if (before.format !== 'signed') throw new ServiceError('not_found');
      await tx.run(webhooks.update({ id: before.id }, { secret }));
      await record(tx, before, 'webhook_secret_changed', this.deps.clock.now());
    });
    return { webhook, secret };
  }

  async enable(request: WebhookOfAccount): Promise<Webhook> {
    return this.#change(request, async (tx, before) => {
      if (before.disabled_at === null) return;
      await tx.run(webhooks.update({ id: before.id }, { disabled_at: null, failing_since: null, is_new: null }));
      await record(tx, before, 'webhook_enabled', this.deps.clock.now());
    });
  }

  async remove(request: WebhookOfAccount): Promise<void> {
    const { db, clock } = this.deps;
    const row = await readOne(db, request);
    // A webhook that is off gets no more messages, so its log can be deleted in batches.
    await db.run(webhooks.update({ id: row.id }, { disabled_at: clock.now().toISOString(), is_new: null }));
    await inBatches(db, deleteSomeMessages({ webhook_id: row.id }));
    await db.transaction(async (tx) => {
      if (await tx.one(webhooks.delete({ id: row.id }))) await record(tx, row, 'webhook_removed', clock.now());
    });
  }

  async watch(accountId: string): Promise<readonly WatchedWebhook[]> {
    const { db } = this.deps;
    const rows = await db.run(selectOfAccount({ account_id: parseAccountId(accountId) }));
    return Promise.all(
      rows.map(async (row) => ({ ...webhookOf(row), last: (await readLog(db, row.id, { limit: 10 })).deliveries })),
    );
  }

  /** Returns the webhooks that get the alerts of this site only. */
  async ofSite({ id, accountId }: OwnSite): Promise<readonly Webhook[]> {
    const rows = await this.deps.db.run(selectOfAccount({ account_id: accountId }));
    return rows.filter(({ site_id }) => site_id === id).map(webhookOf);
  }

  async get(request: WebhookOfAccount): Promise<Webhook> {
    return webhookOf(await readOne(this.deps.db, request));
  }

  /** Reads at most 100 messages, newest first. @param before only messages older than this one */
  async log({ before, limit, ...request }: WebhookOfAccount & { before?: string; limit: number }): Promise<Log> {
    const { id } = await readOne(this.deps.db, request);
    return readLog(this.deps.db, id, { before, limit });
  }

  /** Queues a test message. @throws TooSoonError; InputError for a webhook that was turned off */
  async sendTest(request: WebhookOfAccount): Promise<Delivery> {
    return this.#send(request, sendTest);
  }

  /** Queues a message from the log again, under the same id, unless it is being sent. @throws as {@link sendTest} */
  async sendAgain({ deliveryId, ...request }: WebhookOfAccount & { readonly deliveryId: string }): Promise<Delivery> {
    return this.#send(request, (tx, webhook, now) => sendAgain(tx, webhook, deliveryId, now));
  }

  /** True if alerts go to the account's email address; null if the service sends no email. */
  async emailAlerts(accountId: string): Promise<boolean | null> {
    return this.deps.hasMail ? isEmailOn(this.deps.db, parseAccountId(accountId)) : null;
  }

  /** @throws InputError if the service sends no email */
  async setEmailAlerts(accountId: string, isOn: boolean): Promise<void> {
    await setEmailAlerts(this.deps, parseAccountId(accountId), isOn);
  }

  async #change(
    request: WebhookOfAccount,
    work: (tx: Tx, before: WebhookOfSiteRow) => Promise<void>,
  ): Promise<Webhook> {
    return this.deps.db.transaction(async (tx) => {
      await work(tx, await readOne(tx, request));
      return webhookOf(await readOne(tx, request));
    });
  }

  async #send(
    request: WebhookOfAccount,
    work: (tx: Tx, webhook: WebhookOfSiteRow, now: Date) => Promise<Delivery>,
  ): Promise<Delivery> {
    const { db, clock } = this.deps;
    return db.transaction(async (tx) => {
      await tx.run(lockWebhook({ id: request.webhookId, account_id: request.accountId }));
      return work(tx, await readOne(tx, request), clock.now());
    });
  }
}

/** @throws ServiceError not_found */
async function readOne(sql: Sql, { accountId, webhookId }: WebhookOfAccount): Promise<WebhookOfSiteRow> {
  const row = (await sql.run(selectOfAccount({ account_id: accountId }))).find(({ id }) => id === webhookId);
  if (!row) throw new ServiceError('not_found');
  return row;
}

function webhookOf(row: WebhookOfSiteRow): Webhook {
  const { id, url, format, site_id, tag, hostname, created_at, disabled_at, is_new } = row;
  return {
    id,
    format,
    host: new URL(url).host,
    name: displayName(url, format),
    address: displayAddress(url, format),
    site: site_id === null ? null : { id: site_id, hostname: hostname ?? '' },
    tag,
    createdAt: created_at,
    disabledAt: disabled_at,
    isNew: disabled_at !== null && is_new === 1,
  };
}

/** Locks the account, so that concurrent changes see one another, and reads its other webhooks. */
async function lockOthers(
  tx: Tx,
  { id, account_id, site_id }: Pick<WebhookRow, 'id' | 'account_id' | 'site_id'>,
): Promise<readonly WebhookOfSiteRow[]> {
  await lockAccount(tx, account_id);
  if (site_id !== null) await lockOwnSite(tx, { accountId: account_id, siteId: site_id });
  return (await tx.run(selectOfAccount({ account_id }))).filter((other) => other.id !== id);
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
