/**
 * The schemas that Discord and Slack publish of the messages that they take, as JSON Schema: of the parts that ours use, in which nothing is added or left out. What they
 * say in words alone stands in chat-rules.ts.
 */
export interface PublishedSchema {
  readonly source: string;
  readonly commit: string;
  /** Of the commit. */
  readonly date: string;
  readonly schema: object;
}

const nullable = (type: string): object => ({ type: [type, 'null'] });

/** IncomingWebhookRequestPartial with its RichEmbed, MessageAllowedMentionsRequest and AllowedMentionTypes. */
export const DISCORD_PUBLISHED: PublishedSchema = {
  source: 'https://github.com/discord/discord-api-spec/blob/main/specs/openapi.json',
  commit: '74fda0fad044407ea280043a03ffc9bc64c4e49e',
  date: '2026-07-18',
  schema: {
    type: 'object',
    properties: {
      embeds: {
        ...nullable('array'),
        maxItems: 10,
        items: {
          type: 'object',
          properties: {
            title: { ...nullable('string'), maxLength: 256 },
            color: { ...nullable('integer'), minimum: 0, maximum: 16_777_215 },
            timestamp: { ...nullable('string'), format: 'date-time' },
            description: { ...nullable('string'), maxLength: 4096 },
          },
        },
      },
      allowed_mentions: {
        oneOf: [
          { type: 'null' },
          {
            type: 'object',
            properties: {
              parse: {
                ...nullable('array'),
                maxItems: 1521,
                uniqueItems: true,
                items: { enum: ['users', 'roles', 'everyone', null] },
              },
            },
          },
        ],
      },
    },
  },
};

/** The types that other blocks extend, and lengths as their descriptions say. */
const PLAIN_TEXT = {
  type: 'object',
  required: ['type', 'text'],
  properties: {
    type: { const: 'plain_text' },
    text: { type: 'string', minLength: 1, maxLength: 3000 },
    emoji: { type: 'boolean' },
  },
};
const MRKDWN = {
  type: 'object',
  required: ['type', 'text'],
  properties: {
    type: { const: 'mrkdwn' },
    text: { type: 'string', minLength: 1, maxLength: 3000 },
    verbatim: { type: 'boolean' },
  },
};

/**
 * Slack publishes TypeScript: IncomingWebhookSendArguments (packages/webhook), `mrkdwn` of ChatPostMessageArguments (packages/web-api), HeaderBlock, SectionBlock,
 * PlainTextElement and MrkdwnElement (packages/types 3.0.0).
 */
export const SLACK_PUBLISHED: PublishedSchema = {
  source: 'https://github.com/slackapi/node-slack-sdk/tree/main/packages',
  commit: '4322e14f116ac7551073767c533b9aca77fd9552',
  date: '2026-08-21',
  schema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      mrkdwn: { type: 'boolean' },
      unfurl_links: { type: 'boolean' },
      unfurl_media: { type: 'boolean' },
      blocks: {
        type: 'array',
        items: {
          oneOf: [
            {
              type: 'object',
              required: ['type', 'text'],
              properties: {
                type: { const: 'header' },
                text: {
                  ...PLAIN_TEXT,
                  properties: { ...PLAIN_TEXT.properties, text: { type: 'string', minLength: 1, maxLength: 150 } },
                },
              },
            },
            {
              type: 'object',
              required: ['type'],
              properties: { type: { const: 'section' }, text: { oneOf: [PLAIN_TEXT, MRKDWN] } },
            },
          ],
        },
      },
    },
  },
};
