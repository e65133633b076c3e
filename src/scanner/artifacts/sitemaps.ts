import type { Outcome } from './resource.js';
import type { LinkState } from './llms.js';

/** Most entries of one sitemap file (sitemaps.org, "Sitemap file requirements"; likewise for the maps of an index). */
export const SITEMAP_ENTRIES_MAX = 50_000;

/** Most decoded bytes of one sitemap file: 50 MiB (sitemaps.org). */
export const SITEMAP_BYTES_MAX = 52_428_800;

/** The kinds of readable sitemaps: the entries of an `index` are other sitemaps, those of all other kinds are pages. */
export const SITEMAP_KINDS = {
  urlset: 'an XML sitemap',
  index: 'a sitemap index',
  rss: 'an RSS feed',
  atom: 'an Atom feed',
  text: 'a text list of URLs',
} as const;
export type SitemapKind = keyof typeof SITEMAP_KINDS;

/** Why a body is not a sitemap. `html` is the wrong kind of file, the others a wrong format. */
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
  /** The next ones are not faults of the file, but limits of this scanner. */
  entities: 'declares entities or attributes in its DOCTYPE, which this scanner does not read',
  over_budget:
    'has elements that are nested more deeply, or names, attributes or texts that are longer, than this scanner reads',
} as const;
export type SitemapProblem = keyof typeof SITEMAP_PROBLEMS;

export interface SitemapEntry {
  readonly position: number;
  readonly url: URL;
}

/** Number of entries with a defect, and the positions of the first of them. */
export interface EntryPositions {
  readonly count: number;
  readonly first: readonly number[];
}

/** One sitemap file, read as a stream: counts and a thinned list, never the file itself. */
export interface SitemapFile {
  readonly kind: SitemapKind;
  /** Entries up to where reading stopped: just past {@link SITEMAP_ENTRIES_MAX} or {@link SITEMAP_BYTES_MAX}. */
  readonly entryCount: number;
  readonly hasTooManyEntries: boolean;
  readonly hasTooManyBytes: boolean;
  /** Entries with an absolute http(s) URL, in order, at even distances, including the first and the last; at most 129. */
  readonly entries: readonly SitemapEntry[];
  /** Entries whose URL is missing, relative, or not an http(s) URL. */
  readonly unusable: EntryPositions;
  /** Entries that share their element with the previous URL; each counts as an entry. */
  readonly multipleLocs: EntryPositions;
  /** Entries whose lastmod is neither a W3C datetime nor what the schema of sitemaps.org takes. */
  readonly invalidDates: EntryPositions;
  /** Entries whose lastmod lies more than 24 hours after the run. */
  readonly futureDates: EntryPositions;
  /** The first entry on each host, of the first few hosts. */
  readonly hosts: readonly SitemapEntry[];
}

/** The result of reading one body. `line` is where reading stopped, for problems with a position. */
export type SitemapReading =
  { readonly file: SitemapFile } | { readonly problem: SitemapProblem; readonly line: number | null };

/** The locations tried, in this order, if robots.txt names no working sitemap. */
export const DEFAULT_SITEMAP_PATHS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'] as const;

/** A place to look for a sitemap: a `Sitemap:` line of robots.txt, or a default location. */
export type SitemapPlace = { readonly robotsLine: number } | { readonly path: (typeof DEFAULT_SITEMAP_PATHS)[number] };

export interface SitemapTry {
  readonly place: SitemapPlace;
  /** `invalid`: the value of the `Sitemap:` line is not an absolute http(s) URL. */
  readonly outcome: Outcome<SitemapReading> | { readonly kind: 'invalid' };
}

export interface FoundSitemap {
  readonly place: SitemapPlace;
  readonly askedUrl: URL;
  readonly url: URL;
  readonly file: SitemapFile;
}

export interface SitemapSearch {
  /** In order of preference, up to the first that works, which is `found`. */
  readonly tries: readonly SitemapTry[];
  readonly found: FoundSitemap | null;
  /** True if robots.txt could not be read, so that it may name a sitemap that was not tried. */
  readonly isRobotsUnread: boolean;
  /** True if the home page has no link to another page of the site and no script: a sitemap would add nothing. Null if not all links were read. */
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

/** An entry on another registrable domain than the site and its sitemap. */
export interface ExternalEntry {
  readonly child: number;
  readonly position: number;
  readonly isPrivate: boolean;
  /** True if that host's robots.txt names the sitemap, which permits it; null if that is unknown. */
  readonly isPermitted: boolean | null;
}

export interface ProbedEntry {
  readonly child: number;
  readonly position: number;
  readonly url: URL;
  readonly state: LinkState;
  /** True if the page keeps itself out of every search index. */
  readonly isUnindexed: boolean;
}

export interface SitemapEntries {
  /** The sitemap, followed by the children of an index that were read. */
  readonly parts: readonly SitemapPart[];
  readonly brokenChildren: readonly BrokenChild[];
  /** Children whose fetch failed for a reason that proves nothing. */
  readonly unknownChildCount: number;
  readonly external: readonly ExternalEntry[];
  /** At most 12 entries of the site itself, at even distances over all entries read. */
  readonly probed: readonly ProbedEntry[];
}
