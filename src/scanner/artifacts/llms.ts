import type { FileFacts } from './resource.js';
import type { SafeText } from './safe-text.js';

export interface LlmsFile extends FileFacts {
  readonly url: URL;
  /** Where it is announced, for `detail`: "the home page's Link header, entry 2"; null for the root file. */
  readonly announcedAt: SafeText | null;
}

/** An llms.txt that a page announces, not the one at the root. */
export interface AnnouncedLlms {
  readonly url: URL;
  /** The first announcement; see {@link LlmsFile.announcedAt}. */
  readonly announcedAt: SafeText;
  /** text: readable. dead: absent, or an HTML page. */
  readonly state: 'text' | 'dead' | 'unknown';
}

export interface LlmsLink {
  /** From 1. */
  readonly line: number;
  /** Resolved against the final URL of llms.txt; null if empty or malformed. */
  readonly url: URL | null;
  /** True for an http(s) URL on the registrable domain of the site. */
  readonly isFirstParty: boolean;
  /** True if its host is private, such as localhost: an example, not a page. */
  readonly isPrivate: boolean;
}

/** A heading with text, outside lists and quotes. */
export interface LlmsHeading {
  readonly level: number;
  /** From 1. */
  readonly line: number;
}

export interface LlmsMarkdown {
  readonly firstHeading: LlmsHeading | null;
  /** The first H1. */
  readonly h1: LlmsHeading | null;
  /** Inline links, reference links and autolinks in source order, with their raw targets. */
  readonly targets: readonly { readonly line: number; readonly target: string }[];
  /** Lines of list items that contain only bare http(s) URLs. Empty if there is only one. */
  readonly bareUrlItemLines: readonly number[];
  /** False if the file is too long to parse completely. */
  readonly isFullyParsed: boolean;
}

export interface LlmsDocument extends Omit<LlmsMarkdown, 'targets'> {
  /** Why the body cannot be Markdown; null if it can. `binary`: it has NUL bytes. */
  readonly textFault: 'not-utf8' | 'binary' | 'empty' | null;
  /** Number of Unicode code points read, without a BOM. */
  readonly characterCount: number;
  /** True if our size limit cut the body. */
  readonly isOverLimit: boolean;
  readonly links: readonly LlmsLink[];
  readonly hasTemplateText: boolean;
}

/**
 * Result of following a link. unknown: 401, 403, 429, 5xx or a timeout. likeMissing: it shows the home page, as missing pages of the
 * site do.
 */
export type LinkState = 'alive' | 'dead' | 'unknown' | 'likeMissing';

export interface LlmsLinks {
  /** Distinct first-party links in the file. */
  readonly firstPartyCount: number;
  readonly checked: readonly { readonly line: number; readonly state: LinkState }[];
}
