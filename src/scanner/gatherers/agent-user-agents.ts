import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import { userAgentOf } from '../artifacts/agents/tokens.js';

/** An unused name, with an address that cannot be registered (RFC 2606): an edge that refuses it does not judge by name alone. */
export const INVENTED = 'Lumiquary';
const INVENTED_URL = 'https://lumiquary.example/about';

export function agentUserAgent(agent: AgentToken): string {
  const { before, name, after } = userAgentOf(agent);
  return before + name + after;
}

/** The same string with an invented name, and an invented address if the agent's has one. */
export function inventedUserAgent(agent: TriedToken): string {
  const { before, name, after } = userAgentOf(agent);
  const version = /\/[\d.]+/.exec(name)?.[0] ?? '';
  const address = name.includes('+http') ? `; +${INVENTED_URL}` : '';
  return before + INVENTED + version + address + after;
}
