import { parse, getDomain } from 'tldts';

/**
 * Reasons why the guard refuses a URL or an address. Only the log and the command line show them: users see the same text for every
 * refused target, so that it does not reveal what a name resolves to.
 */
export const REFUSALS = {
  scheme_not_allowed: 'only http and https sites can be scanned',
  credentials_not_allowed: 'the address contains a user name or password',
  port_not_allowed: 'the port is neither 80 nor 443 nor one of SCAN_ALLOW_PORTS',
  host_not_allowed: 'an IP address is scanned only if SCAN_ALLOW_CIDRS covers it',
  host_excluded: 'its owner asked the operator of this service not to scan it',
  address_not_public: 'its address is not public; SCAN_ALLOW_CIDRS can allow it',
} as const;
export type RefusalReason = keyof typeof REFUSALS;

/** The only reason that users and anonymous callers see. */
export const REFUSED_TARGET =
  'Only public sites on the usual ports can be scanned. Give a host name such as example.com.';

/** Vets a URL before anything is resolved or connected. */
export interface UrlGate {
  /** Returns why a URL must not be fetched, or null. Makes no DNS lookup. */
  vetUrl(url: URL): RefusalReason | null;
}

/**
 * IANA special-use names that are public suffixes but have no sites in the public DNS (`arpa` includes home.arpa). Others, such as
 * `localhost` and `test`, are not public suffixes.
 */
const SPECIAL_USE_TLDS = new Set(['onion', 'arpa']);
const HOST_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

export function isWebScheme(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** Returns the URL's port, by default the port of its scheme. */
export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** True if both URLs have the same host and port, ignoring `www.` and the scheme. */
export function isSameHost(a: URL, b: URL): boolean {
  return bareHost(a) === bareHost(b);
}

/** Returns the host and port without `www.`. */
export function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

/**
 * Returns the registrable domain of a host by the Public Suffix List, including its private section. Null for a suffix itself, for an
 * address, and for a name under no listed suffix, whose neighbours may have other owners.
 */
export function registrableDomain(hostname: string): string | null {
  const { domain, isIcann, isPrivate } = parse(hostname, { allowPrivateDomains: true, validateHostname: false });
  return isIcann === true || isPrivate === true ? domain : null;
}

/** Returns the URL as it is fetched and cached: without fragment or trailing dot in the host name. */
export function canonicalUrl(url: URL): URL {
  const canonical = new URL(url);
  canonical.hash = '';
  // A name with two trailing dots is invalid: stripping one would yield a different host, such as an address.
  if (/[^.]\.$/.test(canonical.hostname)) canonical.hostname = canonical.hostname.slice(0, -1);
  return canonical;
}

/**
 * True if a host name can belong to a public site: at least one label below a listed public suffix (private section included), and not a
 * special-use name. One trailing dot is allowed.
 */
export function isPublicHostName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  if (name.length > HOST_CHARS_MAX || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  if (SPECIAL_USE_TLDS.has(labels.at(-1) ?? '')) return false;
  return registrableDomain(name) !== null;
}

/**
 * Returns the key of a site: the registrable domain by the Public Suffix List with its private section (`a.github.io` and `b.github.io`
 * are two sites), or `host:port` without one.
 */
export function siteKey(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
}

export function isSameSite(a: URL, b: URL): boolean {
  return siteKey(a) === siteKey(b);
}

/** A DNS name in A-labels (RFC 1035 §2.3.1, RFC 5890). */
const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Returns the host of a URL on the default port if it has a registrable domain; else null. */
export function publicHostname(url: URL): string | null {
  const name = url.hostname.replace(/\.$/, '');
  const isRegistrable = getDomain(name, { allowPrivateDomains: true }) !== null;
  return url.port === '' && isRegistrable && HOSTNAME.test(name) ? name : null;
}

export function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
