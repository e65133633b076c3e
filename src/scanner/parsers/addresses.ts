import { ADDRESS_LIMITS } from '../limits.js';

/** Resolves the addresses of one document. */
export class Addresses {
  #charsLeft: number = ADDRESS_LIMITS.allCharsMax;

  constructor(private readonly base: URL) {}

  /** True if the limit was reached, so that some addresses were not resolved. */
  get isCut(): boolean {
    return this.#charsLeft < 0;
  }

  /** The http(s) URL of a reference; null if it is not one, or comes after the limit. */
  resolve(reference: string): URL | null {
    if (reference.length > ADDRESS_LIMITS.charsMax) return null;
    this.#charsLeft -= reference.length + this.base.href.length;
    const url = this.#charsLeft < 0 ? null : URL.parse(reference.trim(), this.base);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
  }
}
