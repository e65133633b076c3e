/** An agent that fetches web pages, or a token that rules for them may name, as its vendor describes it. */
export interface Agent extends AgentPage {
  /** Its product token in robots.txt, as the vendor spells it. */
  readonly token: string;
  /**
   * Its part in C-BOT-01. core: barring it fails, since it is one of the six that feed the answers most people see (our choice).
   * noted: the detail says if it is barred. never: not mentioned.
   */
  readonly role: 'core' | 'noted' | 'never';
  /** What it does with a page. user: it fetches one page because a person asked. opt-out: it fetches nothing. */
  readonly purpose: 'search' | 'user' | 'training' | 'opt-out' | 'ads';
  /** Whether its vendor says that it follows robots.txt; partly: not for every request. */
  readonly obeys: 'yes' | 'partly' | 'no' | 'unknown';
  /**
   * Why a group of robots.txt that names it addresses nobody. no-token: its vendor says that it has no token there. retired: it no
   * longer comes. undocumented: no vendor has ever described it.
   */
  readonly group?: 'no-token' | 'retired' | 'undocumented';
  /** The tokens whose groups its vendor says it follows if none names it, in order; `*` comes last and is left out. */
  readonly fallbacks?: readonly string[];
  /** What it is known to read besides HTML pages; nothing is known of the others. */
  readonly reads?: readonly Resource[];
  /** Whether C-BOT-03 tries its name. */
  readonly isTried?: boolean;
  /** Its User-Agent, where the vendor publishes the whole string and we send it. */
  readonly userAgent?: PublishedUserAgent;
}

/** The page on which a vendor describes its agents. */
export interface AgentPage {
  readonly vendor: string;
  /** Null if we know of no such page. */
  readonly source: string | null;
  /** The day on which that page, or a copy of it, was last read. */
  readonly seenOn: string;
  /** How the vendor's parser reads robots.txt; unknown if it is left out. */
  readonly reading?: Reading;
}

/**
 * How a parser reads robots.txt. google: as the one that Google published: only a rule ends a list of User-agent lines (RFC 9309 §2.2.1
 * and §2.2.4), keys are read by their beginning, paths are compared as the octets that were received.
 */
export type Reading = 'google';

export type Resource = 'llms.txt' | 'markdown' | 'sitemap';

/** A User-Agent around the name and address of the agent. */
export interface PublishedUserAgent {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}
