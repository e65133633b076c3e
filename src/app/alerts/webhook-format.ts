import type { WebhookRefusal } from '../../net/vet-webhook.js';
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

const SLACK_DOMAINS = ['slack.com', 'slack-gov.com'];
const DISCORD_DOMAINS = ['discord.com', 'discordapp.com'];

/** Hosts that accept messages, on the default port only. */
const HOSTS = [
  ...SLACK_DOMAINS.map((domain) => `hooks.${domain}`),
  ...DISCORD_DOMAINS,
  ...['ptb.discord.com', 'canary.discord.com'],
];

/** Workspace, app, secret (Slack, "Sending messages using incoming webhooks"). */
const SLACK_PATH = /^\/services(?:\/[^/]+){3}\/?$/;

/** Discord, "Execute Webhook". The endings `/slack` and `/github` accept the formats of those services. */
const DISCORD_PATH = /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+(\/slack|\/github)?\/?$/;

/** Returns the chosen format, or for `auto` the format of the address. @throws InputError if the address does not accept it */
export function formatFor(url: URL, chosen: ChosenFormat): WebhookFormat {
  const service = serviceAt(url);
  if (service === 'slack') assertSlack(url);
  if (service === 'discord') assertDiscord(url);
  if (chosen === 'auto') return service ?? 'signed';
  if (service !== null && service !== chosen) {
    throw new InputError(`This is an address of ${FORMATS[service]}, which takes its own format only.`, 'format');
  }
  return chosen;
}

/** Returns the chat service that owns the host; null for any other host. */
export function serviceAt({ hostname }: URL): ChatFormat | null {
  const name = hostname.replace(/\.$/, '');
  const isAt = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`);
  if (SLACK_DOMAINS.some(isAt)) return 'slack';
  return DISCORD_DOMAINS.some(isAt) ? 'discord' : null;
}

function acceptsMessages({ host }: URL): boolean {
  return HOSTS.includes(host.replace(/\.$/, ''));
}

function assertSlack(url: URL): void {
  if (acceptsMessages(url) && SLACK_PATH.test(url.pathname)) return;
  const example = 'https://hooks.slack.com/services/T…/B…/…';
  throw new InputError(`This is not an incoming webhook of Slack. Give its address: ${example}`, 'url');
}

function assertDiscord(url: URL): void {
  const [path, ending] = (acceptsMessages(url) ? DISCORD_PATH.exec(url.pathname) : null) ?? [];
  if (path === undefined) {
    const example = 'https://discord.com/api/webhooks/…';
    throw new InputError(`This is not a webhook of Discord. Give its address: ${example}`, 'url');
  }
  if (ending !== undefined) {
    throw new InputError(`Leave out ${ending} at the end: we send messages in Discord’s own format.`, 'url');
  }
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
  const url = text.length > URL_CHARS_MAX ? null : URL.parse(text.trim());
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
export function shownAddress(url: string, format: WebhookFormat): string {
  if (format === 'signed') return url;
  const parsed = new URL(url);
  return `${parsed.origin}/…${secretHint(parsed)}`;
}

/** Returns a short name: the host, with the end of a chat's address. */
export function shownName(url: string, format: WebhookFormat): string {
  const parsed = new URL(url);
  const hint = format === 'signed' ? '' : secretHint(parsed);
  return hint === '' ? parsed.host : `${parsed.host}/…${hint}`;
}
