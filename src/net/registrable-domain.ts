import { parse } from 'tldts';

/**
 * The registrable domain of a host under a suffix that the Public Suffix List has, its private section included; null for a suffix itself, for an
 * address, and for names that are nobody's to register: who has a name below one of those may not speak for its neighbours.
 */
export function registrableDomain(hostname: string): string | null {
  const { domain, isIcann, isPrivate } = parse(hostname, { allowPrivateDomains: true, validateHostname: false });
  return isIcann === true || isPrivate === true ? domain : null;
}
