import { newId } from '../../platform/ids.js';
import { newWebhookSecret } from './webhook-signature.js';
import type { WebhookRefusal } from '../../net/vet-webhook.js';
import type { Database } from '../../store/database.js';
import { deliveryOf } from './delivery-log.js';
import { deleteSomeDeliveriesOfWebhook, selectLastDeliveriesOfWebhook } from './delivery-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import {
  closeWebhook,
  deleteWebhook,
  enableWebhook,
  selectWebhookOfAccount,
  selectWebhooksOfAccount,
  updateWebhookSecret,
  type WebhookRow,
} from './webhook-statements.js';
import { untilNone } from '../kept.js';
import { parseAccountId } from '../accounts/accounts.js';
import type { OwnSite } from '../sites/own-site.js';
import { workOff } from '../../queue/steps.js';
import { addWebhook, parseWebhookSite, parseWebhookUrl, recordWebhook, setWebhookSite } from './add-webhook.js';
import { createMailChoices, type MailChoicesDeps } from './mail-choices.js';
import { findOwnWebhook, found, ownedKey } from './own-webhook.js';
import { createWebhookMessages, type WebhookMessagesDeps } from './webhook-messages.js';
import { type WatchedWebhook, type Webhook, type WebhookOfAccount, webhookOf } from './webhook.js';
import type { ChosenFormat } from './webhook-format.js';

interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface WebhooksDeps extends WebhookMessagesDeps, MailChoicesDeps {
  /** Why a webhook may not be at this address; null when it may. */
  readonly vetWebhook: (url: URL) => Promise<WebhookRefusal | null>;
}

/** A webhook to add. */
interface AddedWebhook {
  readonly accountId: string;
  readonly url: string;
  /** By default that of the service whose address it is. */
  readonly format?: ChosenFormat;
  /** The host name of the one site whose alerts it gets, or the address of any of its pages; left out or empty: of all. */
  readonly site?: string;
}

/**
 * Where an account is told of changes of its sites: its webhooks, and its e-mail address. Methods that name a webhook reject
 * with ServiceError not_found for one that does not exist.
 */
export function createWebhooks(deps: WebhooksDeps) {
  const { db, clock, vetWebhook } = deps;
  return {
    ...createWebhookMessages(deps),
    hasMail: deps.hasMail,
    ...createMailChoices(deps),
    ...createWebhookReads(db),
    /**
     * One that takes signed messages is in use at once. A chat's is turned on by {@link enable}, once its holder has seen how messages look there.
     * @returns the secret too, which is shown this once: `whsec_…`; empty where messages are not signed
     * @throws InputError (field `url`, `format` or `site`) for an address that is not an https URL (or http where the operator allows the
     * target), that the guard refuses, that takes no such format, that the account has already, or one too many; or for a site that is not the account's
     */
    async add({ accountId, url, format = 'auto', site = '' }: AddedWebhook): Promise<WebhookWithSecret> {
      const account_id = parseAccountId(accountId);
      const place = await parseWebhookUrl(url, format, vetWebhook);
      const isSigned = place.format === 'signed';
      const secret = isSigned ? newWebhookSecret() : '';
      const created_at = clock.now().toISOString();
      const row = {
        ...{ id: newId('wh'), account_id, url: place.url, secret, created_at },
        format: isSigned ? null : place.format,
        site_id: await parseWebhookSite(db, account_id, site),
        disabled_at: isSigned ? null : created_at,
        is_new: isSigned ? null : 1,
      };
      const added = await db.transaction(function* () {
        yield* addWebhook(row, clock.now());
        return found(yield* one(selectWebhookOfAccount({ id: row.id, account_id })));
      });
      return { webhook: webhookOf(added), secret };
    },
    /**
     * Has it get the alerts of one site, or (empty) of all, from now on.
     * @throws InputError (field `site`) as {@link add}
     */
    async setSite({ site, ...request }: WebhookOfAccount & { readonly site: string }): Promise<Webhook> {
      const key = ownedKey(request);
      const site_id = await parseWebhookSite(db, key.account_id, site);
      return webhookOf(await change(db, key, (before) => setWebhookSite(before, site_id, clock.now())));
    },
    /** A new secret; messages are signed with it from now on. @throws ServiceError not_found where they are not signed */
    async rotateSecret(request: WebhookOfAccount): Promise<WebhookWithSecret> {
      const secret = newWebhookSecret();
      const key = ownedKey(request);
      const row = await change(db, key, function* (before) {
        found(before.format === null ? before : undefined);
        yield* execute(updateWebhookSecret({ ...key, secret }));
        yield* recordWebhook(before, 'webhook_secret_changed', clock.now());
      });
      return { webhook: webhookOf(row), secret };
    },
    /** Has it used, for the first time or again. One that is in use already is not an event. */
    async enable(request: WebhookOfAccount): Promise<Webhook> {
      const key = ownedKey(request);
      const row = await change(db, key, function* (before) {
        if (before.disabled_at !== null) yield* recordWebhook(before, 'webhook_enabled', clock.now());
        yield* execute(enableWebhook({ ...key, now: clock.now().toISOString() }));
      });
      return webhookOf(row);
    },
    async remove(request: WebhookOfAccount): Promise<Webhook> {
      const row = await findOwnWebhook(db, request);
      // From here on it is given no more messages: those that it has can go a few at a time, the webhook last.
      await db.run(closeWebhook({ id: row.id, now: clock.now().toISOString() }));
      await workOff(untilNone(db, deleteSomeDeliveriesOfWebhook({ webhook_id: row.id })), Infinity);
      await db.transaction(function* () {
        if (yield* one(deleteWebhook(ownedKey(request)))) yield* recordWebhook(row, 'webhook_removed', clock.now());
      });
      return webhookOf(row);
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function createWebhookReads(db: Database) {
  return {
    watch: async (accountId: string): Promise<readonly WatchedWebhook[]> => watchAll(db, parseAccountId(accountId)),
    /** Those that get the alerts of this site alone. */
    async listOf({ id, accountId }: OwnSite): Promise<readonly Webhook[]> {
      const rows = await db.run(selectWebhooksOfAccount({ account_id: accountId }));
      return rows.filter(({ site_id }) => site_id === id).map(webhookOf);
    },
    async get(request: WebhookOfAccount): Promise<Webhook> {
      return webhookOf(await findOwnWebhook(db, request));
    },
  };
}

/** @returns the webhook as it is then */
function change(
  db: Database,
  key: ReturnType<typeof ownedKey>,
  work: (before: WebhookRow) => Transaction<void>,
): Promise<WebhookRow> {
  return db.transaction(function* () {
    yield* work(found(yield* one(selectWebhookOfAccount(key))));
    return found(yield* one(selectWebhookOfAccount(key)));
  });
}

async function watchAll(db: Database, account_id: string): Promise<WatchedWebhook[]> {
  const rows = await db.run(selectWebhooksOfAccount({ account_id }));
  return Promise.all(rows.map((row) => watchedOf(db, row)));
}

async function watchedOf(db: Database, row: WebhookRow): Promise<WatchedWebhook> {
  const last = await db.run(selectLastDeliveriesOfWebhook({ webhook_id: row.id }));
  return { ...webhookOf(row), last: last.map(deliveryOf) };
}
