import type { FileFacts } from './resource.js';
import type { SafeText } from './safe-text.js';

export interface LlmsFile extends FileFacts {
  readonly url: URL;
  /** The announcement, for `detail`: "the home page's Link header, entry 2"; null for the file at the root. */
  readonly place: SafeText | null;
}

/** An llms.txt that a page announces, besides the one at the root. */
export interface AnnouncedLlms {
  readonly url: URL;
  /** The first announcement; see {@link LlmsFile.place}. */
  readonly place: SafeText;
  /** text: readable. dead: absent, or an HTML page. */
  readonly state: 'text' | 'dead' | 'unknown';
}

export interface LlmsLink {
  /** From 1. */
  readonly line: number;
  /** Resolved against the final URL of llms.txt; null when it cannot be parsed or is empty. */
  readonly url: URL | null;
  /** True for an http(s) URL on the registrable domain of the site. */
  readonly isFirstParty: boolean;
  /** True if it leads into a private network, such as localhost: documentation, not a page. */
  readonly isPrivate: boolean;
}

/** A heading with text, outside lists and quotes. */
export interface LlmsHeading {
  readonly level: number;
  /** From 1. */
  readonly line: number;
}

export interface LlmsMarkdown {
  /** The first heading, and the first H1; null when there is none. */
  readonly firstHeading: LlmsHeading | null;
  readonly h1: LlmsHeading | null;
  /** Inline links, reference links and autolinks in source order, with their raw targets. */
  readonly targets: readonly { readonly line: number; readonly target: string }[];
  /** Lines of list items that contain only bare http(s) URLs. Empty if there is only one. */
  readonly bareUrlItemLines: readonly number[];
  /** False if the file is too long to be parsed whole. */
  readonly isWhollyParsed: boolean;
}

export interface LlmsDocument extends Omit<LlmsMarkdown, 'targets'> {
  /** Why the body is not Markdown: invalid UTF-8, NUL bytes, or nothing. Null if it is. */
  readonly textFault: 'not-utf8' | 'binary' | 'empty' | null;
  /** Unicode code points that were read, without a BOM. */
  readonly characterCount: number;
  /** True if our limit cut the body, so that there are more characters. */
  readonly isOverLimit: boolean;
  readonly links: readonly LlmsLink[];
  readonly hasTemplateText: boolean;
}

/**
 * The result of following a link. unknown: 401, 403, 429, 5xx or a timeout. likeMissing: it shows the home page, as any missing address
 * does.
 */
export type LinkState = 'alive' | 'dead' | 'unknown' | 'likeMissing';

export interface LlmsLinks {
  /** Distinct first-party links in the file. */
  readonly firstPartyCount: number;
  readonly checked: readonly { readonly line: number; readonly state: LinkState }[];
}
