import type { FetchFailure } from '../../net/failure.js';
import { siblingsOf, type AgentToken, type TriedToken } from './agents.js';
import { type SafeText, safeText } from './safe-text.js';

export type AgentReply =
  /** 2xx and no challenge. `textShare`: its text divided by the baseline's; null if that has none or the page was cut. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx, the start of a long page without text, or another response that proves nothing. */
  | { readonly kind: 'inconclusive'; readonly cause: { readonly status: number } | FetchFailure };

export interface AgentTrial {
  readonly agent: TriedToken;
  readonly first: AgentReply;
  /** The same request at least a second later; sent only if the first was not served. */
  readonly second: AgentReply | null;
  /** The same User-Agent with an invented name and URL; sent only if the first was refused or stalled. */
  readonly invented: AgentReply | null;
}

/** A request as Googlebot or a sibling agent, which shows whether the server only verifies IP addresses. */
export interface AgentReference {
  readonly agent: AgentToken;
  readonly reply: AgentReply;
}

export interface AgentPage {
  /** Position of the page in the sample; 1 is the home page. */
  readonly position: number;
  /** See {@link SamplePage}. */
  readonly foundAt: SafeText;
  readonly trials: readonly AgentTrial[];
  readonly references: readonly AgentReference[];
  /** Our own name again, sent last; only if a request was repeated, or no invented name was served. */
  readonly baseline: AgentReply | null;
}

export interface AgentReplies {
  /** Agents that are not tested, because robots.txt disallows them on the home page. */
  readonly disallowed: readonly TriedToken[];
  /** The home page and the other sampled pages that were tested, in order. */
  readonly pages: readonly [AgentPage, ...AgentPage[]];
  /** Positions of sampled pages that were not tested: the test had ended, or another robots.txt applies. */
  readonly skipped: readonly number[];
}

/** Detail of the check if ownership is not verified. */
export const NAMES_NOT_TRIED = safeText`This check sends requests under other agents' names, so it only runs on sites whose owner is verified. Add the site to an account and verify that you own it. The command line and free scans cannot run this check.`;

/**
 * How the server treats an agent. rejected, timedOut: proven to depend on its name. filtered: other names are refused as well, or the
 * server only admits agents that it can verify.
 */
export type Treatment = 'served' | 'rejected' | 'timedOut' | 'filtered' | 'unproven';

export type TestedPage = Pick<AgentPage, 'trials' | 'references'>;

/**
 * Determines how the server treats one agent on a page. A name counts as rejected only if an invented name in the same User-Agent is
 * served, known agents are served, the agent is refused again a second later, and our own name is served after that.
 * @param others pages that were tested before
 */
export function treatmentOf(trial: AgentTrial, page: AgentPage, others: readonly TestedPage[]): Treatment {
  const { first, second, invented } = trial;
  if (first.kind === 'served' || second?.kind === 'served') return 'served';
  const knownAgents = judgeReferences(trial, page, others);
  if (isRefusal(first) && (invented === null || isRefusal(invented))) return 'filtered';
  if (invented?.kind === 'served' && knownAgents === 'none') return 'filtered';
  if (invented?.kind !== 'served' || knownAgents !== 'served' || page.baseline?.kind !== 'served') return 'unproven';
  if (first.kind === 'refused' && second?.kind === 'refused') return 'rejected';
  return first.kind === 'stalled' && second?.kind === 'stalled' ? 'timedOut' : 'unproven';
}

/**
 * Determines whether the server serves known agents from our IP address: Googlebot or a sibling agent on this page, or this agent on another
 * page. none: it serves none of them.
 */
export function judgeReferences(
  { agent }: AgentTrial,
  page: TestedPage,
  others: readonly TestedPage[],
): 'served' | 'none' | 'unproven' {
  const known: ReadonlySet<AgentToken> = new Set(['Googlebot', ...siblingsOf(agent)]);
  const replies = [
    ...page.references.filter((one) => known.has(one.agent)).map(({ reply }) => reply),
    ...page.trials.filter((one) => known.has(one.agent)).map(outcomeOf),
    ...others.flatMap(({ trials }) => trials.filter((one) => one.agent === agent).map(outcomeOf)),
  ];
  if (replies.some(({ kind }) => kind === 'served')) return 'served';
  return replies.some(({ kind }) => kind === 'inconclusive') ? 'unproven' : 'none';
}

export function isRefusal(reply: AgentReply | null): boolean {
  return reply?.kind === 'refused' || reply?.kind === 'stalled';
}

function outcomeOf({ first, second }: AgentTrial): AgentReply {
  return second?.kind === 'served' ? second : first;
}
