import type { SitemapTally } from './sitemap-tally.js';

const LINE_CHARS_MAX = 8192;
/** Without a URL in this many characters, the file is not taken for a list. */
const URLLESS_CHARS_MAX = 262_144;

/** Reads a text sitemap, one URL per line (sitemaps.org, "Other Sitemap formats"), as a stream. */
export class SitemapText {
  readonly #tally: SitemapTally;
  /** The unfinished last line; truncated if longer than any URL, which makes it unusable either way. */
  #line = '';
  #charCount = 0;

  constructor(tally: SitemapTally) {
    this.#tally = tally;
  }

  /** Returns false once nothing more need be read. */
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
