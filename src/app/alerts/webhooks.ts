import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { newWebhookSecret } from './webhook-signature.js';
import type { WebhookRefusal } from '../../net/vet-webhook.js';
import { selectEmailAlerts, updateEmailAlerts } from './alert-state-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { deliveryOf } from './delivery-log.js';
import { deleteSomeDeliveriesOfWebhook, selectLastDeliveriesOfWebhook } from './delivery-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  selectWebhookOfAccount,
  selectWebhooksOfAccount,
  updateWebhookSecret,
  type WebhookRow,
} from './webhook-statements.js';
import { recordEvent } from '../audit/audit.js';
import { untilNone } from '../kept.js';
import { noSuchAccount, parseAccountId } from '../accounts/accounts.js';
import { workOff } from '../../queue/steps.js';
import { addWebhook, parseWebhookUrl, recordWebhook } from './add-webhook.js';
import { findOwnWebhook, found, ownedKey } from './own-webhook.js';
import { createWebhookMessages, type WebhookMessagesDeps } from './webhook-messages.js';
import type { WatchedWebhook, Webhook, WebhookOfAccount } from './webhook.js';

interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface WebhooksDeps extends WebhookMessagesDeps {
  /** Why a webhook may not be at this address; null when it may. */
  readonly vetWebhook: (url: URL) => Promise<WebhookRefusal | null>;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
}

/**
 * Where an account is told of changes of its sites: its webhooks, and its e-mail address. Methods that name a webhook reject
 * with ServiceError not_found for one that does not exist.
 */
export function createWebhooks(deps: WebhooksDeps) {
  const { db, clock, vetWebhook, hasMail } = deps;
  return {
    ...createWebhookMessages(deps),
    watch: async (accountId: string): Promise<readonly WatchedWebhook[]> => watchAll(db, parseAccountId(accountId)),
    async get(request: WebhookOfAccount): Promise<Webhook> {
      return webhookOf(await findOwnWebhook(db, request));
    },
    /**
     * @returns the secret too, which is shown this once: `whsec_…`
     * @throws InputError (field `url`) for an address that is not an https URL (or http where the operator allows the target), that the
     * guard refuses, that the account has already, or one too many
     */
    async add({ accountId, url }: { readonly accountId: string; readonly url: string }): Promise<WebhookWithSecret> {
      const account_id = parseAccountId(accountId);
      const secret = newWebhookSecret();
      const row = {
        id: newId('wh'),
        account_id,
        url: await parseWebhookUrl(url, vetWebhook),
        created_at: clock.now().toISOString(),
      };
      await db.transaction(() => addWebhook({ ...row, secret }, clock.now()));
      return { webhook: webhookOf({ ...row, disabled_at: null }), secret };
    },
    /** A new secret; messages are signed with it from now on. */
    async rotateSecret(request: WebhookOfAccount): Promise<WebhookWithSecret> {
      const secret = newWebhookSecret();
      const key = ownedKey(request);
      const row = await db.transaction(function* () {
        const changed = found(yield* one(updateWebhookSecret({ ...key, secret })));
        yield* recordWebhook(changed, 'webhook_secret_changed', clock.now());
        return changed;
      });
      return { webhook: webhookOf(row), secret };
    },
    /** Has it used again after it was disabled. */
    async enable(request: WebhookOfAccount): Promise<Webhook> {
      const key = ownedKey(request);
      return webhookOf(await db.transaction(() => enableOwn(key, clock.now())));
    },
    async remove(request: WebhookOfAccount): Promise<Webhook> {
      const row = await findOwnWebhook(db, request);
      // From here on it is given no more messages: those that it has can go a few at a time, the webhook last.
      await db.run(disableWebhook({ id: row.id, now: clock.now().toISOString() }));
      await workOff(untilNone(db, deleteSomeDeliveriesOfWebhook({ webhook_id: row.id })), Infinity);
      await db.transaction(function* () {
        if (yield* one(deleteWebhook(ownedKey(request)))) yield* recordWebhook(row, 'webhook_removed', clock.now());
      });
      return webhookOf(row);
    },
    /** Whether alerts go to the account's e-mail address; null where the operator has configured no mail server. */
    async emailAlerts(accountId: string): Promise<boolean | null> {
      if (!hasMail) return null;
      const row = await runOne(db, selectEmailAlerts({ id: parseAccountId(accountId) }));
      if (!row) throw noSuchAccount();
      return row.email_alerts_since !== null;
    },
    /** @throws InputError where the operator has configured no mail server */
    async setEmailAlerts(accountId: string, isOn: boolean): Promise<void> {
      if (isOn && !hasMail) throw new InputError('This service has no mail server, so it cannot send e-mail.');
      const since = isOn ? clock.now().toISOString() : null;
      const id = parseAccountId(accountId);
      await db.transaction(() => turnEmailAlerts(id, since, clock.now()));
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** A webhook that is in use already is not an event. */
function* enableOwn(key: { readonly id: string; readonly account_id: string }, now: Date): Transaction<WebhookRow> {
  const before = found(yield* one(selectWebhookOfAccount(key)));
  if (before.disabled_at !== null) yield* recordWebhook(before, 'webhook_enabled', now);
  return found(yield* one(enableWebhook(key)));
}

/** Alerts that are on already, or off, are not events. */
function* turnEmailAlerts(id: string, since: string | null, now: Date): Transaction<void> {
  const before = yield* one(selectEmailAlerts({ id }));
  yield* execute(updateEmailAlerts({ id, since }));
  const isOn = since !== null;
  if (!before || (before.email_alerts_since !== null) === isOn) return;
  const event = isOn ? 'email_alerts_turned_on' : 'email_alerts_turned_off';
  yield* recordEvent({ accountId: id, event, now });
}

async function watchAll(db: Database, account_id: string): Promise<WatchedWebhook[]> {
  const rows = await db.run(selectWebhooksOfAccount({ account_id }));
  return Promise.all(rows.map((row) => watchedOf(db, row)));
}

async function watchedOf(db: Database, row: WebhookRow): Promise<WatchedWebhook> {
  const last = await db.run(selectLastDeliveriesOfWebhook({ webhook_id: row.id }));
  return { ...webhookOf(row), last: last.map(deliveryOf) };
}

function webhookOf({ id, url, created_at, disabled_at }: WebhookRow): Webhook {
  return { id, url, createdAt: created_at, disabledAt: disabled_at };
}
