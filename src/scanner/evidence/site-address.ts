import { getDomain } from 'tldts';
import { parseUrl } from './url.js';

/**
 * The key that identifies "the same site": the registrable domain by the Public Suffix List with its private section
 * (`a.github.io` and `b.github.io` are two sites); a host without one is compared as exact host:port.
 */
export function siteKey(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
}

export function isSameSite(a: URL, b: URL): boolean {
  return siteKey(a) === siteKey(b);
}

/** Resolves `reference` against `base`; null if it is not a URL. */
export function resolveUrl(reference: string, base: URL | string): URL | null {
  return parseUrl(reference, base);
}

/** The URL without its fragment, the key under which it is fetched. */
export function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
