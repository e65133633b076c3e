import type { SitemapTally } from './sitemap-tally.js';

const LINE_CHARS_MAX = 8192;
/** Without one URL by here the file is taken for something else than a list. */
const URLLESS_CHARS_MAX = 262_144;

/** Reads a sitemap that is a text file with one URL a line (sitemaps.org, "Other Sitemap formats") in passing. */
export class SitemapText {
  readonly #tally: SitemapTally;
  /** The line that has not ended yet; cut where it is longer than a URL can be, which makes it unusable either way. */
  #line = '';
  #charCount = 0;

  constructor(tally: SitemapTally) {
    this.#tally = tally;
  }

  /** Answers false when nothing more need be read. */
  write(text: string): boolean {
    this.#charCount += text.length;
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    this.#extend(first);
    for (const line of others) {
      this.#endLine();
      this.#extend(line);
      if (this.#tally.isFull) return false;
    }
    return this.#tally.usableCount > 0 || this.#charCount <= URLLESS_CHARS_MAX;
  }

  close(): void {
    this.#endLine();
  }

  #extend(text: string): void {
    if (this.#line.length <= LINE_CHARS_MAX) this.#line += text.slice(0, LINE_CHARS_MAX + 1);
  }

  #endLine(): void {
    if (this.#line.trim() !== '') this.#tally.add(this.#line);
    this.#line = '';
  }
}
