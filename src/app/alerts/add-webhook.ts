import { InputError } from '../../platform/input-error.js';
import type { WebhookRefusal } from '../../net/vet-webhook.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import {
  insertWebhook,
  type NewWebhookRow,
  type RecordedWebhook,
  selectWebhooksOfAccount,
  selectWebhooksOfSite,
  updateWebhookSite,
  type WebhookRow,
} from './webhook-statements.js';
import { type AuditEventName, recordEvent } from '../audit/audit.js';
import { holdAccount } from '../accounts/accounts.js';
import { holdOwnSite } from '../sites/own-site.js';
import { listSites } from '../sites/site.js';
import { hostOf, parseSiteName, type SiteAddress } from '../sites/site-input.js';
import type { Database } from '../../store/database.js';
import { WEBHOOKS_PER_ACCOUNT_MAX } from './webhook.js';
import { type ChosenFormat, formatFor, type WebhookFormat } from './webhook-format.js';

const URL_CHARS_MAX = 2048;
const NO_CREDENTIALS = 'Give an address without user name and password: your receiver knows us by the signature.';
const HTTPS_ONLY = 'Give an https address, such as https://example.com/alerts.';

/** One answer for all that the guard refuses, without the address: it tells nobody what stands in which network. */
const REFUSALS: Readonly<Record<WebhookRefusal, string>> = {
  not_https: HTTPS_ONLY,
  refused: 'We cannot send to this address. Give one of a public server, such as https://example.com/alerts.',
};

/** The address as messages are sent to it: vetted, without a fragment; and the format that it takes. @throws InputError */
export async function parseWebhookUrl(
  text: string,
  chosen: ChosenFormat,
  vetWebhook: (url: URL) => Promise<WebhookRefusal | null>,
): Promise<{ readonly url: string; readonly format: WebhookFormat }> {
  if (text.length > URL_CHARS_MAX) throw tooLong();
  const url = URL.parse(text.trim());
  if (!url) throw new InputError(HTTPS_ONLY, 'url');
  url.hash = '';
  // What is not ASCII becomes up to nine times as long.
  if (url.href.length > URL_CHARS_MAX) throw tooLong();
  if (url.username !== '' || url.password !== '') throw new InputError(NO_CREDENTIALS, 'url');
  const format = formatFor(url, chosen);
  const refusal = await vetWebhook(url);
  if (refusal !== null) throw new InputError(REFUSALS[refusal], 'url');
  return { url: url.href, format };
}

/**
 * The site that was named, by its host name or the address of any of its pages; null: none was.
 * @throws InputError where it is none of the account's
 */
export async function parseWebhookSite(db: Database, account_id: string, text: string): Promise<string | null> {
  if (text.trim() === '') return null;
  const { origin, hostname } = parseNamed(text);
  const own = await listSites(db, account_id);
  const site =
    own.find((one) => one.origin === origin.origin) ?? own.find((one) => hostOf(one.hostname) === hostOf(hostname));
  if (site) return site.id;
  throw new InputError(
    `None of your sites is ${hostname}. Give the host name of one of them, or leave this empty.`,
    'site',
  );
}

function parseNamed(text: string): SiteAddress {
  try {
    return parseSiteName(text);
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, 'site') : error;
  }
}

function tooLong(): InputError {
  return new InputError(`Give an address of at most ${URL_CHARS_MAX} characters.`, 'url');
}

/**
 * Two webhooks added at the same time count each other: the account's row is locked first.
 * @throws InputError; ServiceError site_not_found where its site was removed meanwhile
 */
export function* addWebhook(row: NewWebhookRow, now: Date): Transaction<void> {
  const others = yield* othersThan(row);
  if (others.length >= WEBHOOKS_PER_ACCOUNT_MAX) {
    throw new InputError(`An account has at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks. Remove one first.`, 'url');
  }
  refuseTwice(row, others, 'url');
  yield* execute(insertWebhook(row));
  yield* recordWebhook(row, 'webhook_added', now);
}

/** Has a webhook get the alerts of one site, or of all. @throws as {@link addWebhook} */
export function* setWebhookSite(row: WebhookRow, site_id: string | null, now: Date): Transaction<void> {
  const changed = { ...row, site_id };
  refuseTwice(changed, yield* othersThan(changed), 'site');
  if (site_id === row.site_id) return;
  yield* execute(updateWebhookSite(changed, now.toISOString()));
  yield* recordWebhook(row, 'webhook_scope_changed', now);
}

/** The account's other webhooks, which stay as they are until the transaction ends; so does the site. */
function* othersThan({ id, account_id, site_id }: Pick<WebhookRow, 'id' | 'account_id' | 'site_id'>) {
  yield* holdAccount(account_id);
  if (site_id !== null) yield* holdOwnSite({ accountId: account_id, siteId: site_id });
  return (yield* all(selectWebhooksOfAccount({ account_id }))).filter((other) => other.id !== id);
}

/** An address hears of a site once: it may stand for several sites, each by itself, or for all of them. */
function refuseTwice(
  { url, site_id }: Pick<WebhookRow, 'url' | 'site_id'>,
  others: readonly WebhookRow[],
  field: 'url' | 'site',
): void {
  const same = others.filter((other) => other.url === url);
  if (same.some((other) => other.site_id === site_id)) {
    throw new InputError('The account has a webhook at this address already.', field);
  }
  if (same.some((other) => other.site_id === null)) {
    throw new InputError('This address gets the alerts of all your sites already.', field);
  }
  if (site_id === null && same.length > 0) {
    throw new InputError('This address gets the alerts of single sites already: remove those webhooks first.', field);
  }
}

/** What a site takes along when it is removed. */
export function* recordWebhooksOf({ id }: { readonly id: string }, now: Date): Transaction<void> {
  for (const webhook of yield* all(selectWebhooksOfSite({ site_id: id }))) {
    yield* recordWebhook(webhook, 'webhook_removed', now);
  }
}

/** Of the address the host alone: the rest may hold a secret of the receiver. */
export function recordWebhook(
  { account_id, url }: RecordedWebhook,
  event: AuditEventName,
  now: Date,
): Transaction<void> {
  return recordEvent({ accountId: account_id, event, subject: new URL(url).host, now });
}
