import { parse } from 'tldts';

/**
 * Returns the registrable domain of a host by the Public Suffix List with its private section. Null for a suffix itself, for an address,
 * and for a name under no listed suffix, whose neighbours may have other owners.
 */
export function registrableDomain(hostname: string): string | null {
  const { domain, isIcann, isPrivate } = parse(hostname, { allowPrivateDomains: true, validateHostname: false });
  return isIcann === true || isPrivate === true ? domain : null;
}
