import { getDomain } from 'tldts';
import { parseUrl } from './url.js';

/**
 * What stands for "the same site": the registrable domain by the Public Suffix List with its private section
 * (`a.github.io` and `b.github.io` are two sites); a host that has none is compared as exact host:port.
 */
export function siteKey(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
}

export function isSameSite(a: URL, b: URL): boolean {
  return siteKey(a) === siteKey(b);
}

/** Resolves `reference` against `base`; null when it is no URL. */
export function resolveUrl(reference: string, base: URL | string): URL | null {
  return parseUrl(reference, base);
}

/** The URL without its fragment, as the key of what is fetched. */
export function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
