import { distinctBy } from '../../net/keyed.js';

/** A web agent, or a token that only robots.txt uses, as its vendor describes it. */
export interface Agent {
  /** Its product token in robots.txt, as the vendor spells it. */
  readonly token: string;
  readonly vendor: string;
  /** The page on which the vendor describes it; null if we know of none. */
  readonly source: string | null;
  /**
   * Role in C-BOT-01. core: the check fails if it is blocked; our choice of the six agents behind most AI answers.
   * noted: the detail mentions it if it is blocked.
   */
  readonly role?: 'core' | 'noted';
  /** What it does with a page. user: fetches one page because a person asked. opt-out: fetches nothing. */
  readonly purpose: 'search' | 'user' | 'training' | 'opt-out' | 'ads';
  /** Whether it follows robots.txt, according to its vendor. partly: for some requests only. */
  readonly obeys: 'yes' | 'partly' | 'no' | 'unknown';
  /** True if no vendor has ever described it, so that a robots.txt group for it has no effect. */
  readonly isUndocumented?: true;
  /** Tokens whose groups it follows, in order, if no group names it, according to its vendor. The final `*` is implied. */
  readonly fallbacks?: readonly string[];
  /** Resources besides HTML pages that it is known to read. */
  readonly reads?: readonly Resource[];
  /** True if C-BOT-03 sends its name. */
  readonly isTried?: boolean;
  /** Its User-Agent, if the vendor publishes the whole string and we send it. */
  readonly userAgent?: string;
}

export type Resource = 'llms.txt' | 'markdown' | 'sitemap';

/** Date on which we last read the vendors' pages. */
export const AGENTS_SEEN_ON = '2026-11-22';

const OPENAI = { vendor: 'OpenAI', source: 'https://developers.openai.com/api/docs/bots' } as const;
const ANTHROPIC = { vendor: 'Anthropic', source: 'https://support.claude.com/en/articles/8896518' } as const;
const PERPLEXITY = {
  vendor: 'Perplexity',
  source: 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers',
} as const;
const GOOGLE = {
  vendor: 'Google',
  source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers',
} as const;
const MICROSOFT = {
  vendor: 'Microsoft',
  source: 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
} as const;
const APPLE = { vendor: 'Apple', source: 'https://support.apple.com/en-us/119829' } as const;
const AMAZON = { vendor: 'Amazon', source: 'https://developer.amazon.com/amazonbot' } as const;
const META = {
  vendor: 'Meta',
  source: 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers',
} as const;
const MISTRAL = { vendor: 'Mistral AI', source: 'https://docs.mistral.ai/robots' } as const;
const MOONSHOT = { vendor: 'Moonshot AI', source: 'https://www.kimi.com/policies/kimi-crawlers' } as const;
const DUCKDUCKGO = {
  vendor: 'DuckDuckGo',
  source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
} as const;
const BYTEDANCE = { vendor: 'ByteDance', source: null } as const;
const COMMON_CRAWL = { vendor: 'Common Crawl', source: 'https://commoncrawl.org/ccbot' } as const;

/** Every agent that the scanner knows. Findings name the agents of a role in this order. */
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
  { ...OPENAI, token: 'GPTBot', purpose: 'training', obeys: 'yes' },
  { ...ANTHROPIC, token: 'ClaudeBot', purpose: 'training', obeys: 'yes' },
  { ...COMMON_CRAWL, token: 'CCBot', purpose: 'training', obeys: 'yes' },
  { ...AMAZON, token: 'Amazonbot', purpose: 'training', obeys: 'yes' },
  { ...META, token: 'meta-externalagent', purpose: 'training', obeys: 'yes' },
  { ...MISTRAL, token: 'MistralAI-Training', purpose: 'training', obeys: 'yes' },
  { ...MOONSHOT, token: 'KimiBot', purpose: 'training', obeys: 'yes' },
  { ...BYTEDANCE, token: 'Bytespider', purpose: 'training', obeys: 'unknown' },
  { ...GOOGLE, token: 'Google-Extended', purpose: 'opt-out', obeys: 'yes' },
  { ...APPLE, token: 'Applebot-Extended', purpose: 'opt-out', obeys: 'yes' },
  { ...OPENAI, token: 'OAI-AdsBot', purpose: 'ads', obeys: 'unknown' },
  { ...ANTHROPIC, token: 'Claude-Web', purpose: 'training', obeys: 'unknown', isUndocumented: true },
  { ...ANTHROPIC, token: 'anthropic-ai', purpose: 'training', obeys: 'unknown', isUndocumented: true },
] as const satisfies readonly Agent[];

type KnownAgent = (typeof AGENTS)[number];
type TokenOf<T> = Extract<KnownAgent, T>['token'];

export type AgentToken = KnownAgent['token'];
export type CoreToken = TokenOf<{ role: 'core' }>;
export type TriedToken = TokenOf<{ isTried: true }>;

export const CORE_TOKENS = AGENTS.filter((agent) => 'role' in agent && agent.role === 'core').map(tokenOf);

export const NOTED_TOKENS = AGENTS.filter((agent) => 'role' in agent && agent.role === 'noted').map(tokenOf);

export const TRIED_TOKENS = AGENTS.filter((agent) => 'isTried' in agent).map(tokenOf);

/** Training and opt-out tokens: blocking them expresses a preference for AI use. */
const TRAINING_AGENTS = AGENTS.filter(({ purpose }) => purpose === 'training' || purpose === 'opt-out');
export const TRAINING_TOKENS = TRAINING_AGENTS.map(tokenOf);

/** Training and opt-out tokens that their vendors describe today. */
export const TRAINING_CRAWLERS = TRAINING_AGENTS.filter((agent) => !('isUndocumented' in agent)).map(tokenOf);

/** Lower-case tokens of training, opt-out and ads agents, which owners may block without a finding. */
export const BLOCKABLE_TOKENS: ReadonlySet<string> = new Set(
  [...TRAINING_AGENTS, ...AGENTS.filter(({ purpose }) => purpose === 'ads')].map(({ token }) => token.toLowerCase()),
);

function tokenOf<T extends AgentToken>({ token }: { readonly token: T }): T {
  return token;
}

const BY_TOKEN: ReadonlyMap<string, Agent> = new Map(AGENTS.map((agent) => [agent.token, agent]));

export function agentOf(token: string): Agent | undefined {
  return BY_TOKEN.get(token);
}

export function ignoresRobots(token: string): boolean {
  return agentOf(token)?.obeys === 'no';
}

export function isReaderOf(token: AgentToken, resource: Resource): boolean {
  return agentOf(token)?.reads?.includes(resource) === true;
}

/** Returns the vendor's other agents that fetch pages to answer people. */
export function siblingsOf(token: AgentToken): readonly AgentToken[] {
  const vendor = agentOf(token)?.vendor;
  const isAnswering = ({ purpose }: Agent): boolean => purpose === 'search' || purpose === 'user';
  return AGENTS.filter((agent) => agent.vendor === vendor && agent.token !== token && isAnswering(agent)).map(tokenOf);
}

export function firstOfEachPurpose<T extends AgentToken>(tokens: readonly T[]): T[] {
  return distinctBy(tokens, (token) => agentOf(token)?.purpose);
}

/** An AI assistant and its agents in {@link AGENTS}. */
interface AssistantAgents {
  readonly name: string;
  /** Other products that use what its agents read. */
  readonly products?: string;
  readonly tokens: readonly AgentToken[];
  /**
   * True if its vendor documents how to verify its agents by IP address. Firewalls do so, and a test from our address proves nothing.
   * Read on 2026-11-29: developers.google.com/search/docs/advanced/crawling/verifying-googlebot and
   * www.bing.com/webmaster/help/how-to-verify-bingbot-3905dc26.
   */
  readonly isVerifiedByAddress?: true;
}

export const ASSISTANTS: readonly AssistantAgents[] = [
  { name: 'ChatGPT', tokens: ['OAI-SearchBot', 'ChatGPT-User'] },
  { name: 'Claude', tokens: ['Claude-SearchBot', 'Claude-User'] },
  { name: 'Perplexity', tokens: ['PerplexityBot', 'Perplexity-User'] },
  { name: 'Google', products: 'AI Overviews, Gemini', tokens: ['Googlebot'], isVerifiedByAddress: true },
  { name: 'Microsoft Copilot', tokens: ['Bingbot'], isVerifiedByAddress: true },
];

/** The agents of all assistants: a site that allows all of them can be read by each assistant. */
export const ASSISTANT_TOKENS = ASSISTANTS.flatMap(({ tokens }) => tokens);
