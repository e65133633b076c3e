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
 * https://docs.slack.dev/reference/block-kit/blocks (at most 50 in a message)
 * https://docs.slack.dev/changelog/2018-truncating-really-long-messages (text: 4,000 is the advice, 40,000 the limit)
 */
const SLACK_WORDS = {
  required: ['text', 'blocks'],
  properties: {
    text: { minLength: 1, maxLength: 4000 },
    blocks: {
      ...{ minItems: 1, maxItems: 50 },
      items: {
        if: { properties: { type: { const: 'section' } } },
        then: {
          required: ['text'],
          properties: { text: { required: ['verbatim'], properties: { verbatim: { const: true } } } },
        },
      },
    },
  },
};

/** What ours have in any case: something to read, and nobody who is called. */
const DISCORD_WORDS = {
  required: ['embeds', 'allowed_mentions'],
  properties: {
    embeds: {
      minItems: 1,
      items: {
        required: ['title', 'description'],
        properties: { title: { minLength: 1 }, description: { minLength: 1 } },
      },
    },
    allowed_mentions: { required: ['parse'], properties: { parse: { maxItems: 0 } } },
  },
};

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const VALIDATORS = {
  slack: ajv.compile({ allOf: [close(SLACK_PUBLISHED.schema), SLACK_WORDS] }),
  discord: ajv.compile({ allOf: [close(DISCORD_PUBLISHED.schema), DISCORD_WORDS] }),
};

/**
 * Characters of all texts of the embeds together: github.com/discord/discord-api-docs, developers/resources/message.mdx, "Embed Limits"
 * (commit 15b85df5, 3 August 2026).
 */
const EMBED_CHARS_MAX = 6000;

/** What in a message breaks the rules of the service that it is for; empty where nothing does. */
export function brokenRules(format: 'slack' | 'discord', message: unknown): string[] {
  const validate = VALIDATORS[format];
  const faults = validate(message) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
  return [...faults, ...(format === 'slack' ? brokenMarkup(message) : tooMuchInEmbeds(message))];
}

/** Of the three characters that it gives a meaning, Slack takes `<` and `>` around a link alone, and `&` in its own three entities. */
function brokenMarkup(message: unknown): string[] {
  const { text: plain = '', blocks = [] } = message as {
    text?: string;
    blocks?: { text: { type: string; text: string } }[];
  };
  const texts = [
    plain,
    ...blocks.map(({ text: of }) =>
      of.type === 'mrkdwn' ? of.text.replace(/<https?:[^<>|]+\|[^<>]+>/g, '') : of.text,
    ),
  ];
  return texts.filter((one) => /[<>]|&(?!(?:amp|lt|gt);)/.test(one)).map((one) => `not escaped: ${one}`);
}

function tooMuchInEmbeds(message: unknown): string[] {
  const { embeds = [] } = message as { embeds?: { title: string; description: string }[] };
  const chars = embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0);
  return chars > EMBED_CHARS_MAX ? [`${chars} characters in embeds`] : [];
}
