/**
 * The agents whose treatment by the edge is tested (C-BOT-03): search crawlers, and agents that fetch a page because a person
 * asked for it.
 */
export const AGENT_NAMES = ['OAI-SearchBot', 'ChatGPT-User', 'PerplexityBot', 'Claude-User'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
