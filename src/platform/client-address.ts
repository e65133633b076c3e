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

/** A network that an address belongs to. */
export interface Network {
  /** Such as `198.51.100.0/24`. */
  readonly prefix: string;
  /** Its length in bits: 24; or 32, 48 or 56. */
  readonly bits: number;
}

const IPV4_NETWORK = [24];
/** What a provider, a company and a household are commonly given (RFC 6177). */
const IPV6_NETWORKS = [32, 48, 56];

/** The networks around an IP address, the widest first. What is not an address has one of its own. */
export function networksOfAddress(address: string): readonly [Network, ...Network[]] {
  if (!ipaddr.isValid(address)) return [{ prefix: 'no address', bits: 0 }];
  const parsed = ipaddr.process(address);
  const isIPv4 = parsed instanceof ipaddr.IPv4;
  const kind = isIPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const [widest = 0, ...narrower] = isIPv4 ? IPV4_NETWORK : IPV6_NETWORKS;
  const networkOf = (bits: number): Network => ({
    prefix: `${kind.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`,
    bits,
  });
  return [networkOf(widest), ...narrower.map(networkOf)];
}
