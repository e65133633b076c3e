import type { ChosenPage } from './chosen-pages.js';
import type { SafeText } from './safe-text.js';

/** An `<a href>` of a page, in source order. */
export interface PageLink {
  /** Which link of the page it is, from 1. */
  readonly position: number;
  /** Resolved against the page's base; null if it is not an http(s) URL. */
  readonly url: URL | null;
}

/** A `<link>` element. */
export interface HeadLink {
  /** The rel tokens in lower case. */
  readonly rel: readonly string[];
  /** The type attribute in lower case, or null. */
  readonly type: string | null;
  readonly url: URL | null;
}

/** A `script[type="application/ld+json"]`. */
export interface JsonLdScript {
  /** Which JSON-LD block of the page it is, from 1. */
  readonly position: number;
  readonly text: string;
}

/** What a page says without its scripts, as most agents read it. */
export interface ServedText {
  /** Words of its main content: in main and article, else outside navigation, header and footer. */
  readonly wordCount: number;
  /** An application shell: next to no text, and scripts that make the page. What it is about cannot be told. */
  readonly isShell: boolean;
}

/** WebMCP (draft of September 2026): `document.modelContext`, the removed `navigator.modelContext`, or `<form toolname>`. */
export type WebMcpSign = 'WebMCP' | 'WebMCP (removed API)' | 'WebMCP form tool';

/** The contents of one HTML page, read by a streaming tokenizer that builds no tree. */
export interface PageFacts {
  /** One of our limits (2 MiB, 1,000 JSON-LD blocks) ended the reading: something missing here may still be on the page. */
  readonly isCut: boolean;
  /** The same for its links: there are more than are kept, or the page is cut. */
  readonly areLinksCut: boolean;
  readonly title: string | null;
  /** The primary subtag of the language that `<html lang>` declares, in lower case: "en"; null if it declares none. */
  readonly language: string | null;
  readonly canonical: URL | null;
  /** The visible text: entities decoded, white space folded, without script, style, template and head. */
  readonly text: string;
  readonly served: ServedText;
  /** Where an instant meta refresh leads; null if there is none, or the page has text of its own. */
  readonly refresh: URL | null;
  /** The page has no text, and a script of its own that leads elsewhere. */
  readonly isScriptRedirect: boolean;
  readonly links: readonly PageLink[];
  readonly headLinks: readonly HeadLink[];
  /** `<meta name>` (or property) in lower case → the contents in source order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** Whether the page has any executable script. */
  readonly hasScript: boolean;
  readonly jsonLd: readonly JsonLdScript[];
  readonly hasMicrodata: boolean;
  readonly hasRdfa: boolean;
  /** Signs of WebMCP, each once: an inline script that uses `modelContext`, or a form that declares a tool. */
  readonly webMcp: readonly WebMcpSign[];
}

/** One `Link` header value (RFC 8288). */
export interface LinkHeader {
  readonly rel: readonly string[];
  readonly type: string | null;
  readonly url: URL | null;
}

/** The site is at another registrable domain now. */
export interface SiteMove {
  /**
   * The name of the host there, such as `www.example.net`; null where it is none under a public suffix. The site chose it: only pages of
   * its owner, the result of a free scan and a terminal may show it.
   */
  readonly hostname: string | null;
}

/** The home page as answered under our own name. */
export interface Home {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly status: number;
  /** https failed and http answered. */
  readonly isHttpFallback: boolean;
  /** Redirects ended on another registrable domain, so the content is not this site's. */
  readonly isElsewhere: boolean;
  /** Where it has moved: null if it has not, or only sends strangers to sign in elsewhere. */
  readonly move: SiteMove | null;
  readonly linkHeaders: readonly LinkHeader[];
  /** The page only leads elsewhere by script, so it is not a page. */
  readonly isScriptRedirect: boolean;
  readonly robotsTags: readonly string[];
  readonly preferenceHeaders: readonly { readonly field: 'content-signal' | 'content-usage'; readonly value: string }[];
  /** Null if the home page is not HTML. */
  readonly page: PageFacts | null;
}

/** One page of the sample. */
export interface SamplePage {
  /** 1 is the home page. */
  readonly position: number;
  /** Where its address was found, for `detail`: "home page", "link 12 of the home page", "entry 3 of the sitemap". */
  readonly origin: SafeText;
  /** The final URL. */
  readonly url: URL;
  readonly linkHeaders: readonly LinkHeader[];
  readonly facts: PageFacts;
}

export interface Sample {
  readonly pages: readonly [SamplePage, ...SamplePage[]];
  /** Links of the home page that would be in the sample if robots.txt did not bar this scanner from them. */
  readonly disallowed: readonly URL[];
  /** What came of those that were chosen; left out where none were. */
  readonly chosen?: readonly ChosenPage[];
  /** Likewise, those that would have been read without the choice, by their final URLs where they were. */
  readonly usual?: readonly URL[];
}

/** Other forward-looking signals found, from a fixed list. */
export interface ForwardSignals {
  readonly seen: readonly (WebMcpSign | 'agent skills' | 'llms-full.txt')[];
}
