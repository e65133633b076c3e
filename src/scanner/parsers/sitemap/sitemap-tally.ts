import type { EntryHost, EntryPositions, SitemapEntry, SitemapFile } from '../../artifacts/sitemaps.js';
import { SITEMAP_ENTRIES_MAX } from '../../artifacts/sitemaps.js';
import { POSITIONS_MAX } from '../../artifacts/safe-text.js';
import { parseLastmod } from './lastmod.js';

/** Most entries stored; a long file has at least half as many. */
const KEPT_MAX = 128;
const HOSTS_MAX = 20;
/** Longer than any URL that a crawler follows (sitemaps.org asks for fewer than 2,048 characters). */
const URL_CHARS_MAX = 8192;
const DAY_MS = 86_400_000;

type Tallied = Pick<
  SitemapFile,
  | 'entryCount'
  | 'hasTooManyEntries'
  | 'kept'
  | 'unusable'
  | 'crowded'
  | 'invalidDates'
  | 'looseDates'
  | 'futureDates'
  | 'hosts'
>;

/** Counts the entries of one sitemap as they are read, and keeps a few of them. */
export class SitemapTally {
  #entryCount = 0;
  #usableCount = 0;
  #kept: SitemapEntry[] = [];
  /** One in this many usable entries is kept; doubled whenever too many are. */
  #stride = 1;
  #last: SitemapEntry | null = null;
  readonly #unusable = new Positions();
  readonly #crowded = new Positions();
  readonly #invalidDates = new Positions();
  readonly #looseDates = new Positions();
  readonly #futureDates = new Positions();
  readonly #hosts = new Map<string, { entry: SitemapEntry; count: number }>();

  constructor(readonly now: Date) {}

  /** One entry more than a file may have was seen: nothing after it can change the verdict. */
  get isFull(): boolean {
    return this.#entryCount > SITEMAP_ENTRIES_MAX;
  }

  get usableCount(): number {
    return this.#usableCount;
  }

  /** Counts an entry; blank and absent values are the same. */
  add(loc: string, lastmod = ''): void {
    this.#entryCount += 1;
    const position = this.#entryCount;
    const url = parseAbsoluteUrl(loc);
    if (url) this.#keep({ position, url });
    else this.#unusable.add(position);
    if (lastmod.trim() !== '') this.#addDate(position, lastmod.trim());
  }

  /** Counts an entry of a feed, whose items may have no URL or a relative one. */
  addIfAbsolute(loc: string): void {
    if (parseAbsoluteUrl(loc)) this.add(loc);
  }

  /** The last entry shares its element with the one before it. */
  markCrowded(): void {
    this.#crowded.add(this.#entryCount);
  }

  result(): Tallied {
    const kept = this.#last === null || this.#kept.at(-1) === this.#last ? this.#kept : [...this.#kept, this.#last];
    return {
      entryCount: this.#entryCount,
      hasTooManyEntries: this.isFull,
      kept,
      unusable: this.#unusable,
      crowded: this.#crowded,
      invalidDates: this.#invalidDates,
      looseDates: this.#looseDates,
      futureDates: this.#futureDates,
      hosts: [...this.#hosts.values()] satisfies EntryHost[],
    };
  }

  #keep(entry: SitemapEntry): void {
    if (this.#usableCount % this.#stride === 0) this.#kept.push(entry);
    this.#usableCount += 1;
    this.#last = entry;
    if (this.#kept.length > KEPT_MAX) {
      this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
      this.#stride *= 2;
    }
    const host = this.#hosts.get(entry.url.host);
    if (host) host.count += 1;
    else if (this.#hosts.size < HOSTS_MAX) this.#hosts.set(entry.url.host, { entry, count: 1 });
  }

  #addDate(position: number, lastmod: string): void {
    const read = parseLastmod(lastmod);
    if (read === null) this.#invalidDates.add(position);
    else if (read.earliestMs > this.now.getTime() + DAY_MS) this.#futureDates.add(position);
    else if (!read.isW3c) this.#looseDates.add(position);
  }
}

class Positions implements EntryPositions {
  count = 0;
  readonly first: number[] = [];

  add(position: number): void {
    this.count += 1;
    if (this.first.length < POSITIONS_MAX) this.first.push(position);
  }
}

/** Ignores white space around a URL, as crawlers do. */
function parseAbsoluteUrl(value: string): URL | null {
  const text = value.trim();
  if (text.length > URL_CHARS_MAX || !/^https?:\/\//i.test(text)) return null;
  return URL.parse(text);
}
