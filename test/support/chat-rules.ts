import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/**
 * What Slack and Discord say of the messages that they take, as far as ours use it: in our own words, by their documentation of November 2026. Nothing
 * else may be in a message, so that a field which neither was looked up for is a fault.
 */
const closed = (required: readonly string[], properties: object): object => ({
  ...{ type: 'object', additionalProperties: false },
  ...{ required, properties },
});
const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * https://docs.slack.dev/reference/block-kit/blocks (at most 50 in a message), …/blocks/header-block, …/blocks/section-block
 * https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 * https://docs.slack.dev/changelog/2018-truncating-really-long-messages (text: 4,000 is the advice, 40,000 the limit)
 */
const SLACK = closed(['text', 'blocks'], {
  text: text(4000),
  mrkdwn: { type: 'boolean' },
  unfurl_links: { type: 'boolean' },
  unfurl_media: { type: 'boolean' },
  blocks: {
    ...{ type: 'array', minItems: 1, maxItems: 50 },
    items: {
      oneOf: [
        closed(['type', 'text'], {
          type: { const: 'header' },
          text: closed(['type', 'text'], {
            type: { const: 'plain_text' },
            text: text(150),
            emoji: { type: 'boolean' },
          }),
        }),
        closed(['type', 'text'], {
          type: { const: 'section' },
          text: closed(['type', 'text'], { type: { const: 'mrkdwn' }, text: text(3000), verbatim: { const: true } }),
        }),
      ],
    },
  },
});

/**
 * https://docs.discord.com/developers/resources/webhook#execute-webhook
 * https://docs.discord.com/developers/resources/message#embed-object, #embed-object-embed-limits, #allowed-mentions-object
 */
const DISCORD = closed(['embeds', 'allowed_mentions'], {
  embeds: {
    ...{ type: 'array', minItems: 1, maxItems: 10 },
    items: closed(['title', 'description'], {
      title: text(256),
      description: text(4096),
      color: { type: 'integer', minimum: 0, maximum: 0xffffff },
      timestamp: { type: 'string', format: 'date-time' },
    }),
  },
  allowed_mentions: closed(['parse'], { parse: { type: 'array', maxItems: 0 } }),
});

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const VALIDATORS = { slack: ajv.compile(SLACK), discord: ajv.compile(DISCORD) };

/** Characters of all texts of the embeds together. */
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
