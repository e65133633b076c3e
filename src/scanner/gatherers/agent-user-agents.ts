import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import { userAgentOf } from '../artifacts/agents/tokens.js';

/** An unused agent name, with a URL that cannot be registered (RFC 2606). An edge that refuses it does not judge by name alone. */
export const INVENTED = 'Lumiquary';
const INVENTED_URL = 'https://lumiquary.example/about';

export function agentUserAgent(agent: AgentToken): string {
  const { before, name, after } = userAgentOf(agent);
  return before + name + after;
}

/** Returns the agent's User-Agent with an invented name, and an invented URL if it has one. */
export function inventedUserAgent(agent: TriedToken): string {
  const { before, name, after } = userAgentOf(agent);
  const version = /\/[\d.]+/.exec(name)?.[0] ?? '';
  const address = name.includes('+http') ? `; +${INVENTED_URL}` : '';
  return before + INVENTED + version + address + after;
}
