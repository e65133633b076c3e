import ipaddr from 'ipaddr.js';

/** `address`: an IPv4 address itself, or the /64 of an IPv6 address, all of which one customer holds (RFC 6177). */
export type NetworkSize = 'address' | '/24' | '/56' | '/48' | '/32';

export interface Network {
  readonly size: NetworkSize;
  /** Such as `198.51.100.0/24`. */
  readonly prefix: string;
}

const IPV4_SIZES = { address: 32, '/24': 24 } as const;
/** /56, /48 and /32 are common for a household, a company and a provider (RFC 6177). */
const IPV6_SIZES = { address: 64, '/56': 56, '/48': 48, '/32': 32 } as const;

/** Returns the networks that contain an IP address, the narrowest first. All other texts count as one network. */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  if (!ipaddr.isValid(address)) return [{ size: 'address', prefix: 'no address' }];
  // Also reads an IPv4 address written as IPv6: ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  const [kind, sizes] = parsed instanceof ipaddr.IPv4 ? [ipaddr.IPv4, IPV4_SIZES] : [ipaddr.IPv6, IPV6_SIZES];
  const networks = Object.entries(sizes).map(([size, bits]): Network => {
    const network = kind.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString();
    const isAddress = parsed instanceof ipaddr.IPv4 && size === 'address';
    return { size: size as NetworkSize, prefix: isAddress ? network : `${network}/${bits}` };
  });
  return networks as [Network, ...Network[]];
}

/** Returns the prefix of the network that one customer holds: an IPv4 address, or the /64 of an IPv6 address. */
export function subjectOfAddress(address: string): string {
  return networksOf(address)[0].prefix;
}

/** Returns the network that gets a share of what everyone uses: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function sharingNetwork(address: string): Network {
  const networks = networksOf(address);
  return networks.find(({ size }) => size === '/24' || size === '/48') ?? networks[0];
}

export function networkOf(address: string): string {
  return sharingNetwork(address).prefix;
}
