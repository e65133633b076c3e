/** Access of one agent of an assistant to the site, by robots.txt and by the server's response to its name. */
export interface AssistantToken {
  readonly token: string;
  /** unknown: robots.txt or the home page could not be read. */
  readonly robots: 'allowed' | 'disallowed' | 'unknown';
  /** The line of robots.txt that disallows it, from 1. */
  readonly line: number | null;
  /** untested: its name was not tried, or the test proved nothing. */
  readonly server: 'served' | 'refused' | 'untested';
  /** The status of a refusal or an inconclusive test; null if there was no such response, or it has no status. */
  readonly status: number | null;
}

export interface Assistant {
  readonly name: string;
  /** open: all its agents have access. partly: only one of two, or not to all pages. blocked: none. unknown: see `reason`. */
  readonly state: 'open' | 'partly' | 'blocked' | 'unknown';
  readonly reason?: UnknownReason;
  readonly tokens: readonly AssistantToken[];
}

/**
 * Why we do not know whether an assistant can read the site: the home page did not respond, or with an error or a challenge; robots.txt
 * could not be read, or has more wildcards than we compare; the server's responses to the agent's name prove nothing.
 */
export type UnknownReason = 'silent' | 'error' | 'challenge' | 'robots' | 'wildcards' | 'unproven';

/** Which assistants can read the site, and its policy on training. Contains only our own words and numbers. */
export interface Answer {
  readonly assistants: readonly Assistant[];
  readonly training: Training;
}

/** partly: some training crawlers are disallowed. unsaid: robots.txt mentions none. unknown: robots.txt could not be read. */
export type Training = 'allowed' | 'refused' | 'partly' | 'unsaid' | 'unknown';
