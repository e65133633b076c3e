/** An agent that fetches web pages, or a token that rules for them may name, as its vendor describes it. */
export interface Agent extends AgentPage {
  /** Its product token in robots.txt, as the vendor spells it. */
  readonly token: string;
  /**
   * Role in C-BOT-01. core: blocking it fails, since it is one of the six behind the answers that most people see (our choice).
   * noted: the detail mentions it if it is blocked. never: not mentioned.
   */
  readonly role: 'core' | 'noted' | 'never';
  /** What it does with a page. user: fetches one page because a person asked. opt-out: fetches nothing. */
  readonly purpose: 'search' | 'user' | 'training' | 'opt-out' | 'ads';
  /** Does it follow robots.txt, according to its vendor? partly: not for every request. */
  readonly obeys: 'yes' | 'partly' | 'no' | 'unknown';
  /**
   * Why a robots.txt group for it has no effect. no-token: its vendor says that it has no token. retired: no longer in use.
   * undocumented: no vendor has ever described it.
   */
  readonly group?: 'no-token' | 'retired' | 'undocumented';
  /** Tokens whose groups it follows, in order, if no group names it, according to its vendor; without the final `*`. */
  readonly fallbacks?: readonly string[];
  /** Resources besides HTML pages that it is known to read. */
  readonly reads?: readonly Resource[];
  /** True if C-BOT-03 sends its name. */
  readonly isTried?: boolean;
  /** Its User-Agent, if the vendor publishes the whole string and we send it. */
  readonly userAgent?: string;
}

/** The page on which a vendor describes its agents. */
export interface AgentPage {
  readonly vendor: string;
  /** Null if we know of no such page. */
  readonly source: string | null;
  /** The day on which that page, or a copy of it, was last read. */
  readonly seenOn: string;
}

export type Resource = 'llms.txt' | 'markdown' | 'sitemap';

/** The day on which all of these pages were last read. */
const SEEN_ON = '2026-11-22';
const GOOGLE_DOCS = 'https://developers.google.com/crawling/docs/crawlers-fetchers';

const OPENAI = describedBy('OpenAI', 'https://developers.openai.com/api/docs/bots');
const ANTHROPIC = describedBy('Anthropic', 'https://support.claude.com/en/articles/8896518');
const PERPLEXITY = describedBy('Perplexity', 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers');
const GOOGLE = describedBy('Google', `${GOOGLE_DOCS}/google-common-crawlers`);
const GOOGLE_FOR_USERS = describedBy('Google', `${GOOGLE_DOCS}/google-user-triggered-fetchers`);
const MICROSOFT = describedBy(
  'Microsoft',
  'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
);
const APPLE = describedBy('Apple', 'https://support.apple.com/en-us/119829');
const AMAZON = describedBy('Amazon', 'https://developer.amazon.com/amazonbot');
const META = describedBy('Meta', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers');
const MISTRAL = describedBy('Mistral AI', 'https://docs.mistral.ai/robots');
const MOONSHOT = describedBy('Moonshot AI', 'https://www.kimi.com/policies/kimi-crawlers');
const DUCKDUCKGO = describedBy('DuckDuckGo', 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot');
const BYTEDANCE = describedBy('ByteDance', null);
const EXA = describedBy('Exa', null);
const YOU_COM = describedBy('You.com', null);
const COMMON_CRAWL = describedBy('Common Crawl', 'https://commoncrawl.org/ccbot');

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
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.4; +https://openai.com/searchbot',
  },
  {
    ...OPENAI,
    token: 'ChatGPT-User',
    role: 'noted',
    purpose: 'user',
    obeys: 'partly',
    isTried: true,
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  },
  { ...ANTHROPIC, token: 'Claude-SearchBot', role: 'core', purpose: 'search', obeys: 'yes' },
  {
    ...PERPLEXITY,
    token: 'PerplexityBot',
    role: 'core',
    purpose: 'search',
    obeys: 'yes',
    isTried: true,
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  },
  {
    ...GOOGLE,
    token: 'Googlebot',
    role: 'core',
    purpose: 'search',
    obeys: 'yes',
    reads: ['sitemap'],
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
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
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
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
  { ...BYTEDANCE, token: 'Bytespider', role: 'never', purpose: 'training', obeys: 'unknown' },
  { ...GOOGLE, token: 'Google-Extended', role: 'never', purpose: 'opt-out', obeys: 'yes' },
  { ...APPLE, token: 'Applebot-Extended', role: 'never', purpose: 'opt-out', obeys: 'yes' },
  { ...OPENAI, token: 'OAI-AdsBot', role: 'never', purpose: 'ads', obeys: 'unknown' },
  { ...MOONSHOT, token: 'Kimi-SearchBot', role: 'never', purpose: 'search', obeys: 'yes' },
  { ...MOONSHOT, token: 'Kimi-User', role: 'never', purpose: 'user', obeys: 'yes' },
  { ...EXA, token: 'ExaSearchBot', role: 'never', purpose: 'search', obeys: 'unknown' },
  { ...YOU_COM, token: 'YouBot', role: 'never', purpose: 'search', obeys: 'unknown' },
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

function describedBy(vendor: string, source: string | null): AgentPage {
  return { vendor, source, seenOn: SEEN_ON };
}
