import type { AgentToken } from './agents/tokens.js';
import { siblingsOf } from './agents/tokens.js';
import type { AgentPage, AgentReply, AgentTrial } from './agent-replies.js';

/**
 * served: the name gets the page. rejected, timed-out: proven for this name. filtered: no other name gets the page
 * either, or only whom the edge can verify. open: nothing is proven.
 */
export type Standing = 'served' | 'rejected' | 'timed-out' | 'filtered' | 'open';

/** What is known of a page so far. */
export type AskedPage = Pick<AgentPage, 'trials' | 'witnesses'>;

/**
 * How one name stands on a page. It is turned away by its name only if the same string with an invented name is served, the edge does
 * not merely verify identities, the name is turned away alike a second later, and our own name is served after that.
 * @param others the pages that were asked for before
 */
export function standingOf(trial: AgentTrial, page: AgentPage, others: readonly AskedPage[]): Standing {
  const { first, second, invented } = trial;
  if (first.kind === 'served' || second?.kind === 'served') return 'served';
  const vouched = vouchFor(trial, page, others);
  if (isTurnedAway(first) && (invented === null || isTurnedAway(invented))) return 'filtered';
  if (invented?.kind === 'served' && vouched === 'nobody') return 'filtered';
  if (invented?.kind !== 'served' || vouched !== 'served' || page.baseline?.kind !== 'served') return 'open';
  if (first.kind === 'refused' && second?.kind === 'refused') return 'rejected';
  return first.kind === 'stalled' && second?.kind === 'stalled' ? 'timed-out' : 'open';
}

/**
 * Whether the edge serves somebody whom it cannot verify by address, though it knows the name: Googlebot's or another one of the same
 * vendor on this page, or this one on another page. open: that could not be settled.
 */
export function vouchFor(
  { agent }: AgentTrial,
  page: AskedPage,
  others: readonly AskedPage[],
): 'served' | 'nobody' | 'open' {
  const known: ReadonlySet<AgentToken> = new Set(['Googlebot', ...siblingsOf(agent)]);
  const replies = [
    ...page.witnesses.filter((one) => known.has(one.agent)).map(({ reply }) => reply),
    ...page.trials.filter((one) => known.has(one.agent)).map(outcomeOf),
    ...others.flatMap(({ trials }) => trials.filter((one) => one.agent === agent).map(outcomeOf)),
  ];
  if (replies.some(({ kind }) => kind === 'served')) return 'served';
  return replies.some(({ kind }) => kind === 'unsettled') ? 'open' : 'nobody';
}

export function isTurnedAway(reply: AgentReply | null): boolean {
  return reply?.kind === 'refused' || reply?.kind === 'stalled';
}

function outcomeOf({ first, second }: AgentTrial): AgentReply {
  return second?.kind === 'served' ? second : first;
}
