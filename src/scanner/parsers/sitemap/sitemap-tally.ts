import { type SitemapEntry, type SitemapFile, SITEMAP_ENTRIES_MAX } from '../../artifacts/sitemaps.js';
import { POSITIONS_MAX } from '../../artifacts/safe-text.js';
import { SITEMAP_LIMITS } from '../../limits.js';

/** Most entries stored. From a longer file, at least half as many are. */
const STORED_MAX = 128;
const HOSTS_MAX = 20;
const DAY_MS = 86_400_000;

type Defect = 'unusable' | 'multipleLocs' | 'invalidDates' | 'futureDates';

type TallyResult = Pick<SitemapFile, Defect | 'entryCount' | 'hasTooManyEntries' | 'entries' | 'hosts'>;

/** Counts the entries of one sitemap as they are read, and stores a few of them. */
export class SitemapTally {
  #entryCount = 0;
  #usableCount = 0;
  #stored: SitemapEntry[] = [];
  /** Every n-th usable entry is stored; n doubles whenever too many are. */
  #stride = 1;
  #last: SitemapEntry | null = null;
  readonly #defects: Readonly<Record<Defect, { count: number; readonly first: number[] }>> = {
    unusable: { count: 0, first: [] },
    multipleLocs: { count: 0, first: [] },
    invalidDates: { count: 0, first: [] },
    futureDates: { count: 0, first: [] },
  };
  readonly #hosts = new Map<string, SitemapEntry>();

  constructor(readonly now: Date) {}

  /** True once there are more entries than a file may have: nothing after that can change the verdict. */
  get isFull(): boolean {
    return this.#entryCount > SITEMAP_ENTRIES_MAX;
  }

  get usableCount(): number {
    return this.#usableCount;
  }

  /** Counts an entry. @param isExtraUrl true if it shares its element with the entry before it */
  add(loc: string, lastmod = '', isExtraUrl = false): void {
    this.#entryCount += 1;
    const url = parseAbsoluteUrl(loc);
    if (url) this.#store({ position: this.#entryCount, url });
    else this.#countDefect('unusable');
    if (isExtraUrl) this.#countDefect('multipleLocs');
    if (lastmod.trim() === '') return;
    const earliestMs = parseLastmod(lastmod.trim());
    if (earliestMs === null) this.#countDefect('invalidDates');
    else if (earliestMs > this.now.getTime() + DAY_MS) this.#countDefect('futureDates');
  }

  /** Counts an entry of a feed, unless it has no URL or a relative one. */
  addIfAbsolute(loc: string): void {
    if (parseAbsoluteUrl(loc)) this.add(loc);
  }

  result(): TallyResult {
    const stored =
      this.#last === null || this.#stored.at(-1) === this.#last ? this.#stored : [...this.#stored, this.#last];
    const hosts = [...this.#hosts.values()];
    return { ...this.#defects, entryCount: this.#entryCount, hasTooManyEntries: this.isFull, entries: stored, hosts };
  }

  #countDefect(defect: Defect): void {
    const { first } = this.#defects[defect];
    this.#defects[defect].count += 1;
    if (first.length < POSITIONS_MAX) first.push(this.#entryCount);
  }

  #store(entry: SitemapEntry): void {
    if (this.#usableCount % this.#stride === 0) this.#stored.push(entry);
    this.#usableCount += 1;
    this.#last = entry;
    if (this.#stored.length > STORED_MAX) {
      this.#stored = this.#stored.filter((_, index) => index % 2 === 0);
      this.#stride *= 2;
    }
    const { host } = entry.url;
    if (this.#hosts.size < HOSTS_MAX && !this.#hosts.has(host)) this.#hosts.set(host, entry);
  }
}

/** Ignores white space around a URL, as crawlers do. */
function parseAbsoluteUrl(value: string): URL | null {
  const text = value.trim();
  if (text.length > SITEMAP_LIMITS.urlCharsMax || !/^https?:\/\//i.test(text)) return null;
  return URL.parse(text);
}

/**
 * Matches a W3C datetime (https://www.w3.org/TR/NOTE-datetime), and what the sitemaps.org schema also accepts (XML Schema 1.0, part 2,
 * §3.2.7 and §3.2.9: a day with a zone, a time without one, 24:00). Like crawlers, accepts a time without seconds, an offset without its
 * colon, and a space instead of the T if there is a zone.
 */
const DATE_TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:(?:T| (?=.*[Z+-]))(\d\d):([0-5]\d)(?::([0-5]\d|60)(?:\.\d+)?)?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?)?$/i;

const MINUTE_MS = 60_000;
/** The time zone where a day begins first. */
const EARLIEST_ZONE = '+14:00';

/**
 * Parses a lastmod. Returns milliseconds since 1970 at the start of its period; without a zone, the earliest possible. Null for
 * anything else, such as 30 February.
 */
export function parseLastmod(value: string): number | null {
  const parts = DATE_TIME.exec(value);
  if (parts === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const date = new Date(Date.UTC(year, month - 1, day));
  // A nonexistent day rolls over into the next month.
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour * 60 + minute > 24 * 60) return null;
  return date.getTime() + (hour * 60 + minute - toOffsetMinutes(parts[7] ?? EARLIEST_ZONE)) * MINUTE_MS + second * 1000;
}

function toOffsetMinutes(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}
