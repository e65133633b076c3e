import type { Outcome } from './resource.js';
import type { LinkState } from './llms.js';

/** Maximum number of entries in a sitemap file or an index (sitemaps.org, "Sitemap file requirements"). */
export const SITEMAP_ENTRIES_MAX = 50_000;

/** Maximum decoded size of a sitemap file: 50 MiB (sitemaps.org). */
export const SITEMAP_BYTES_MAX = 52_428_800;

/** Kinds of readable sitemaps. The entries of an `index` are sitemaps; all other entries are pages. */
export const SITEMAP_KINDS = {
  urlset: 'an XML sitemap',
  index: 'a sitemap index',
  rss: 'an RSS feed',
  atom: 'an Atom feed',
  text: 'a text list of URLs',
} as const;
export type SitemapKind = keyof typeof SITEMAP_KINDS;

/** Why a body is not a sitemap. `html` means a wrong type of file, the others a wrong format. */
export const SITEMAP_PROBLEMS = {
  html: 'is an HTML page',
  empty: 'is empty',
  late_declaration: 'has white space before its XML declaration, which XML does not allow',
  malformed: 'is not well-formed XML',
  ends_early: 'is an incomplete gzip file',
  encoding: 'contains bytes that are invalid in its character encoding',
  wrong_root: 'is XML, but its root element is not urlset, sitemapindex or that of a feed',
  no_entries: 'has no entries',
  not_a_list: 'is neither XML nor a list of absolute URLs',
  /** The remaining ones are limits of this scanner, not defects of the file. */
  entities: 'declares entities or attributes in its DOCTYPE, which this scanner does not read',
  over_budget:
    'has elements that are nested more deeply, or names, attributes or texts that are longer, than this scanner reads',
} as const;
export type SitemapProblem = keyof typeof SITEMAP_PROBLEMS;

export interface SitemapEntry {
  readonly position: number;
  readonly url: URL;
}

/** Number of entries with a defect, and the first positions. */
export interface EntryPositions {
  readonly count: number;
  readonly first: readonly number[];
}

/** One sitemap file, read as a stream: counts and a sample of its entries. */
export interface SitemapFile {
  readonly kind: SitemapKind;
  /** Entries read. Reading stops just past {@link SITEMAP_ENTRIES_MAX} or {@link SITEMAP_BYTES_MAX}. */
  readonly entryCount: number;
  readonly hasTooManyEntries: boolean;
  readonly hasTooManyBytes: boolean;
  /** Evenly spaced sample of the entries with an absolute http(s) URL, with the first and the last; at most 129. */
  readonly entries: readonly SitemapEntry[];
  /** Entries whose URL is missing, relative, or not an http(s) URL. */
  readonly unusable: EntryPositions;
  /** Further URLs in an entry that already has one; each counts as an entry. */
  readonly multipleLocs: EntryPositions;
  /** Entries whose lastmod is neither a W3C datetime nor valid in the sitemaps.org schema. */
  readonly invalidDates: EntryPositions;
  /** Entries whose lastmod is more than 24 hours after the run. */
  readonly futureDates: EntryPositions;
  /** The first entry on each host, of the first few hosts. */
  readonly hosts: readonly SitemapEntry[];
}

/** Result of parsing a body. `line`: where parsing stopped; null if the problem has no position. */
export type SitemapReading =
  { readonly file: SitemapFile } | { readonly problem: SitemapProblem; readonly line: number | null };

/** Locations tried, in order, if robots.txt names no working sitemap. */
export const DEFAULT_SITEMAP_PATHS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'] as const;

/** A location to try: a `Sitemap:` line of robots.txt, or a default location. */
export type SitemapLocation =
  { readonly robotsLine: number } | { readonly path: (typeof DEFAULT_SITEMAP_PATHS)[number] };

export interface SitemapTry {
  readonly location: SitemapLocation;
  /** `invalid`: the value of the `Sitemap:` line is not an absolute http(s) URL. */
  readonly outcome: Outcome<SitemapReading> | { readonly kind: 'invalid' };
}

export interface FoundSitemap {
  readonly location: SitemapLocation;
  readonly requestedUrl: URL;
  readonly url: URL;
  readonly file: SitemapFile;
}

export interface SitemapSearch {
  /** In order of preference, up to the first that works, which is `found`. */
  readonly tries: readonly SitemapTry[];
  readonly found: FoundSitemap | null;
  /** True if robots.txt could not be read, so it may name another sitemap. */
  readonly isRobotsUnread: boolean;
  /** True if the home page has no internal links and no script, so a sitemap adds nothing. Null if not all links were read. */
  readonly isOnePageSite: boolean | null;
}

/** The sitemap itself, or one child of an index. */
export interface SitemapPart {
  /** 0 is the found sitemap; a child has its position in the index, from 1. */
  readonly child: number;
  readonly url: URL;
  readonly file: SitemapFile;
}

export interface BrokenChild {
  readonly child: number;
  readonly reason: 'nested' | 'absent' | 'unreachable' | 'timeout' | SitemapProblem;
}

/** An entry outside the registrable domains of the site and its sitemap. */
export interface ExternalEntry {
  readonly child: number;
  readonly position: number;
  readonly isPrivate: boolean;
  /** True if that host's robots.txt names the sitemap, which permits the entry; null if unknown. */
  readonly isPermitted: boolean | null;
}

export interface ProbedEntry {
  readonly child: number;
  readonly position: number;
  readonly url: URL;
  readonly state: LinkState;
  /** True if the page tells every search engine not to index it. */
  readonly isUnindexed: boolean;
}

export interface SitemapEntries {
  /** The sitemap, then the children of an index that were read. */
  readonly parts: readonly SitemapPart[];
  readonly brokenChildren: readonly BrokenChild[];
  /** Children whose fetch was inconclusive. */
  readonly unknownChildCount: number;
  readonly external: readonly ExternalEntry[];
  /** At most 12 evenly spaced entries of the site itself. */
  readonly probed: readonly ProbedEntry[];
}
