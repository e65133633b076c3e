import { isWebScheme } from '../../net/url-gate.js';
import { ADDRESS_LIMITS } from '../limits.js';

/** Parses an http(s) URL, which may be relative to `base`. Returns null for anything else. */
export function parseHttpUrl(value: unknown, base?: URL): URL | null {
  if (typeof value !== 'string' || value.length > ADDRESS_LIMITS.charsMax) return null;
  const url = URL.parse(value, base);
  return url !== null && isWebScheme(url) ? url : null;
}

/** Returns the base URL for relative URLs: a very long one becomes the site's root, since thousands of URLs would repeat it. */
export function limitBaseLength(url: URL): URL {
  return url.href.length > ADDRESS_LIMITS.baseCharsMax ? new URL('/', url) : url;
}

/** True if a URL has placeholders, such as `{id}`, and so cannot be requested. */
export function isTemplated(value: unknown): boolean {
  return typeof value === 'string' && /[{}<>]|%7[bd]/i.test(value);
}
