/** A Markdown link of llms.txt, in source order. */
export interface LlmsLink {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Resolved against the final URL of llms.txt; null when it cannot be parsed or is empty. */
  readonly url: URL | null;
  /** An http(s) URL on the registrable domain of the site. */
  readonly isFirstParty: boolean;
}

/** A heading of llms.txt that has text and stands in the document itself, not in a list or a quote. */
export interface LlmsHeading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** Line in the file, from 1. */
  readonly line: number;
}

/** llms.txt as CommonMark. */
export interface LlmsDocument {
  /** Why the body is no text that can be read as Markdown, or null: its bytes are no UTF-8, or hold NUL, or there is nothing. */
  readonly textFault: 'not-utf8' | 'binary' | 'empty' | null;
  /** Unicode code points after decoding, without a BOM; of what was read when our own limit cut the body. */
  readonly characterCount: number;
  /** Our own limit cut the body: there are more characters. */
  readonly isOverLimit: boolean;
  /** The first heading, and the first H1; null when there is none. */
  readonly firstHeading: LlmsHeading | null;
  readonly h1: LlmsHeading | null;
  readonly links: readonly LlmsLink[];
  /** Lines of the entries of lists that hold bare http(s) URLs and nothing else, two or more of them. */
  readonly bareUrlItemLines: readonly number[];
  /** False when the file is so long that its end was not looked at: no claim about all of it can be made. */
  readonly isWhollyParsed: boolean;
}

/** What following a link came to; `unknown` is 401, 403, 429, 5xx or a timeout. */
export type LinkState = 'alive' | 'dead' | 'unknown';

export interface LlmsLinks {
  /** How many different first-party links the file holds. */
  readonly firstPartyCount: number;
  /** The sample of them that was followed, in source order. */
  readonly checked: readonly { readonly line: number; readonly state: LinkState }[];
}
