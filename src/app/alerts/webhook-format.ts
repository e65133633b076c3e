import { InputError } from '../../platform/input-error.js';

/** In which form messages go to a webhook, and what people call it. */
export const FORMATS = { slack: 'Slack', discord: 'Discord', signed: 'Signed JSON' } as const;
export type WebhookFormat = keyof typeof FORMATS;

/** For whom a message is written as a chat shows it. What is to be read by programs is signed. */
export type ChatFormat = Exclude<WebhookFormat, 'signed'>;

/** What a form says: one of them, or to go by the address. */
export type ChosenFormat = WebhookFormat | 'auto';

export function isChosenFormat(value: string): value is ChosenFormat {
  return value === 'auto' || Object.hasOwn(FORMATS, value);
}

const SLACK_DOMAINS = ['slack.com', 'slack-gov.com'];
const DISCORD_DOMAINS = ['discord.com', 'discordapp.com'];
/** Where the two take messages, at the scheme's own port alone. */
const HOSTS = [
  ...SLACK_DOMAINS.map((domain) => `hooks.${domain}`),
  ...DISCORD_DOMAINS,
  ...['ptb.discord.com', 'canary.discord.com'],
];

const SLACK_EXAMPLE = 'https://hooks.slack.com/services/T…/B…/…';
const DISCORD_EXAMPLE = 'https://discord.com/api/webhooks/…';

/** Workspace, app, secret (Slack, "Sending messages using incoming webhooks"). */
const SLACK_PATH = /^\/services(?:\/[^/]+){3}\/?$/;

/** `/api/webhooks/{webhook.id}/{webhook.token}` (Discord, "Execute Webhook"), and what it offers to programs that write for others. */
const DISCORD_PATH = /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+(\/slack|\/github)?\/?$/;

/**
 * The form in which messages go to an address: the one that was chosen, or that of the service whose address it is, or else signed JSON.
 * @throws InputError where that service takes no message of ours there, or none of this form
 */
export function formatFor(url: URL, chosen: ChosenFormat): WebhookFormat {
  const known = formatAt(url);
  if (chosen === 'auto') return known ?? 'signed';
  if (known !== null && known !== chosen) {
    throw new InputError(`This is an address of ${FORMATS[known]}, which takes its own format only.`, 'format');
  }
  return chosen;
}

/** The service that stands at an address, whatever it takes there; null: neither of the two. A name may end in a dot. */
export function serviceAt({ hostname }: URL): ChatFormat | null {
  const name = hostname.replace(/\.$/, '');
  const isAt = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`);
  if (SLACK_DOMAINS.some(isAt)) return 'slack';
  return DISCORD_DOMAINS.some(isAt) ? 'discord' : null;
}

/** @throws InputError where the service that stands there takes no message of ours */
function formatAt(url: URL): ChatFormat | null {
  const service = serviceAt(url);
  const { host, pathname } = url;
  const isPosted = HOSTS.includes(host.replace(/\.$/, ''));
  if (service === 'slack') {
    if (isPosted && SLACK_PATH.test(pathname)) return 'slack';
    throw new InputError(
      `This address of Slack takes no messages like ours. Give that of an incoming webhook: ${SLACK_EXAMPLE}`,
      'url',
    );
  }
  if (service === null) return null;
  const [path, forOthers] = (isPosted ? DISCORD_PATH.exec(pathname) : null) ?? [];
  if (path === undefined) {
    throw new InputError(`This is not a webhook of Discord. Give its address: ${DISCORD_EXAMPLE}`, 'url');
  }
  if (forOthers !== undefined) {
    throw new InputError(`Leave out ${forOthers} at the end: we write as Discord itself does.`, 'url');
  }
  return 'discord';
}

/**
 * How many characters of a secret are shown, and how many stay hidden at least: or else none are shown. The ten webhooks of an account hardly share four. Of
 * Slack's 24 letters and digits 20 stay hidden, which are 119 bits, of Discord's 68 characters 64; if they are hexadecimal digits, 20 are 80 bits still:
 * nobody guesses these by asking a service over the network.
 */
const HINT_CHARS = 4;
const HIDDEN_CHARS_MIN = 20;

/** The end of the last part of the path, which is the secret of a chat's address: the parts before it name a team, an app or a number. */
function hintOf({ pathname }: URL): string {
  const secret = pathname.split('/').findLast((part) => part !== '') ?? '';
  return secret.length < HINT_CHARS + HIDDEN_CHARS_MIN ? '' : secret.slice(-HINT_CHARS);
}

/**
 * The address as people see it. Anyone who has that of a chat's webhook can write to the chat: of it the host is shown, and as much of its end as
 * tells two of them apart.
 */
export function shownAddress(url: string, format: WebhookFormat): string {
  if (format === 'signed') return url;
  const parsed = new URL(url);
  return `${parsed.origin}/…${hintOf(parsed)}`;
}

/** The same in short, where the rest of the address does not matter, or may be a secret: of any other webhook the host alone. */
export function shownName(url: string, format: WebhookFormat): string {
  const parsed = new URL(url);
  const hint = format === 'signed' ? '' : hintOf(parsed);
  return hint === '' ? parsed.host : `${parsed.host}/…${hint}`;
}
