/** Whether one agent of an assistant may read the site: by robots.txt, and by how the server answers its name. */
export interface AssistantToken {
  readonly token: string;
  /** unknown: robots.txt or the home page could not be read. */
  readonly robots: 'allowed' | 'disallowed' | 'unknown';
  /** The line of robots.txt that disallows it, from 1. */
  readonly line: number | null;
  /** untested: its name was not tried, or the test proved nothing. */
  readonly server: 'served' | 'refused' | 'untested';
  /** The status of a refusal, or of a test that proved nothing. Null if there was none, or another answer than a status. */
  readonly status: number | null;
}

/** Whether one assistant can read the site. */
export interface Assistant {
  readonly name: string;
  /** open: all its agents may. partly: one of two may. blocked: none may. unknown: see `reason`. */
  readonly state: 'open' | 'partly' | 'blocked' | 'unknown';
  /** Set if the state is unknown. */
  readonly reason?: UnknownReason;
  readonly tokens: readonly AssistantToken[];
}

/**
 * Why it is not known whether an assistant can read the site: the home page gave no answer, an error or a challenge; robots.txt could not
 * be read, or has more wildcards than we compare; the server's answers to the agent's name prove nothing.
 */
export type UnknownReason = 'silent' | 'error' | 'challenge' | 'robots' | 'wildcards' | 'unproven';

/** Which assistants can read the site, and what it says of training. Our words and numbers only. */
export interface Answer {
  readonly assistants: readonly Assistant[];
  readonly training: Training;
}

/** partly: some crawlers that train models are disallowed. unsaid: nothing is said of them. unknown: robots.txt could not be read. */
export type Training = 'allowed' | 'refused' | 'partly' | 'unsaid' | 'unknown';
