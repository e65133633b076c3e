/** A longer address does not count as one. */
const URL_CHARS_MAX = 4_096;
/**
 * Total characters of one document's addresses, each counted with the base that it is resolved against: thousands of short ones
 * on a long base would fill the memory. Far more than any honest document has.
 */
const CHARS_MAX = 2 * 1024 * 1024;

/** Resolves the addresses of one document. */
export class Addresses {
  #charsLeft = CHARS_MAX;

  constructor(private readonly base: URL) {}

  /** True if the limit was reached, so that some addresses were not resolved. */
  get isCut(): boolean {
    return this.#charsLeft < 0;
  }

  /** The http(s) URL of a reference; null if it is not one, or comes after the limit. */
  resolve(reference: string): URL | null {
    if (reference.length > URL_CHARS_MAX) return null;
    this.#charsLeft -= reference.length + this.base.href.length;
    const url = this.#charsLeft < 0 ? null : URL.parse(reference.trim(), this.base);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
  }
}
