import type { AgentName } from './agent-names.js';
import type { FetchFailure } from './failure.js';

/** What the home page answered to one request under an agent's name. */
export type AgentReply =
  /** 2xx and no challenge. `textShare` is its text over the baseline's, null when the baseline has none. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx and everything else that proves nothing about the name. */
  | { readonly kind: 'unsettled'; readonly cause: { readonly status: number } | FetchFailure };

/** One agent that robots.txt admits, and how its name was received. */
export interface AgentTrial {
  readonly agent: AgentName;
  readonly first: AgentReply;
  /** The same once more, at least a second later; only asked for when the first was not served and the controls were. */
  readonly second: AgentReply | null;
  /** The same User-Agent with an invented name and URL; only asked for when the first was refused or stalled. */
  readonly invented: AgentReply | null;
}

/** How the edge receives the agents that the policy admits. */
export interface AgentReplies {
  /** Agents that robots.txt bars from the home page: they were not tried. */
  readonly barred: readonly AgentName[];
  readonly trials: readonly AgentTrial[];
  /** Control under Googlebot's name; only asked for when an agent was refused or stalled. */
  readonly googlebot: AgentReply | null;
  /** Our own name once more, after the last repeat; only asked for when something was repeated. */
  readonly baseline: AgentReply | null;
}
