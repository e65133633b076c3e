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

/** Characters that end a URL in prose or Markdown. */
const DELIMITERS = /[\s<>"'`()[\]{}|\\]+/;
/** Trailing punctuation, which belongs to the sentence and not to the URL. */
const PUNCTUATION = /[.,;:!?*_]{1,10}$/;

/** Finds the URLs in a text that contain this path: absolute, without a scheme, or relative to the host of `base`. */
export function findMentions(text: string, pathname: string, base: URL): URL[] {
  if (!text.includes(pathname)) return [];
  const words = text
    .split(DELIMITERS)
    .filter((word) => word.includes(pathname) && word.length <= ADDRESS_LIMITS.charsMax);
  return words.slice(0, ADDRESS_LIMITS.mentionsMax).flatMap((word) => {
    const address = word.replace(PUNCTUATION, '');
    const isComplete = address.startsWith('/') || /^https?:\/\//i.test(address);
    return URL.parse(isComplete ? address : `https://${address}`, base) ?? [];
  });
}
