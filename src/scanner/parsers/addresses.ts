import { ADDRESS_LIMITS } from '../limits.js';

/** Parses an http(s) URL, relative to `base` if there is one; null for anything else. */
export function httpUrlOf(value: unknown, base?: URL): URL | null {
  const isAddress = typeof value === 'string' && value.length <= ADDRESS_LIMITS.charsMax;
  const url = isAddress ? URL.parse(value, base) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

/** Returns the base for a document's relative URLs: the root of the site if `url` is very long, since each of thousands would repeat it. */
export function baseOf(url: URL): URL {
  return url.href.length > ADDRESS_LIMITS.baseCharsMax ? new URL('/', url) : url;
}

/** True if an address contains variables to fill in, so that it cannot be requested as it is. */
export function isTemplated(value: unknown): boolean {
  return typeof value === 'string' && /[{}<>]|%7[bd]/i.test(value);
}
