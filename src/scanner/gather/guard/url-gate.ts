import { isIP } from 'node:net';
import { parse } from 'tldts';
import type { RefusalReason } from './refusal.js';

/** Vets a URL before anything is resolved or connected. */
export interface UrlGate {
  /** Null when the URL may be fetched, as far as it can be told without the DNS. */
  vetUrl(url: URL): RefusalReason | null;
}

/**
 * IANA special-use names that are listed as public suffixes and yet never lead to a site of the public DNS (`arpa` with home.arpa among
 * it). The others, such as `localhost` and `test`, are not listed.
 */
const SPECIAL_USE_TLDS = new Set(['onion', 'arpa']);
const HOST_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

export function isWebScheme(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** The port that the URL leads to, with the scheme's own by default. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** The address that stands in the place of a host name, or null. The URL parser has made every odd spelling canonical. */
export function literalAddressOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** The URL as it is fetched and remembered: without fragment, and without the one dot that may end a host name. */
export function canonicalUrl(url: URL): URL {
  const canonical = new URL(url);
  canonical.hash = '';
  // Two dots are no host name: what is left without one of them would be another one, such as an address.
  if (/[^.]\.$/.test(canonical.hostname)) canonical.hostname = canonical.hostname.slice(0, -1);
  return canonical;
}

/**
 * Whether a host name can be one of a public site: at least two labels under a listed public suffix (private section included)
 * that it does not itself consist of, and no special-use name. One trailing dot is allowed.
 */
export function isPublicHostName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  if (name.length > HOST_CHARS_MAX || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  if (SPECIAL_USE_TLDS.has(labels.at(-1) ?? '')) return false;
  const { isIcann, isPrivate, domain } = parse(name, { allowPrivateDomains: true, validateHostname: false });
  return (isIcann === true || isPrivate === true) && domain !== null;
}
