import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { DISCORD_PUBLISHED, SLACK_PUBLISHED } from './chat-schemas.js';

type Schema = Readonly<Record<string, unknown>>;

/** The same schema, in which an object has no other fields than those that it names: so a field that nobody looked up is a fault. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema as Schema).map(([key, value]) => [key, close(value)]));
  return 'properties' in closed ? { ...closed, additionalProperties: false } : closed;
}

/**
 * What Slack says in words, and what ours have besides.
 * https://docs.slack.dev/changelog/2018-truncating-really-long-messages (text: 4,000 is the advice, 40,000 the limit)
 */
const SLACK_WORDS = { required: ['text'], properties: { text: { minLength: 1, maxLength: 4000 } } };

/** What ours have in any case: something to read, and nobody who is called. */
const DISCORD_WORDS = {
  required: ['content', 'allowed_mentions'],
  properties: {
    content: { minLength: 1 },
    allowed_mentions: { required: ['parse'], properties: { parse: { maxItems: 0 } } },
  },
};

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const VALIDATORS = {
  slack: ajv.compile({ allOf: [close(SLACK_PUBLISHED.schema), SLACK_WORDS] }),
  discord: ajv.compile({ allOf: [close(DISCORD_PUBLISHED.schema), DISCORD_WORDS] }),
};

/** What in a message breaks the rules of the service that it is for; empty where nothing does. */
export function brokenRules(format: 'slack' | 'discord', message: unknown): string[] {
  const validate = VALIDATORS[format];
  const faults = validate(message) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
  return [...faults, ...(format === 'slack' ? brokenMarkup(message) : [])];
}

/** Of the three characters that it gives a meaning, Slack takes `&` in its own three entities alone. */
function brokenMarkup(message: unknown): string[] {
  const { text = '' } = message as { text?: string };
  return /[<>]|&(?!(?:amp|lt|gt);)/.test(text) ? [`not escaped: ${text}`] : [];
}
