import type { AgentToken } from './tokens.js';

/** An assistant that people ask. AGENTS has the source, the date and what its vendor says of each agent. */
interface AssistantSource {
  readonly name: string;
  /** Products that answer from what its agents read, where its name does not say so. */
  readonly products?: string;
  /** The agents that read pages for its answers. */
  readonly tokens: readonly AgentToken[];
  /**
   * Its vendor tells sites how to verify its agents by their address, and firewalls do, so a test under such a name from another address
   * proves nothing. Read on 2026-11-29: developers.google.com/search/docs/advanced/crawling/verifying-googlebot and
   * www.bing.com/webmaster/help/how-to-verify-bingbot-3905dc26.
   */
  readonly isVerifiedByAddress?: true;
}

/** In the order of reports. */
export const ASSISTANTS: readonly AssistantSource[] = [
  { name: 'ChatGPT', tokens: ['OAI-SearchBot', 'ChatGPT-User'] },
  { name: 'Claude', tokens: ['Claude-SearchBot', 'Claude-User'] },
  { name: 'Perplexity', tokens: ['PerplexityBot', 'Perplexity-User'] },
  { name: 'Google', products: 'AI Overviews, Gemini', tokens: ['Googlebot'], isVerifiedByAddress: true },
  { name: 'Microsoft Copilot', tokens: ['Bingbot'], isVerifiedByAddress: true },
];
