/** An agent that fetches web pages, or a token that rules for them may name, as its vendor describes it. */
export interface Agent extends AgentPage {
  /** Its product token in robots.txt, as the vendor spells it. */
  readonly token: string;
  /**
   * Role in C-BOT-01. core: blocking it fails, since it is one of the six behind the answers that most people see (our choice).
   * noted: the detail mentions it if it is blocked. never: not mentioned.
   */
  readonly role: 'core' | 'noted' | 'never';
  /** What it does with a page. user: fetches one page because a person asked. opt-out: fetches nothing. */
  readonly purpose: 'search' | 'user' | 'training' | 'opt-out' | 'ads';
  /** Does it follow robots.txt, according to its vendor? partly: not for every request. */
  readonly obeys: 'yes' | 'partly' | 'no' | 'unknown';
  /**
   * Why a robots.txt group for it has no effect. no-token: its vendor says that it has no token. retired: no longer in use.
   * undocumented: no vendor has ever described it.
   */
  readonly group?: 'no-token' | 'retired' | 'undocumented';
  /** Tokens whose groups it follows, in order, if no group names it, according to its vendor; without the final `*`. */
  readonly fallbacks?: readonly string[];
  /** Resources besides HTML pages that it is known to read. */
  readonly reads?: readonly Resource[];
  /** True if C-BOT-03 sends its name. */
  readonly isTried?: boolean;
  /** Its User-Agent, if the vendor publishes the whole string and we send it. */
  readonly userAgent?: PublishedUserAgent;
}

/** The page on which a vendor describes its agents. */
export interface AgentPage {
  readonly vendor: string;
  /** Null if we know of no such page. */
  readonly source: string | null;
  /** The day on which that page, or a copy of it, was last read. */
  readonly seenOn: string;
  /** How the vendor's parser reads robots.txt; undefined if unknown. */
  readonly reading?: Reading;
}

/**
 * How a parser reads robots.txt. google: as the one that Google published: only a rule ends a list of User-agent lines (RFC 9309 §2.2.1
 * and §2.2.4), and keys are read by their beginning.
 */
export type Reading = 'google';

export type Resource = 'llms.txt' | 'markdown' | 'sitemap';

/** A User-Agent around the name and address of the agent. */
export interface PublishedUserAgent {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}
