import type { FileFacts } from './resource.js';
import type { SafeText } from './safe-text.js';

/** The llms.txt that is judged. */
export interface LlmsFile extends FileFacts {
  /** The final URL. */
  readonly url: URL;
  /** Where it is announced, for `detail`: "the home page's Link header, entry 2"; null for the one at the root. */
  readonly place: SafeText | null;
  /** On which pages of the sample; null likewise. */
  readonly pages: readonly number[] | null;
}

/** An llms.txt that a page announces, besides the one at the root. */
export interface AnnouncedLlms {
  readonly url: URL;
  /** The first place that does. */
  readonly place: SafeText;
  /** The positions in the sample of all pages that do. */
  readonly pages: readonly number[];
  /** `text`: it can be read. `failing`: refused, 5xx, or no answer. */
  readonly state: 'text' | 'html' | 'absent' | 'failing' | 'unknown';
  /** The final URL of what was read, or null: several may redirect to one file. */
  readonly leadsTo: URL | null;
}

/** A Markdown link of llms.txt, in source order. */
export interface LlmsLink {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Resolved against the final URL of llms.txt; null when it cannot be parsed or is empty. */
  readonly url: URL | null;
  /** An http(s) URL on the registrable domain of the site. */
  readonly isFirstParty: boolean;
  /** It leads into a private network, such as to localhost: documentation, not a page. */
  readonly isPrivate: boolean;
}

/** A heading of llms.txt with text, in the document itself rather than in a list or a quote. */
export interface LlmsHeading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** Line in the file, from 1. */
  readonly line: number;
}

/** llms.txt as CommonMark. */
export interface LlmsDocument {
  /** Why the body cannot be read as Markdown, or null: its bytes are not UTF-8, contain NUL, or there are none. */
  readonly textFault: 'not-utf8' | 'binary' | 'empty' | null;
  /** Unicode code points after decoding, without a BOM; of the part that was read if our limit cut the body. */
  readonly characterCount: number;
  /** Our limit cut the body: there are more characters. */
  readonly isOverLimit: boolean;
  /** The first heading, and the first H1; null when there is none. */
  readonly firstHeading: LlmsHeading | null;
  readonly h1: LlmsHeading | null;
  readonly links: readonly LlmsLink[];
  /** Lines of list entries that contain nothing but bare http(s) URLs, two or more. */
  readonly bareUrlItemLines: readonly number[];
  /** True if placeholders of a template are left. */
  readonly hasTemplateText: boolean;
  /** False if the file is so long that its end was not examined: no claim about all of it can be made. */
  readonly isWhollyParsed: boolean;
}

/**
 * The result of following a link: `unknown` is 401, 403, 429, 5xx or a timeout, `likeMissing` shows the home page as any missing address
 * does, `moved` leads to where the whole site has moved.
 */
export type LinkState = 'alive' | 'dead' | 'unknown' | 'likeMissing' | 'moved';

export interface LlmsLinks {
  /** How many distinct first-party links the file contains. */
  readonly firstPartyCount: number;
  /** The followed sample of them, in source order. */
  readonly checked: readonly { readonly line: number; readonly state: LinkState }[];
}
