import type { Agent, AgentPage } from './agent.js';

const OPENAI = {
  vendor: 'OpenAI',
  source: 'https://developers.openai.com/api/docs/bots',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const ANTHROPIC = {
  vendor: 'Anthropic',
  source: 'https://support.claude.com/en/articles/8896518',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const PERPLEXITY = {
  vendor: 'Perplexity',
  source: 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const GOOGLE = {
  vendor: 'Google',
  source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers',
  seenOn: '2026-11-22',
  reading: 'google',
} as const satisfies AgentPage;
const GOOGLE_FOR_USERS = {
  vendor: 'Google',
  source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers',
  seenOn: '2026-11-22',
  reading: 'google',
} as const satisfies AgentPage;
const MICROSOFT = {
  vendor: 'Microsoft',
  source: 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const APPLE = {
  vendor: 'Apple',
  source: 'https://support.apple.com/en-us/119829',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const AMAZON = {
  vendor: 'Amazon',
  source: 'https://developer.amazon.com/amazonbot',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const META = {
  vendor: 'Meta',
  source: 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const MISTRAL = {
  vendor: 'Mistral AI',
  source: 'https://docs.mistral.ai/robots',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const MOONSHOT = {
  vendor: 'Moonshot AI',
  source: 'https://www.kimi.com/policies/kimi-crawlers',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const DUCKDUCKGO = {
  vendor: 'DuckDuckGo',
  source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;
const COMMON_CRAWL = {
  vendor: 'Common Crawl',
  source: 'https://commoncrawl.org/ccbot',
  seenOn: '2026-11-22',
} as const satisfies AgentPage;

/**
 * Every agent that the scanner knows, as its vendor described it. The one list: checks, notes, texts and pages read it. The order
 * within a role is the order in which findings name them. No page of a vendor describes ByteDance's, Exa's and You.com's robots.
 */
export const AGENTS = [
  {
    ...OPENAI,
    token: 'OAI-SearchBot',
    role: 'core',
    purpose: 'search',
    obeys: 'yes',
    isTried: true,
    userAgent: {
      before:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; ',
      name: 'OAI-SearchBot/1.4; +https://openai.com/searchbot',
      after: '',
    },
  },
  {
    ...OPENAI,
    token: 'ChatGPT-User',
    role: 'noted',
    purpose: 'user',
    obeys: 'partly',
    isTried: true,
    userAgent: {
      before: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ',
      name: 'ChatGPT-User/1.0; +https://openai.com/bot',
      after: '',
    },
  },
  { ...ANTHROPIC, token: 'Claude-SearchBot', role: 'core', purpose: 'search', obeys: 'yes' },
  {
    ...PERPLEXITY,
    token: 'PerplexityBot',
    role: 'core',
    purpose: 'search',
    obeys: 'yes',
    isTried: true,
    userAgent: {
      before: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ',
      name: 'PerplexityBot/1.0; +https://perplexity.ai/perplexitybot',
      after: ')',
    },
  },
  {
    ...GOOGLE,
    token: 'Googlebot',
    role: 'core',
    purpose: 'search',
    obeys: 'yes',
    reads: ['sitemap'],
    userAgent: {
      before: 'Mozilla/5.0 (compatible; ',
      name: 'Googlebot/2.1; +http://www.google.com/bot.html',
      after: ')',
    },
  },
  { ...MICROSOFT, token: 'Bingbot', role: 'core', purpose: 'search', obeys: 'yes', reads: ['sitemap'] },
  {
    ...ANTHROPIC,
    token: 'Claude-User',
    role: 'core',
    purpose: 'user',
    obeys: 'yes',
    reads: ['llms.txt', 'markdown'],
    isTried: true,
  },
  {
    ...PERPLEXITY,
    token: 'Perplexity-User',
    role: 'noted',
    purpose: 'user',
    obeys: 'no',
    userAgent: {
      before: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ',
      name: 'Perplexity-User/1.0; +https://perplexity.ai/perplexity-user',
      after: ')',
    },
  },
  { ...APPLE, token: 'Applebot', role: 'noted', purpose: 'search', obeys: 'yes', fallbacks: ['Googlebot'] },
  { ...AMAZON, token: 'Amzn-SearchBot', role: 'noted', purpose: 'search', obeys: 'yes', fallbacks: ['Googlebot'] },
  { ...DUCKDUCKGO, token: 'DuckAssistBot', role: 'noted', purpose: 'user', obeys: 'yes' },
  { ...AMAZON, token: 'Amzn-User', role: 'noted', purpose: 'user', obeys: 'partly' },
  { ...META, token: 'meta-webindexer', role: 'noted', purpose: 'search', obeys: 'yes' },
  { ...META, token: 'meta-externalfetcher', role: 'noted', purpose: 'user', obeys: 'partly' },
  { ...MISTRAL, token: 'MistralAI-User', role: 'noted', purpose: 'user', obeys: 'yes' },
  { ...MISTRAL, token: 'MistralAI-Index', role: 'noted', purpose: 'search', obeys: 'yes' },
  { ...OPENAI, token: 'GPTBot', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...ANTHROPIC, token: 'ClaudeBot', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...COMMON_CRAWL, token: 'CCBot', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...AMAZON, token: 'Amazonbot', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...META, token: 'meta-externalagent', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...MISTRAL, token: 'MistralAI-Training', role: 'never', purpose: 'training', obeys: 'yes' },
  { ...MOONSHOT, token: 'KimiBot', role: 'never', purpose: 'training', obeys: 'yes' },
  {
    vendor: 'ByteDance',
    source: null,
    seenOn: '2026-11-22',
    token: 'Bytespider',
    role: 'never',
    purpose: 'training',
    obeys: 'unknown',
  },
  { ...GOOGLE, token: 'Google-Extended', role: 'never', purpose: 'opt-out', obeys: 'yes' },
  { ...APPLE, token: 'Applebot-Extended', role: 'never', purpose: 'opt-out', obeys: 'yes' },
  { ...OPENAI, token: 'OAI-AdsBot', role: 'never', purpose: 'ads', obeys: 'unknown' },
  { ...MOONSHOT, token: 'Kimi-SearchBot', role: 'never', purpose: 'search', obeys: 'yes' },
  { ...MOONSHOT, token: 'Kimi-User', role: 'never', purpose: 'user', obeys: 'yes' },
  {
    vendor: 'Exa',
    source: null,
    seenOn: '2026-11-22',
    token: 'ExaSearchBot',
    role: 'never',
    purpose: 'search',
    obeys: 'unknown',
  },
  {
    vendor: 'You.com',
    source: null,
    seenOn: '2026-11-22',
    token: 'YouBot',
    role: 'never',
    purpose: 'search',
    obeys: 'unknown',
  },
  { ...GOOGLE_FOR_USERS, token: 'Google-Agent', role: 'never', purpose: 'user', obeys: 'no', group: 'no-token' },
  {
    ...GOOGLE_FOR_USERS,
    token: 'Google-GeminiNotebook',
    role: 'never',
    purpose: 'user',
    obeys: 'no',
    group: 'no-token',
  },
  { ...GOOGLE_FOR_USERS, token: 'Google-NotebookLM', role: 'never', purpose: 'user', obeys: 'no', group: 'retired' },
  { ...GOOGLE_FOR_USERS, token: 'GoogleAgent-Mariner', role: 'never', purpose: 'user', obeys: 'no', group: 'retired' },
  { ...ANTHROPIC, token: 'Claude-Web', role: 'never', purpose: 'training', obeys: 'unknown', group: 'undocumented' },
  { ...ANTHROPIC, token: 'anthropic-ai', role: 'never', purpose: 'training', obeys: 'unknown', group: 'undocumented' },
] as const satisfies readonly Agent[];
