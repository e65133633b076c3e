import type { RefusalReason } from './refusal.js';
import { registrableDomain } from './registrable-domain.js';

/** Vets a URL before anything is resolved or connected. */
export interface UrlGate {
  /** Null if the URL may be fetched, as far as can be told without DNS. */
  vetUrl(url: URL): RefusalReason | null;
}

/**
 * IANA special-use names that are public suffixes yet never lead to a site in the public DNS (`arpa` includes home.arpa). The
 * others, such as `localhost` and `test`, are not public suffixes.
 */
const SPECIAL_USE_TLDS = new Set(['onion', 'arpa']);
const HOST_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

export function isWebScheme(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** The port of the URL, by default that of its scheme. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Whether both are one host: with and without `www`, by either scheme. A port of its own is another one. */
export function isSameHost(a: URL, b: URL): boolean {
  return a.host.replace(/^www\./, '') === b.host.replace(/^www\./, '');
}

/** The URL as fetched and remembered: without fragment, and without the one dot that may end a host name. */
export function canonicalUrl(url: URL): URL {
  const canonical = new URL(url);
  canonical.hash = '';
  // A name with two trailing dots is invalid: stripping one would yield a different host, such as an address.
  if (/[^.]\.$/.test(canonical.hostname)) canonical.hostname = canonical.hostname.slice(0, -1);
  return canonical;
}

/**
 * Whether a host name can be that of a public site: at least one label below a listed public suffix (private section included),
 * and not a special-use name. One trailing dot is allowed.
 */
export function isPublicHostName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  if (name.length > HOST_CHARS_MAX || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  if (SPECIAL_USE_TLDS.has(labels.at(-1) ?? '')) return false;
  return registrableDomain(name) !== null;
}
