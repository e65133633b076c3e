import type { WebhookRefusal } from '../../net/vet-target.js';
import { InputError } from '../../platform/input-error.js';
import type { Context } from '../context.js';

/** Message formats of webhooks, with their names on pages. */
export const FORMATS = { slack: 'Slack', discord: 'Discord', signed: 'Signed JSON' } as const;
export type WebhookFormat = keyof typeof FORMATS;

/** The formats that people read in a chat. */
export type ChatFormat = Exclude<WebhookFormat, 'signed'>;

/** The format selected in the form; `auto` detects it from the address. */
export type ChosenFormat = WebhookFormat | 'auto';

export function isChosenFormat(value: string): value is ChosenFormat {
  return value === 'auto' || Object.hasOwn(FORMATS, value);
}

interface ChatService {
  /** Addresses at these domains belong to the service. */
  readonly domains: readonly string[];
  /** The addresses among them that accept messages, without a query. */
  readonly accepted: RegExp;
  readonly example: string;
}

const SERVICES: Readonly<Record<ChatFormat, ChatService>> = {
  // Workspace, app, secret (Slack, "Sending messages using incoming webhooks").
  slack: {
    domains: ['slack.com', 'slack-gov.com'],
    accepted: /^https?:\/\/hooks\.slack(-gov)?\.com\.?\/services(\/[^/]+){3}\/?$/,
    example: 'https://hooks.slack.com/services/T…/B…/…',
  },
  // Discord, "Execute Webhook". The endings /slack and /github accept the formats of those services.
  discord: {
    domains: ['discord.com', 'discordapp.com'],
    accepted: /^https?:\/\/((ptb|canary)\.)?discord(app)?\.com\.?\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/,
    example: 'https://discord.com/api/webhooks/…',
  },
};

/** Returns the chosen format, or for `auto` the format of the address. @throws InputError if the address does not accept it */
export function formatFor(url: URL, chosen: ChosenFormat): WebhookFormat {
  const service = serviceAt(url);
  if (service === null) return chosen === 'auto' ? 'signed' : chosen;
  const { accepted, example } = SERVICES[service];
  if (!accepted.test(url.origin + url.pathname)) {
    throw new InputError(`This is not a webhook of ${FORMATS[service]}. Give its address, such as ${example}`, 'url');
  }
  if (chosen !== 'auto' && chosen !== service) {
    throw new InputError(`This is an address of ${FORMATS[service]}, which takes its own format only.`, 'format');
  }
  return service;
}

/** Returns the chat service that owns the host; null for any other host. */
export function serviceAt({ hostname }: URL): ChatFormat | null {
  const name = `.${hostname.replace(/\.$/, '')}`;
  const isAt = (service: ChatFormat): boolean =>
    SERVICES[service].domains.some((domain) => name.endsWith(`.${domain}`));
  return (['slack', 'discord'] as const).find(isAt) ?? null;
}

const URL_CHARS_MAX = 2048;
const HTTPS_ONLY = 'Give an https address, such as https://example.com/alerts.';

/** All refusals by the guard get the same message, so that it does not reveal the network. */
const REFUSALS: Readonly<Record<WebhookRefusal, string>> = {
  not_https: HTTPS_ONLY,
  refused: 'We cannot send to this address. Give one of a public server, such as https://example.com/alerts.',
};

/** Parses and vets an address, and chooses its format. @throws InputError with field `url` or `format` */
export async function parseWebhookUrl(
  text: string,
  chosen: ChosenFormat,
  vetWebhook: Context['vetWebhook'],
): Promise<{ readonly url: string; readonly format: WebhookFormat }> {
  const refuse = (message: string): InputError => new InputError(message, 'url');
  const url = URL.parse(text.trim());
  if (url) url.hash = '';
  // Characters outside ASCII become up to nine times as long.
  if (Math.max(text.length, url?.href.length ?? 0) > URL_CHARS_MAX) {
    throw refuse(`Give an address of at most ${URL_CHARS_MAX} characters.`);
  }
  if (!url) throw refuse(HTTPS_ONLY);
  if (url.username !== '' || url.password !== '') {
    throw refuse('Give an address without user name and password. Your receiver can verify our signature instead.');
  }
  const format = formatFor(url, chosen);
  const refusal = await vetWebhook(url);
  if (refusal !== null) throw refuse(REFUSALS[refusal]);
  return { url: url.href, format };
}

/** Shown characters of a secret, and the minimum that stays hidden: 20 hexadecimal digits are 80 bits. */
const HINT_CHARS = 4;
const HIDDEN_CHARS_MIN = 20;

/** Returns the end of the secret in a chat's address; empty if too little would stay hidden. */
function secretHint({ pathname }: URL): string {
  const secret = pathname.split('/').findLast((part) => part !== '') ?? '';
  return secret.length < HINT_CHARS + HIDDEN_CHARS_MIN ? '' : secret.slice(-HINT_CHARS);
}

/** Returns the address for pages. Anyone with a chat's address can post to the chat, so most of it is hidden. */
export function displayAddress(url: string, format: WebhookFormat): string {
  if (format === 'signed') return url;
  const parsed = new URL(url);
  return `${parsed.origin}/…${secretHint(parsed)}`;
}

/** Returns a short name: the host, with the end of a chat's address. */
export function displayName(url: string, format: WebhookFormat): string {
  const parsed = new URL(url);
  const hint = format === 'signed' ? '' : secretHint(parsed);
  return hint === '' ? parsed.host : `${parsed.host}/…${hint}`;
}
