import { TextDecoder } from 'node:util';
import { type SitemapProblem, type SitemapReading, SITEMAP_BYTES_MAX } from '../../artifacts/sitemaps.js';
import { SITEMAP_LIMITS } from '../../limits.js';
import { bomCharset, declaredEncoding, looksLikeHtml } from '../text.js';
import { SitemapTally } from './sitemap-tally.js';
import { SitemapXml } from './sitemap-xml.js';

/** The first bytes, which decide the encoding and kind. */
const HEAD_BYTES = 1024;
const DECLARED_ENCODING = /^<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/;

/**
 * Reads a sitemap of any kind from the decoded bytes of its body, chunk by chunk. Stores counts and a sample of its entries
 * instead of the file (sitemaps.org/protocol.html; RSS, Atom and text lists by its "Other Sitemap formats").
 */
export class SitemapReader {
  readonly #tally: SitemapTally;
  #head = Buffer.alloc(0);
  #byteCount = 0;
  #decoder: TextDecoder | null = null;
  #body: SitemapXml | SitemapText | null = null;
  #problem: SitemapProblem | null = null;
  #hasBadBytes = false;
  #isDone = false;

  /** @param now the time with which lastmod is compared */
  constructor(now: Date) {
    this.#tally = new SitemapTally(now);
  }

  /** Reads the next bytes. Returns false once further bytes cannot change the result. */
  write(chunk: Uint8Array): boolean {
    if (this.#isDone) return false;
    this.#byteCount += chunk.length;
    if (this.#body) this.#feed(chunk, true);
    else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.length >= HEAD_BYTES) this.#begin();
    }
    this.#isDone ||= this.#byteCount > SITEMAP_BYTES_MAX;
    return !this.#isDone;
  }

  /**
   * Returns the result, at the end of the body or once `write` returned false.
   * @param charset the charset in the Content-Type; invalid UTF-8 is not a fault if it names another charset
   */
  finish(charset: string | null = null): SitemapReading {
    if (!this.#body && !this.#isDone) this.#begin();
    if (!this.#isDone) {
      this.#feed(new Uint8Array(), false);
      this.#body?.close();
    }
    const body = this.#body;
    const isXml = body instanceof SitemapXml;
    const kind = isXml ? body.kind : 'text';
    const problem = this.#findProblem(charset);
    if (problem !== null || kind === null) {
      const hasLine = isXml && body.problem !== null && body.problem !== 'html';
      return { problem: problem ?? 'empty', line: hasLine ? body.line : null };
    }
    return { file: { ...this.#tally.result(), kind, hasTooManyBytes: this.#byteCount > SITEMAP_BYTES_MAX } };
  }

  #begin(): void {
    const head = this.#head;
    const label = encodingOf(head);
    this.#decoder = new TextDecoder(label, { fatal: true });
    const start = new TextDecoder(label).decode(head);
    if (start.trim() === '' && head.length < HEAD_BYTES) this.#problem = 'empty';
    else if (looksLikeHtml(start)) this.#problem = 'html';
    else if (/^\s+<\?xml\s/.test(start)) this.#problem = 'late_declaration';
    this.#isDone = this.#problem !== null;
    if (this.#isDone) return;
    this.#body = start.trimStart().startsWith('<') ? new SitemapXml(this.#tally) : new SitemapText(this.#tally);
    this.#feed(head, true);
    this.#head = Buffer.alloc(0);
  }

  #feed(chunk: Uint8Array, isMore: boolean): void {
    const text = this.#decode(chunk, isMore);
    if (text !== '' && this.#body?.write(text) === false) this.#isDone = true;
  }

  #decode(chunk: Uint8Array, isMore: boolean): string {
    try {
      return this.#decoder?.decode(chunk, { stream: isMore }) ?? '';
    } catch {
      // From here on, each byte is read as one character, so that entries can still be counted.
      this.#hasBadBytes = true;
      this.#decoder = new TextDecoder('latin1');
      return this.#decoder.decode(chunk, { stream: isMore });
    }
  }

  #findProblem(charset: string | null): SitemapProblem | null {
    if (this.#problem) return this.#problem;
    if (!(this.#body instanceof SitemapXml)) return this.#tally.usableCount === 0 ? 'not_a_list' : null;
    if (this.#body.problem) return this.#body.problem;
    if (this.#hasBadBytes && (charset === null || /^utf-?8$/.test(charset))) return 'encoding';
    return this.#tally.result().entryCount === 0 ? 'no_entries' : null;
  }
}

/** Reads a text sitemap, one URL per line (sitemaps.org, "Other Sitemap formats"), as a stream. */
class SitemapText {
  /** The unfinished last line; truncated if longer than any URL, which makes it unusable either way. */
  #rest = '';
  #charCount = 0;

  constructor(private readonly tally: SitemapTally) {}

  /** Returns false once the rest need not be read. */
  write(text: string): boolean {
    this.#charCount += text.length;
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop()?.slice(0, SITEMAP_LIMITS.urlCharsMax + 1) ?? '';
    for (const line of lines) {
      if (line.trim() !== '') this.tally.add(line);
      if (this.tally.isFull) return false;
    }
    return this.tally.usableCount > 0 || this.#charCount <= SITEMAP_LIMITS.urllessCharsMax;
  }

  close(): void {
    this.write('\n');
  }
}

/** Detects the encoding by the byte order mark, the zero bytes of UTF-16, or the XML declaration (XML 1.0, appendix F). Default: UTF-8. */
function encodingOf(head: Buffer): string {
  const [first, second, third, fourth] = head;
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  return bomCharset(head) ?? declaredEncoding(DECLARED_ENCODING.exec(head.toString('latin1'))?.[1]) ?? 'utf-8';
}
