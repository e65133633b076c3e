import { resolveUrl } from '../evidence/site-address.js';
import { EventLoopYielder } from '../evidence/event-loop.js';

/** A longer address is none. */
const URL_CHARS_MAX = 4_096;
/**
 * Characters of all addresses of one document, each with the base that it is resolved against: thousands of short ones on a long
 * base would fill the memory. Far past any honest document.
 */
const CHARS_MAX = 2 * 1024 * 1024;

/** Resolves the addresses of one document, and gives way to other work in between. */
export class Addresses {
  readonly #yielder = new EventLoopYielder();
  #charsLeft = CHARS_MAX;

  constructor(private readonly base: URL) {}

  /** Whether some came after too many, so that they were not resolved. */
  get isCut(): boolean {
    return this.#charsLeft < 0;
  }

  /** The http(s) URL that a reference leads to; null when it is none, or comes after too many. */
  async resolve(reference: string): Promise<URL | null> {
    if (this.#yielder.isDue) await this.#yielder.yieldNow();
    if (reference.length > URL_CHARS_MAX) return null;
    this.#charsLeft -= reference.length + this.base.href.length;
    const url = this.#charsLeft < 0 ? null : resolveUrl(reference.trim(), this.base);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
  }
}
