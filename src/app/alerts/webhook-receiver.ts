import { createHmac, randomBytes } from 'node:crypto';
import { FETCH_FAILURES } from '../../net/failure.js';
import type { WebhookRefusal } from '../../net/guard.js';
import type { Post, PostResult } from '../../net/post.js';
import { InputError } from '../../platform/errors.js';
import type { Context } from '../context.js';

/** Message formats of webhooks, with their names on pages. */
export const FORMATS = { slack: 'Slack', discord: 'Discord', signed: 'Signed JSON' } as const;
export type WebhookFormat = keyof typeof FORMATS;

/** Formats of chat messages. */
export type ChatFormat = Exclude<WebhookFormat, 'signed'>;

/** Hosts of Slack and Discord, including subdomains. */
const SLACK = /(?:^|\.)slack(?:-gov)?\.com\.?$/;
const DISCORD = /(?:^|\.)discord(?:app)?\.com\.?$/;

/** Returns the format of the chat service that owns the host; null for any other host. */
function chatServiceOf({ hostname }: URL): ChatFormat | null {
  if (SLACK.test(hostname)) return 'slack';
  return DISCORD.test(hostname) ? 'discord' : null;
}

/** Returns the format of the chat service that owns the URL. For other URLs, returns `chosen`, or `signed` if that is not a format. */
export function formatFor(url: URL, chosen: string): WebhookFormat {
  return chatServiceOf(url) ?? (Object.hasOwn(FORMATS, chosen) ? (chosen as WebhookFormat) : 'signed');
}

const URL_CHARS_MAX = 2048;
const HTTPS_ONLY = 'Enter an https address, such as https://example.com/alerts.';

/** Every refusal by the guard has the same message, so that it reveals nothing about our network. */
const REFUSALS: Readonly<Record<WebhookRefusal, string>> = {
  not_https: HTTPS_ONLY,
  refused: 'We cannot send to this address. Use a public server, such as https://example.com/alerts.',
};

/** Parses and vets an address. @throws InputError with field `url` */
export async function parseWebhookUrl(text: string, vetWebhook: Context['vetWebhook']): Promise<URL> {
  const refuse = (message: string): InputError => new InputError(message, 'url');
  const url = URL.parse(text.trim());
  if (url) url.hash = '';
  // Percent-encoding makes characters outside ASCII up to nine times as long.
  if (Math.max(text.length, url?.href.length ?? 0) > URL_CHARS_MAX) {
    throw refuse(`Enter an address of at most ${URL_CHARS_MAX} characters.`);
  }
  if (!url) throw refuse(HTTPS_ONLY);
  if (url.username !== '' || url.password !== '') {
    throw refuse('Enter an address without a user name and password. Your receiver can verify our signature instead.');
  }
  const refusal = await vetWebhook(url);
  if (refusal !== null) throw refuse(REFUSALS[refusal]);
  return url;
}

/** Shown characters of a secret, and the minimum of hidden ones: 20 hexadecimal digits are 80 bits. */
const HINT_CHARS = 4;
const HIDDEN_CHARS_MIN = 20;

/** Returns the host and, for a chat, the last characters of the path. The path is a secret: anyone who has it can post to the chat. */
export function displayName(url: string, format: WebhookFormat): string {
  const { host, pathname } = new URL(url);
  const secret = pathname.split('/').findLast((part) => part !== '') ?? '';
  if (format === 'signed' || secret.length < HINT_CHARS + HIDDEN_CHARS_MIN) return host;
  return `${host}/…${secret.slice(-HINT_CHARS)}`;
}

/** The result of an attempt to send a message. */
export interface AttemptResult {
  /** `failed`: try again. `refused`: a retry would not help. `gone`: the receiver no longer accepts messages. */
  readonly outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  readonly answerStatus?: number;
  /** A sentence for the owner. Never quotes the response. */
  readonly problem?: string;
  /** How long the receiver asked us to wait. */
  readonly retryAfterMs?: number;
}

const SECRET_PREFIX = 'whsec_';

/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

/** Returns a secret in the format that receivers expect (Standard Webhooks, "Signature scheme"). */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface SignedMessage {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly sentAt: Date;
}

/** Returns the headers that prove that we sent a message (Standard Webhooks, "Webhook headers"). */
function signatureHeaders({ id, body, secret, sentAt }: SignedMessage): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

interface PostedMessage extends SignedMessage {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly userAgent: string;
}

export async function postMessage(post: Post, message: PostedMessage): Promise<AttemptResult> {
  const { body, format, userAgent, sentAt } = message;
  const url = new URL(message.url);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(format === 'signed' && signatureHeaders(message)),
  };
  const posted = await post({ url, headers, body });
  if ('failure' in posted) return { outcome: 'failed', problem: describeFailure(posted) };
  const { status: answerStatus, retryAfter } = posted;
  if (answerStatus >= 200 && answerStatus < 300) return { outcome: 'delivered', answerStatus };
  // Slack and Discord answer 404 for a removed webhook, and Discord limits clients that repeat such requests. Other receivers may answer
  // 404 while they start.
  if (answerStatus === 410 || (answerStatus === 404 && chatServiceOf(url) !== null)) {
    const problem = `The receiver no longer accepts messages (${answerStatus}): the webhook was turned off.`;
    return { outcome: 'gone', problem, answerStatus };
  }
  const isRedirect = answerStatus >= 300 && answerStatus < 400;
  const hint = isRedirect ? ' We do not follow redirects. Add the address to which they lead instead.' : '';
  const problem = `The receiver answered ${answerStatus} instead of a status from 200 to 299.${hint}`;
  const retryAfterMs = answerStatus === 429 || answerStatus === 503 ? parseRetryAfter(retryAfter, sentAt) : 0;
  return { outcome: 'failed', problem, answerStatus, retryAfterMs };
}

function describeFailure({ failure }: Extract<PostResult, { failure: unknown }>): string {
  // The same sentence for every refused target, so that it does not reveal the addresses behind a name.
  if (failure === 'target_refused') return 'We cannot reach this address: it must lead to a public server.';
  return `There was no answer: ${failure === 'budget_spent' ? 'the answer is too large' : FETCH_FAILURES[failure]}.`;
}

/** Parses Retry-After, which is seconds or a date (RFC 9110 §10.2.3), into milliseconds; 0 for anything else. */
function parseRetryAfter(value: string | null, now: Date): number {
  const text = (value ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  return text.endsWith(' GMT') ? Math.max(0, Date.parse(text) - now.getTime()) || 0 : 0;
}
