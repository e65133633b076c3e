/** A Markdown link of llms.txt, in source order. */
export interface LlmsLink {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Resolved against the final URL of llms.txt; null when it cannot be parsed or is empty. */
  readonly url: URL | null;
  /** On the registrable domain of the site. */
  readonly isFirstParty: boolean;
}

/** llms.txt as CommonMark. */
export interface LlmsDocument {
  /** Valid UTF-8 without NUL bytes. */
  readonly isText: boolean;
  /** Unicode characters after decoding. */
  readonly characterCount: number;
  /** Our own limit cut the body: there are more characters. */
  readonly isOverLimit: boolean;
  /** Line of the first H1 that has text, or null. */
  readonly h1Line: number | null;
  /** Level and line of the first heading, or null. */
  readonly firstHeading: { readonly level: number; readonly line: number } | null;
  readonly links: readonly LlmsLink[];
  /** Lines with an http(s) URL outside a Markdown link and outside code. */
  readonly bareUrlLines: readonly number[];
  /** List items that are nothing but a bare URL. */
  readonly bareUrlItemLines: readonly number[];
}

/** What following a link came to; `unknown` is 401, 403, 429, 5xx or a timeout. */
export type LinkState = 'alive' | 'dead' | 'unknown';

export interface LlmsLinks {
  /** How many different first-party links the file holds. */
  readonly firstPartyCount: number;
  readonly checked: readonly { readonly line: number; readonly state: LinkState }[];
}
