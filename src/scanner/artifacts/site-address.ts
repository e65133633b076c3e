import { getDomain } from 'tldts';

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

/** A name as DNS has it, in A-labels (RFC 1035 §2.3.1, RFC 5890). */
const HOSTNAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** The host of a URL at its scheme's own port, if it is a name under a public suffix that somebody registered; else null. */
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
