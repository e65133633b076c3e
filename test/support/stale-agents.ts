import type { Agent } from '../../src/scanner/artifacts/agents/agents.js';

/** Vendors change their agents without notice; what was read longer ago, in days, is read again before a release. */
const AGE_DAYS_MAX = 180;
const DAY_MS = 86_400_000;

/** Agents whose vendor's page was last read too long before `today`, with the age in days. */
export function listStaleAgents(agents: readonly Agent[], today: Date): { agent: Agent; days: number }[] {
  return agents
    .map((agent) => ({ agent, days: Math.floor((today.getTime() - Date.parse(agent.seenOn)) / DAY_MS) }))
    .filter(({ days }) => days > AGE_DAYS_MAX);
}
