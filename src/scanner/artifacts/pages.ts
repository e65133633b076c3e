import type { FailedFetch } from '../../net/failure.js';
import { bareHost, isSameHost } from '../../net/url-gate.js';
import { listSafeText, safeText, type SafeText, term } from './safe-text.js';

/** An `<a href>` of a page, in source order. */
export interface PageLink {
  /** From 1. */
  readonly position: number;
  /** Resolved against the page's base; null if it is not an http(s) URL. */
  readonly url: URL | null;
}

/** A `<link>` element, or a value of a `Link` header (RFC 8288); its rel tokens and media type are in lower case. */
export interface TypedLink {
  readonly rel: readonly string[];
  readonly type: string | null;
  readonly url: URL | null;
}

export interface JsonLdScript {
  /** From 1. */
  readonly position: number;
  readonly text: string;
}

/** The text of a page without its scripts, as most agents read it. */
export interface ServedText {
  /** Words of its main content: in main and article, else outside navigation, header and footer. */
  readonly wordCount: number;
  /** True for an application shell: almost no text, and scripts that build the page. */
  readonly isShell: boolean;
}

export interface PageFacts {
  /** True if one of our limits (2 MiB, tags and texts, depth, attributes, JSON-LD blocks) stopped the parser. */
  readonly isCut: boolean;
  /** True for XHTML that is not well-formed: parsers disagree about it, so nothing counts as missing. */
  readonly isMalformed: boolean;
  /** True if links may be missing: the page has more than our limit, or is cut or malformed. */
  readonly areLinksCut: boolean;
  readonly title: string | null;
  readonly canonical: URL | null;
  /** The visible text: entities decoded, white space folded, without script, style, template and head. */
  readonly text: string;
  readonly served: ServedText;
  /** True if it has no more text than a redirect page. */
  readonly hasLittleText: boolean;
  /** Target of an instant meta refresh; null without one, or if the page has text. */
  readonly refresh: URL | null;
  /** True if the page has no text and an inline script that redirects. */
  readonly isScriptRedirect: boolean;
  readonly links: readonly PageLink[];
  readonly headLinks: readonly TypedLink[];
  /** `<meta name>` (or property) in lower case → the contents in source order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly hasScript: boolean;
  readonly jsonLd: readonly JsonLdScript[];
  readonly hasOtherMarkup: boolean;
}

/** A move of the home page to another registrable domain. */
export interface SiteMove {
  /**
   * The new host, such as `www.example.net`; null if it is not a name under a public suffix. Untrusted: only the owner's pages, the
   * result of a free scan and a terminal may show it.
   */
  readonly hostname: string | null;
}

/** The home page as served to our own User-Agent. */
export interface Home {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly status: number;
  /** Why https failed, if http answered instead. */
  readonly httpsFailure: FailedFetch | null;
  /** True if redirects ended on another registrable domain, so that the content is not this site's. */
  readonly isElsewhere: boolean;
  /** Where the site has moved; null if it has not, or only redirects anonymous visitors to a sign-in page elsewhere. */
  readonly move: SiteMove | null;
  readonly linkHeaders: readonly TypedLink[];
  readonly isScriptRedirect: boolean;
  readonly robotsTags: readonly string[];
  readonly preferenceHeaders: readonly { readonly field: 'content-signal' | 'content-usage'; readonly value: string }[];
  /** Null if the home page is not HTML. */
  readonly page: PageFacts | null;
  /** Other pages that may be sampled: those that the user chose, then the first links of the home page. Not fetched yet. */
  readonly candidates: readonly PageCandidate[];
}

/** The address of a page that may be sampled. */
export interface PageCandidate {
  readonly url: URL;
  /** See {@link SamplePage}. */
  readonly foundAt: SafeText;
  /** Set for a page that the user chose. */
  readonly path?: string;
}

export const REDIRECTS_ELSEWHERE: SafeText = safeText`The home page redirects to another domain, so nothing on this host is checked.`;

/** Describes why there is no home page to check. */
export function describeNoPage({ isElsewhere, isScriptRedirect, status }: Home): SafeText {
  if (isElsewhere) return REDIRECTS_ELSEWHERE;
  if (isScriptRedirect) {
    return safeText`The home page only redirects with a script, which most agents do not run, so there is no page to check.`;
  }
  if (status === 401)
    return safeText`The home page asks for a login (status 401), so there is no public page to check.`;
  if (status >= 400) return safeText`The home page returns status ${status}, so there is no page to check.`;
  return safeText`The home page is empty or is not HTML, so there is no page to check.`;
}

export interface SamplePage {
  /** 1 is the home page. */
  readonly position: number;
  /** Describes the page without its URL, which is untrusted: "home page", "link 12 of the home page", "entry 3 of the sitemap". */
  readonly foundAt: SafeText;
  readonly url: URL;
  readonly linkHeaders: readonly TypedLink[];
  readonly facts: PageFacts;
}

/** A page that the user chose for the sample. If it is unreadable, no check fails. */
export interface ChosenPage {
  /** Normalized path with query. User input: escape it. */
  readonly path: string;
  readonly isRead: boolean;
}

/** The chosen pages of a run, stored for comparisons. */
export interface SampledPages {
  readonly chosen: readonly ChosenPage[];
}

export interface Sample extends Partial<SampledPages> {
  readonly pages: readonly [SamplePage, ...SamplePage[]];
}

export function describeChosen({ isRead }: ChosenPage): string {
  return isRead
    ? 'read'
    : 'not read: no check needed it, robots.txt disallows it, or it is not a working HTML page of this site';
}

/** Returns the path with query, without unnecessary escapes (RFC 3986 §6.2.2.2). */
export function pathOf({ pathname, search }: URL): string {
  return (pathname + search).replace(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
}

/** Returns a page's key, which ignores the scheme and, on this site, `www.`. */
export function pageKey(url: URL, home: URL): string {
  return isSameHost(url, home) ? pathOf(url) : bareHost(url) + pathOf(url);
}

type Named = Pick<SamplePage, 'position' | 'foundAt'>;

/** Returns "home page", or "page 2 (link 12 of the home page)". */
export function namePage({ position, foundAt }: Named): SafeText {
  return position === 1 ? term('home page') : safeText`page ${position} (${foundAt})`;
}

/** Names a page at the start of a sentence. */
export function namePageFirst({ position, foundAt }: Named): SafeText {
  return position === 1 ? term('Home page') : safeText`Page ${position} (${foundAt})`;
}

/** Names a page within a sentence: "the home page". */
export function namePageInSentence(page: Named): SafeText {
  return page.position === 1 ? term('the home page') : namePage(page);
}

/** Returns "the home page and pages 2 and 3". */
export function listPages(positions: readonly number[]): SafeText {
  const others = positions.filter((position) => position !== 1).map((position) => safeText`${position}`);
  const named = others.length === 1 ? safeText`page ${listSafeText(others)}` : safeText`pages ${listSafeText(others)}`;
  if (others.length === positions.length) return named;
  return others.length === 0 ? term('the home page') : safeText`the home page and ${named}`;
}

/** Value of a `tdm-reservation`: reserved (1), not reserved (0), or invalid. */
export type Reservation = '0' | '1' | 'other';

/** unread: the response was inconclusive. */
export type PreferenceFile = 'read' | 'malformed' | 'absent' | 'unread';

/** Preferences for AI use, stated in TDMRep (W3C Community Group report of 2024-05-10) or RSL 1.0. */
export interface Preferences {
  /** `tdm-reservation` of the home page: its header fields, then its metas. */
  readonly reservations: readonly { readonly source: 'header' | 'meta'; readonly reservation: Reservation }[];
  readonly tdmFile: PreferenceFile;
  /** The license that robots.txt or a link of the home page names; `absent` also if neither names one. */
  readonly license: PreferenceFile;
}
