import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import { agentOf } from '../artifacts/agents/tokens.js';

/** An unused agent name, with a URL that cannot be registered (RFC 2606). An edge that refuses it does not judge by name alone. */
export const INVENTED = 'Lumiquary';
const INVENTED_URL = 'https://lumiquary.example/about';

/** Returns the User-Agent that the vendor publishes, else the token. */
export function agentUserAgent(agent: AgentToken): string {
  return agentOf(agent)?.userAgent ?? agent;
}

/** Returns the agent's User-Agent with an invented name, and an invented URL if it has one. */
export function inventedUserAgent(agent: TriedToken): string {
  return agentUserAgent(agent)
    .replace(agent, INVENTED)
    .replace(/\+https?:[^\s;)]+/, `+${INVENTED_URL}`);
}
