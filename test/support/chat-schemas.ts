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

/** IncomingWebhookRequestPartial with its MessageAllowedMentionsRequest and AllowedMentionTypes. */
export const DISCORD_PUBLISHED: PublishedSchema = {
  source: 'https://github.com/discord/discord-api-spec/blob/main/specs/openapi.json',
  commit: '74fda0fad044407ea280043a03ffc9bc64c4e49e',
  date: '2026-07-18',
  schema: {
    type: 'object',
    properties: {
      content: { ...nullable('string'), maxLength: 2000 },
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

/** Slack publishes TypeScript: IncomingWebhookSendArguments (packages/webhook), `mrkdwn` of ChatPostMessageArguments (packages/web-api). */
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
    },
  },
};
