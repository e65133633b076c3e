import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A range of addresses, such as `10.0.0.0/8`; a single address is a range of one. */
export interface Cidr {
  readonly text: string;
  contains(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null if it is neither. */
export function parseCidr(text: string): Cidr | null {
  const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const network = parseAddress(base);
  if (network === null) return null;
  const widthBits = network.kind() === 'ipv4' ? 32 : 128;
  const prefixBits = bits === undefined ? widthBits : Number(bits);
  if (prefixBits > widthBits) return null;
  return {
    text: `${base}/${prefixBits}`,
    contains: (address) => {
      const parsed = parseAddress(address);
      return parsed !== null && isInside(parsed, network, prefixBits);
    },
  };
}

/**
 * IPv4 ranges without public web sites: IANA's special-purpose registry, multicast, the reserved 240/4, and 168.63.129.16, a
 * public unicast address that serves the platform itself inside a large cloud. The registry's globally reachable anycast ranges
 * are refused too, since they host no sites.
 */
const DENIED_V4 = ranges(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
    '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
);

/** The public IPv6 addresses; addresses that map, embed or tunnel an IPv4 address are outside, or denied below. */
const GLOBAL_V6 = ranges('2000::/3');
const DENIED_V6 = ranges('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');

/** Whether an address belongs to the public internet. Anything that is not an address, or not known to be public, does not. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed.kind() === 'ipv4') return !isInAny(parsed, DENIED_V4);
  return isInAny(parsed, GLOBAL_V6) && !isInAny(parsed, DENIED_V6);
}

/** Loopback (RFC 1122, 4291) and private networks (RFC 1918, 4193), without the addresses in them where clouds keep their secrets. */
const OWN_NETWORKS = ranges('10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7');
/** In order: AWS, Google, Oracle, Scaleway, Akamai, Alibaba. What they have of IPv4 is link-local or outside the networks above. */
const METADATA = ranges(
  'fd00:ec2::/32 fd20:ce::/64 fd00:c1::/64 fd00:42::42/128 fd00:a9fe:a9fe::1/128 fd00:100::100:200/128',
);

/** Whether an address is that of this machine, or of a private network; never one that is link-local or serves metadata of a cloud. */
export function isOwnNetworkAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isInAny(parsed, OWN_NETWORKS) && !isInAny(parsed, METADATA);
}

/** The canonical spelling of an address, or null if it is not one. A zone id (`%eth0`) names a link, so it is refused. */
export function canonicalAddress(address: string): string | null {
  return parseAddress(address)?.toString() ?? null;
}

type Range = readonly [network: Address, bits: number];

function ranges(list: string): readonly Range[] {
  return list.split(' ').map((cidr) => ipaddr.parseCIDR(cidr));
}

/** Node's strict syntax decides first: the library would accept `0x7f.1` and `2130706433` as addresses. */
function parseAddress(address: string): Address | null {
  return isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address);
}

function isInAny(address: Address, list: readonly Range[]): boolean {
  return list.some(([network, bits]) => isInside(address, network, bits));
}

function isInside(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The literal address in a URL's host, or null. The URL parser has already normalised every unusual spelling. */
export function literalAddressOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
