import type { AgentToken, TriedToken } from './agents/tokens.js';
import type { FetchFailure } from '../../net/failure.js';
import type { SafeText } from './safe-text.js';

/** A page's answer to one request under an agent's name. Of its body nothing is kept but how much text it has. */
export type AgentReply =
  /** 2xx and no challenge. `textShare` is its text over the baseline's, null when the baseline has none. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx and anything else that proves nothing about the name. */
  | { readonly kind: 'unsettled'; readonly cause: { readonly status: number } | FetchFailure };

/** One agent that robots.txt admits to a page, and how the edge treated its name there. */
export interface AgentTrial {
  readonly agent: TriedToken;
  readonly first: AgentReply;
  /** The same request again, at least a second later; sent only if the first may be the name's doing, or proved nothing. */
  readonly second: AgentReply | null;
  /** The same User-Agent with an invented name and URL; sent only if the first was refused or stalled. */
  readonly invented: AgentReply | null;
}

/** A name that is asked for to see if the edge merely verifies who comes: Googlebot, or another agent of a tried one's vendor. */
export interface AgentWitness {
  readonly agent: AgentToken;
  readonly reply: AgentReply;
}

/** How the edge treats agents on one sampled page. */
export interface AgentPage {
  /** Of the page in the sample; 1 is the home page. */
  readonly position: number;
  /** Where its address was found, for `detail`. */
  readonly origin: SafeText;
  readonly trials: readonly AgentTrial[];
  readonly witnesses: readonly AgentWitness[];
  /** Our own name again, after everything else; sent only if something was repeated, or no invented name was served. */
  readonly baseline: AgentReply | null;
}

/** How the edge treats the agents that the policy admits. */
export interface AgentReplies {
  /** Agents that robots.txt bars from the home page: not tested there. */
  readonly barred: readonly TriedToken[];
  /** The home page, and the other sampled pages that were asked for, in their order. */
  readonly pages: readonly [AgentPage, ...AgentPage[]];
  /** Positions of the sampled pages that were not asked for: something ended the requests, or another robots.txt governs them. */
  readonly unasked: readonly number[];
}
