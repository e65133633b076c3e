/**
 * The robots.txt tokens of AI agents, grouped by what a Disallow for them means. core: search indexes, and user agents whose
 * vendor says they obey. noted: mentioned in `detail` only. training and optOut: the owner's right, never a FAIL.
 */
export const AGENT_TOKENS = {
  core: ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Googlebot', 'Bingbot', 'Claude-User'],
  noted: [
    'ChatGPT-User',
    'Perplexity-User',
    'Applebot',
    'Amzn-SearchBot',
    'DuckAssistBot',
    'Amzn-User',
    'meta-externalfetcher',
    'MistralAI-User',
  ],
  training: ['GPTBot', 'ClaudeBot', 'CCBot', 'Amazonbot', 'meta-externalagent', 'Bytespider'],
  optOut: ['Google-Extended', 'Applebot-Extended'],
} as const;
export type CoreToken = (typeof AGENT_TOKENS.core)[number];
