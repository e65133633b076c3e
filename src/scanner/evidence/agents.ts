import type { TriedToken } from '../agents/tokens.js';
import type { FetchFailure } from './failure.js';

/** The home page's answer to one request under an agent's name. */
export type AgentReply =
  /** 2xx and no challenge. `textShare` is its text over the baseline's, null when the baseline has none. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx and anything else that proves nothing about the name. */
  | { readonly kind: 'unsettled'; readonly cause: { readonly status: number } | FetchFailure };

/** One agent that robots.txt admits, and how the edge treated its name. */
export interface AgentTrial {
  readonly agent: TriedToken;
  readonly first: AgentReply;
  /** The same request again, at least a second later; sent only if the first was not served but the controls were. */
  readonly second: AgentReply | null;
  /** The same User-Agent with an invented name and URL; sent only if the first was refused or stalled. */
  readonly invented: AgentReply | null;
}

/** How the edge treats the agents that the policy admits. */
export interface AgentReplies {
  /** Agents that robots.txt bars from the home page: not tested. */
  readonly barred: readonly TriedToken[];
  readonly trials: readonly AgentTrial[];
  /** The control under Googlebot's name; sent only if an agent was refused or stalled. */
  readonly googlebot: AgentReply | null;
  /** Our own name again, after the last repeat; sent only if something was repeated. */
  readonly baseline: AgentReply | null;
}
