import type { AgentToken, TriedToken } from './agents/tokens.js';
import type { FetchFailure } from '../../net/failure.js';
import type { SafeText } from './safe-text.js';

/** How a page responds to a request as one agent. Stores only the amount of text of the body. */
export type AgentReply =
  /** 2xx and no challenge. `textShare` is its text over the baseline's, null when the baseline has none. */
  | { readonly kind: 'served'; readonly textShare: number | null }
  /** 401, 402, 403, 406 or 451, a reset connection, a challenge, or a page without its text. */
  | { readonly kind: 'refused'; readonly cause: { readonly status: number } | 'reset' | 'challenge' | 'emptied' }
  | { readonly kind: 'stalled' }
  /** 429, 5xx and anything else that proves nothing about the name. */
  | { readonly kind: 'unsettled'; readonly cause: { readonly status: number } | FetchFailure };

/** How the edge treats one agent that robots.txt allows on a page. */
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

/** How the edge treats agents on one sampled page. */
export interface AgentPage {
  /** Position of the page in the sample; 1 is the home page. */
  readonly position: number;
  /** Where its address was found, for `detail`. */
  readonly origin: SafeText;
  readonly trials: readonly AgentTrial[];
  readonly witnesses: readonly AgentWitness[];
  /** Our own name again, after everything else; sent only if something was repeated, or no invented name was served. */
  readonly baseline: AgentReply | null;
}

/** How the edge treats the agents that robots.txt allows. */
export interface AgentReplies {
  /** Agents that robots.txt disallows on the home page, so they are not tested there. */
  readonly disallowed: readonly TriedToken[];
  /** The home page and the other sampled pages that were tested, in order. */
  readonly pages: readonly [AgentPage, ...AgentPage[]];
  /** Positions of sampled pages that were not tested: the test had ended, or another robots.txt applies. */
  readonly skipped: readonly number[];
}
