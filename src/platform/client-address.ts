import ipaddr from 'ipaddr.js';

const GROUPS_OF_A_64 = 4;

/**
 * Whom an IP address stands for: an IPv4 address itself, also where it is written as IPv6 (`::ffff:192.0.2.1`); of an IPv6
 * address the first 64 bits, since one customer holds all the rest (RFC 6177). Anything else counts as one subject.
 */
export function subjectOfAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'no address';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, GROUPS_OF_A_64).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
