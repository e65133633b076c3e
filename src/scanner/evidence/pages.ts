import type { SafeText } from './safe-text.js';

/** An `<a href>` of a page, in source order. */
export interface PageLink {
  /** Which link of the page it is, from 1. */
  readonly position: number;
  /** Resolved against the page's base; null when it is no http(s) URL. */
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

/** What one HTML page holds, read by a streaming tokenizer that builds no tree. */
export interface PageFacts {
  /** A limit of ours (2 MiB, 1,000 JSON-LD blocks) ended the reading: what is not here may be on the page all the same. */
  readonly isCut: boolean;
  /** The same of its links: there are more of them than are kept, or it is cut. */
  readonly areLinksCut: boolean;
  readonly title: string | null;
  readonly canonical: URL | null;
  /** The visible text: entities decoded, white space folded, without script, style, template and head. */
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly headLinks: readonly HeadLink[];
  /** `<meta name>` (or property) in lower case → the contents in source order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** Whether the page has any script that runs. */
  readonly hasScript: boolean;
  readonly jsonLd: readonly JsonLdScript[];
  readonly hasMicrodata: boolean;
  readonly hasRdfa: boolean;
  /** WebMCP: a declarative form tool, or `navigator.modelContext` in an inline script. */
  readonly hasWebMcp: boolean;
}

/** One `Link` header value (RFC 8288). */
export interface LinkHeader {
  readonly rel: readonly string[];
  readonly type: string | null;
  readonly url: URL | null;
}

/** The home page as answered under our own name. */
export interface Home {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly status: number;
  /** https failed and http answered. */
  readonly isHttpFallback: boolean;
  /** Redirects ended on another registrable domain: what was read there is not this site's. */
  readonly isElsewhere: boolean;
  readonly linkHeaders: readonly LinkHeader[];
  readonly robotsTags: readonly string[];
  readonly preferenceHeaders: readonly { readonly field: 'content-signal' | 'content-usage'; readonly value: string }[];
  /** Null when the home page is no HTML page. */
  readonly page: PageFacts | null;
}

/** One page of the sample. */
export interface SamplePage {
  /** 1 is the home page. */
  readonly position: number;
  /** Where its address came from, for `detail`: "home page", "home link 12", "sitemap entry 3". */
  readonly origin: SafeText;
  /** The final URL. */
  readonly url: URL;
  readonly facts: PageFacts;
}

export interface Sample {
  readonly pages: readonly [SamplePage, ...SamplePage[]];
  /** Links of the home page that would have been in the sample, had robots.txt not turned this scanner away from them. */
  readonly disallowed: readonly URL[];
}

/** Other forward-looking signals that were seen, from a fixed list. */
export interface ForwardSignals {
  readonly seen: readonly ('WebMCP' | 'agent skills' | 'llms-full.txt')[];
}
