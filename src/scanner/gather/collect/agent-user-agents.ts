import type { AgentName } from '../../evidence/agent-names.js';

/** A User-Agent around the name and address of the agent. */
interface Published {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/**
 * The User-Agents that vendors publish; if a vendor publishes no full string, its token. Sources: OpenAI, "Overview of OpenAI
 * crawlers", developers.openai.com/api/docs/bots; Perplexity, "Perplexity crawlers",
 * docs.perplexity.ai/docs/resources/perplexity-crawlers; Anthropic, "Does Anthropic crawl data from the web, and how can site
 * owners block the crawler?", support.claude.com/en/articles/8896518, which gives the token but no full string.
 */
const PUBLISHED: Readonly<Record<AgentName, Published>> = {
  'OAI-SearchBot': {
    before:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; ',
    name: 'OAI-SearchBot/1.4; +https://openai.com/searchbot',
    after: '',
  },
  'ChatGPT-User': {
    before: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ',
    name: 'ChatGPT-User/1.0; +https://openai.com/bot',
    after: '',
  },
  PerplexityBot: {
    before: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ',
    name: 'PerplexityBot/1.0; +https://perplexity.ai/perplexitybot',
    after: ')',
  },
  'Claude-User': { before: '', name: 'Claude-User', after: '' },
};

/** An unused name, with an address that cannot be registered (RFC 2606): an edge that refuses it does not judge by name alone. */
const INVENTED = 'Lumiquary';
const INVENTED_URL = 'https://lumiquary.example/about';

/** Source: Google, "Google's common crawlers", developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers. */
export const GOOGLEBOT_USER_AGENT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export function agentUserAgent(agent: AgentName): string {
  const { before, name, after } = PUBLISHED[agent];
  return before + name + after;
}

/** The same string with an invented name, and an invented address if the agent's has one. */
export function inventedUserAgent(agent: AgentName): string {
  const { before, name, after } = PUBLISHED[agent];
  const version = /\/[\d.]+/.exec(name)?.[0] ?? '';
  const address = name.includes('+http') ? `; +${INVENTED_URL}` : '';
  return before + INVENTED + version + address + after;
}
