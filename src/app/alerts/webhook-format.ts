import type { WebhookRefusal } from '../../net/guard.js';
import { InputError } from '../../platform/errors.js';
import type { Context } from '../context.js';

/** Message formats of webhooks, with their names on pages. */
export const FORMATS = { slack: 'Slack', discord: 'Discord', signed: 'Signed JSON' } as const;
export type WebhookFormat = keyof typeof FORMATS;

/** The formats that people read in a chat. */
export type ChatFormat = Exclude<WebhookFormat, 'signed'>;

/** Hosts of Slack and Discord, with their subdomains. */
const SLACK = /(?:^|\.)slack(?:-gov)?\.com\.?$/;
const DISCORD = /(?:^|\.)discord(?:app)?\.com\.?$/;

/** Returns the chat service that owns the host; null for any other host. */
export function chatServiceOf({ hostname }: URL): ChatFormat | null {
  if (SLACK.test(hostname)) return 'slack';
  return DISCORD.test(hostname) ? 'discord' : null;
}

/** Returns the format of the chat service that owns the URL; for other URLs, `chosen`, or `signed` if that is no format. */
export function formatFor(url: URL, chosen: string): WebhookFormat {
  return chatServiceOf(url) ?? (Object.hasOwn(FORMATS, chosen) ? (chosen as WebhookFormat) : 'signed');
}

const URL_CHARS_MAX = 2048;
const HTTPS_ONLY = 'Give an https address, such as https://example.com/alerts.';

/** All refusals by the guard get the same message, which reveals nothing about our network. */
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
    throw refuse(`Give an address of at most ${URL_CHARS_MAX} characters.`);
  }
  if (!url) throw refuse(HTTPS_ONLY);
  if (url.username !== '' || url.password !== '') {
    throw refuse('Give an address without user name and password. Your receiver can verify our signature instead.');
  }
  const refusal = await vetWebhook(url);
  if (refusal !== null) throw refuse(REFUSALS[refusal]);
  return url;
}

/** Shown characters of a secret, and the minimum that stays hidden: 20 hexadecimal digits are 80 bits. */
const HINT_CHARS = 4;
const HIDDEN_CHARS_MIN = 20;

/** Returns the host; for a chat, also the last characters of the path. The path is a secret: anyone who has it can post there. */
export function displayName(url: string, format: WebhookFormat): string {
  const { host, pathname } = new URL(url);
  const secret = pathname.split('/').findLast((part) => part !== '') ?? '';
  if (format === 'signed' || secret.length < HINT_CHARS + HIDDEN_CHARS_MIN) return host;
  return `${host}/…${secret.slice(-HINT_CHARS)}`;
}
