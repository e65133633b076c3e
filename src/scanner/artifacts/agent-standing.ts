import type { AgentToken } from './agents/tokens.js';
import { siblingsOf } from './agents/tokens.js';
import type { AgentPage, AgentReply, AgentTrial } from './agent-replies.js';

/**
 * How the edge treats an agent. rejected, timed-out: proven to depend on its name. filtered: other names do not get the page either,
 * or only agents that the edge can verify. open: nothing is proven.
 */
export type Standing = 'served' | 'rejected' | 'timed-out' | 'filtered' | 'open';

export type AskedPage = Pick<AgentPage, 'trials' | 'witnesses'>;

/**
 * Determines how the edge treats one agent on a page. It is refused by name only if the same User-Agent with an invented name is served,
 * the edge does not merely verify identities, the agent is refused the same way a second later, and our own name is served after that.
 * @param others pages that were tested before
 */
export function standingOf(trial: AgentTrial, page: AgentPage, others: readonly AskedPage[]): Standing {
  const { first, second, invented } = trial;
  if (first.kind === 'served' || second?.kind === 'served') return 'served';
  const knownAgents = judgeWitnesses(trial, page, others);
  if (isTurnedAway(first) && (invented === null || isTurnedAway(invented))) return 'filtered';
  if (invented?.kind === 'served' && knownAgents === 'none') return 'filtered';
  if (invented?.kind !== 'served' || knownAgents !== 'served' || page.baseline?.kind !== 'served') return 'open';
  if (first.kind === 'refused' && second?.kind === 'refused') return 'rejected';
  return first.kind === 'stalled' && second?.kind === 'stalled' ? 'timed-out' : 'open';
}

/**
 * Checks if the edge serves a known agent although it cannot verify its IP address: Googlebot or another agent of the same vendor on
 * this page, or this agent on another page. none: it serves none of them. open: not proven.
 */
export function judgeWitnesses(
  { agent }: AgentTrial,
  page: AskedPage,
  others: readonly AskedPage[],
): 'served' | 'none' | 'open' {
  const known: ReadonlySet<AgentToken> = new Set(['Googlebot', ...siblingsOf(agent)]);
  const replies = [
    ...page.witnesses.filter((one) => known.has(one.agent)).map(({ reply }) => reply),
    ...page.trials.filter((one) => known.has(one.agent)).map(outcomeOf),
    ...others.flatMap(({ trials }) => trials.filter((one) => one.agent === agent).map(outcomeOf)),
  ];
  if (replies.some(({ kind }) => kind === 'served')) return 'served';
  return replies.some(({ kind }) => kind === 'unsettled') ? 'open' : 'none';
}

export function isTurnedAway(reply: AgentReply | null): boolean {
  return reply?.kind === 'refused' || reply?.kind === 'stalled';
}

function outcomeOf({ first, second }: AgentTrial): AgentReply {
  return second?.kind === 'served' ? second : first;
}
