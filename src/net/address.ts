import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP address range, such as `10.0.0.0/8`, or a single address. */
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
 * public unicast address for the platform services of a large cloud. Also the registry's globally reachable anycast ranges, since they
 * host no sites.
 */
const DENIED_V4 = ranges(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
    '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
);

/** Global unicast IPv6. Addresses that map, embed or tunnel IPv4 are outside this range or denied below. */
const GLOBAL_V6 = ranges('2000::/3');
const DENIED_V6 = ranges('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');

/** True if an address is known to belong to the public internet. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed.kind() === 'ipv4') return !isInAny(parsed, DENIED_V4);
  return isInAny(parsed, GLOBAL_V6) && !isInAny(parsed, DENIED_V6);
}

/** Loopback (RFC 1122, 4291) and private networks (RFC 1918, 4193). Includes the cloud metadata addresses below. */
const LOCAL_NETWORKS = ranges('10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7');
/** IPv6 metadata addresses of AWS, Google, Oracle, Scaleway, Akamai and Alibaba. IPv4 ones are link-local or outside the networks above. */
const METADATA = ranges(
  'fd00:ec2::/32 fd20:ce::/64 fd00:c1::/64 fd00:42::42/128 fd00:a9fe:a9fe::1/128 fd00:100::100:200/128',
);

/** True for a loopback or private address, but not for a link-local one or one that serves cloud metadata. */
export function isLocalNetworkAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isInAny(parsed, LOCAL_NETWORKS) && !isInAny(parsed, METADATA);
}

/** Returns the canonical spelling of an IP address; null for other text or with a zone id (`%eth0`). */
export function canonicalAddress(address: string): string | null {
  return parseAddress(address)?.toString() ?? null;
}

type Range = readonly [network: Address, bits: number];

function ranges(list: string): readonly Range[] {
  return list.split(' ').map((cidr) => ipaddr.parseCIDR(cidr));
}

/** Checks Node's strict syntax first: the library would accept `0x7f.1` and `2130706433`. */
function parseAddress(address: string): Address | null {
  return isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address);
}

function isInAny(address: Address, list: readonly Range[]): boolean {
  return list.some(([network, bits]) => isInside(address, network, bits));
}

function isInside(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Returns a URL's host if it is an IP address, without brackets; else null. The URL parser has normalised unusual spellings. */
export function literalAddressOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** Names outside the public DNS: RFC 6761 (localhost), 6762 (local), 8375 (home.arpa) and ICANN's reservation of internal. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** True if the host is a non-public address or a reserved name. Makes no DNS lookup. */
export function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  const address = literalAddressOf(host);
  return address === null ? PRIVATE_NAME.test(host) : !isPublicAddress(address);
}

/** `localhost` and names below it, which never leave the machine (RFC 6761 §6.3). */
export const LOOPBACK_NAME = /(?:^|\.)localhost$/;

/** True if an origin's host is a loopback name, or a loopback or private address. */
export function isLocalOrigin({ hostname }: URL): boolean {
  const literal = literalAddressOf(hostname);
  return literal === null ? LOOPBACK_NAME.test(hostname) : isLocalNetworkAddress(literal);
}
