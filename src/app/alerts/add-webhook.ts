import { InputError } from '../../platform/input-error.js';
import type { WebhookRefusal } from '../../net/vet-webhook.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import { insertWebhook, selectWebhooksOfAccount, type WebhookRow } from './webhook-statements.js';
import { type AuditEventName, recordEvent } from '../audit/audit.js';
import { holdAccount } from '../accounts/accounts.js';
import { WEBHOOKS_PER_ACCOUNT_MAX } from './webhook.js';

const URL_CHARS_MAX = 2048;
const NO_CREDENTIALS = 'Give an address without user name and password: your receiver knows us by the signature.';
const HTTPS_ONLY = 'Give an https address, such as https://example.com/alerts.';

/** One answer for all that the guard refuses, without the address: it tells nobody what stands in which network. */
const REFUSALS: Readonly<Record<WebhookRefusal, string>> = {
  not_https: HTTPS_ONLY,
  refused: 'We cannot send to this address. Give one of a public server, such as https://example.com/alerts.',
};

/** The address as messages are sent to it: vetted, without a fragment. @throws InputError */
export async function parseWebhookUrl(
  text: string,
  vetWebhook: (url: URL) => Promise<WebhookRefusal | null>,
): Promise<string> {
  if (text.length > URL_CHARS_MAX) throw tooLong();
  const url = URL.parse(text.trim());
  if (!url) throw new InputError(HTTPS_ONLY, 'url');
  url.hash = '';
  // What is not ASCII becomes up to nine times as long.
  if (url.href.length > URL_CHARS_MAX) throw tooLong();
  if (url.username !== '' || url.password !== '') throw new InputError(NO_CREDENTIALS, 'url');
  const refusal = await vetWebhook(url);
  if (refusal !== null) throw new InputError(REFUSALS[refusal], 'url');
  return url.href;
}

function tooLong(): InputError {
  return new InputError(`Give an address of at most ${URL_CHARS_MAX} characters.`, 'url');
}

/**
 * Two webhooks added at the same time count each other: the account's row is locked first.
 * @throws InputError
 */
export function* addWebhook(
  row: Omit<WebhookRow, 'disabled_at'> & { readonly secret: string },
  now: Date,
): Transaction<void> {
  const { account_id } = row;
  yield* holdAccount(account_id);
  const others = yield* all(selectWebhooksOfAccount({ account_id }));
  if (others.length >= WEBHOOKS_PER_ACCOUNT_MAX) {
    throw new InputError(`An account has at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks. Remove one first.`, 'url');
  }
  if (others.some(({ url }) => url === row.url)) {
    throw new InputError('The account has a webhook at this address already.', 'url');
  }
  yield* execute(insertWebhook({ ...row }));
  yield* recordWebhook(row, 'webhook_added', now);
}

/** Of the address the host alone: the rest may hold a secret of the receiver. */
export function recordWebhook(
  { account_id, url }: Pick<WebhookRow, 'account_id' | 'url'>,
  event: AuditEventName,
  now: Date,
): Transaction<void> {
  return recordEvent({ accountId: account_id, event, subject: new URL(url).host, now });
}
