import type { FetchFailure } from '../../net/failure.js';
import { siblingsOf, type AgentToken, type TriedToken } from './agents.js';
import { type SafeText, safeText } from './safe-text.js';

export type AgentReply =
  /** 2xx and no challenge. `textShare` is its text over the baseline's; null if the baseline has none, or we did not read the page to its end. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx, the start of a long page without text, or another response that proves nothing about the name. */
  | { readonly kind: 'unsettled'; readonly cause: { readonly status: number } | FetchFailure };

export interface AgentTrial {
  readonly agent: TriedToken;
  readonly first: AgentReply;
  /** The same request at least a second later; sent only if the first was refused or proved nothing. */
  readonly second: AgentReply | null;
  /** The same User-Agent with an invented name and URL; sent only if the first was refused or stalled. */
  readonly invented: AgentReply | null;
}

/** A request as Googlebot or as a vendor's other agent, to see if the edge merely verifies IP addresses. */
export interface AgentWitness {
  readonly agent: AgentToken;
  readonly reply: AgentReply;
}

export interface AgentPage {
  /** Position of the page in the sample; 1 is the home page. */
  readonly position: number;
  /** What names its address, for `detail`. */
  readonly origin: SafeText;
  readonly trials: readonly AgentTrial[];
  readonly witnesses: readonly AgentWitness[];
  /** Our own name again, after everything else; sent only if something was repeated, or no invented name was served. */
  readonly baseline: AgentReply | null;
}

export interface AgentReplies {
  /** Agents that robots.txt disallows on the home page, so they are not tested there. */
  readonly disallowed: readonly TriedToken[];
  /** The home page and the other sampled pages that were tested, in order. */
  readonly pages: readonly [AgentPage, ...AgentPage[]];
  /** Positions of sampled pages that were not tested, because the test had ended or another robots.txt applies. */
  readonly skipped: readonly number[];
}

/** Why agents' names were not tried: the detail of a check that was not made. */
export const NAMES_NOT_TRIED = safeText`This check sends requests under other agents' names, so it only runs on sites whose owner is verified. Add the site to an account and verify that you own it. The command line and free scans cannot run this check.`;

/**
 * How the edge treats an agent. rejected, timedOut: proven to depend on its name. filtered: other names do not get the page either,
 * or only agents that the edge can verify. open: nothing is proven.
 */
export type Treatment = 'served' | 'rejected' | 'timedOut' | 'filtered' | 'open';

export type TestedPage = Pick<AgentPage, 'trials' | 'witnesses'>;

/**
 * Determines how the edge treats one agent on a page. It is refused by name only if the same User-Agent with an invented name is served,
 * the edge does not merely verify identities, the agent is refused the same way a second later, and our own name is served after that.
 * @param others pages that were tested before
 */
export function treatmentOf(trial: AgentTrial, page: AgentPage, others: readonly TestedPage[]): Treatment {
  const { first, second, invented } = trial;
  if (first.kind === 'served' || second?.kind === 'served') return 'served';
  const knownAgents = judgeWitnesses(trial, page, others);
  if (isRefusal(first) && (invented === null || isRefusal(invented))) return 'filtered';
  if (invented?.kind === 'served' && knownAgents === 'none') return 'filtered';
  if (invented?.kind !== 'served' || knownAgents !== 'served' || page.baseline?.kind !== 'served') return 'open';
  if (first.kind === 'refused' && second?.kind === 'refused') return 'rejected';
  return first.kind === 'stalled' && second?.kind === 'stalled' ? 'timedOut' : 'open';
}

/**
 * Checks if the edge serves a known agent although it cannot verify its IP address: Googlebot or another agent of the same vendor on
 * this page, or this agent on another page. none: it serves none of them. open: not proven.
 */
export function judgeWitnesses(
  { agent }: AgentTrial,
  page: TestedPage,
  others: readonly TestedPage[],
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

export function isRefusal(reply: AgentReply | null): boolean {
  return reply?.kind === 'refused' || reply?.kind === 'stalled';
}

function outcomeOf({ first, second }: AgentTrial): AgentReply {
  return second?.kind === 'served' ? second : first;
}
