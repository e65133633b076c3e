import { networkInterfaces } from 'node:os';
import type { Cidr } from './address.js';
import { canonicalAddress, isPublicAddress, literalAddressOf } from './address.js';
import type { UrlGate } from './url-gate.js';
import type { RefusalReason } from './refusal.js';
import { isPublicHostName, isWebScheme, portOf } from './url-gate.js';

/** A non-public address and port, such as the origin of this very service. */
export interface Endpoint {
  /** The address to connect to. */
  readonly address: string;
  readonly port: number;
  /** The host name that stands for it in a URL, and is never resolved; by default the URL contains the address. */
  readonly host?: string;
}

export interface GuardOptions {
  /** Non-public addresses that the operator allows. By default none. */
  readonly allowCidrs?: readonly Cidr[];
  /** Ports besides 80 and 443. By default none. */
  readonly allowPorts?: Iterable<number>;
  /** Host and port allowed together, if a URL uses exactly that host: every other name that leads there stays refused. */
  readonly allowEndpoints?: readonly Endpoint[];
  /** Public addresses of this machine itself, refused so that scans cannot reach our own services from inside. */
  readonly ownAddresses?: readonly string[];
}

/** Decides what may be visited. It checks every URL on every hop, and every address before and after the connection. */
export interface Guard extends UrlGate {
  /** Like {@link UrlGate.vetUrl}, for the origin of a new site: no IP address unless the operator allows it. */
  vetSite(url: URL): RefusalReason | null;
  /** Whether connections to this address are allowed, however it was found. */
  isAllowedAddress(address: string): boolean;
  /** Whether the operator excepted it: one of their own networks. */
  isExceptedAddress(address: string): boolean;
  /** Whether the operator excepted the very host and port of this URL. */
  isExceptedEndpoint(url: URL): boolean;
  /** The addresses of the excepted endpoint for this host and port of a URL, the first to be tried first; none where it is none. */
  endpointAddresses(hostname: string, port: number): readonly string[];
}

/** Checks in order: scheme, credentials, port, host, address (denied by default). */
export function createGuard(options: GuardOptions = {}): Guard {
  const { allowCidrs = [], allowEndpoints = [], ownAddresses = listOwnAddresses() } = options;
  const ports = new Set([80, 443, ...(options.allowPorts ?? [])]);
  const own = new Set(ownAddresses.map(canonicalAddress));

  const isExceptedAddress = (address: string) => allowCidrs.some((cidr) => cidr.contains(address));
  const endpointAddresses = (hostname: string, port: number) => {
    const host = literalAddressOf(hostname) ?? hostname;
    const found = allowEndpoints.filter((one) => (one.host ?? one.address) === host && one.port === port);
    return found.map(({ address }) => address);
  };
  const isExceptedEndpoint = (url: URL) => endpointAddresses(url.hostname, portOf(url)).length > 0;
  const isAllowedAddress = (address: string) =>
    isExceptedAddress(address) || (isPublicAddress(address) && !own.has(canonicalAddress(address)));

  const vetUrl = (url: URL): RefusalReason | null => {
    if (!isWebScheme(url)) return 'scheme_not_allowed';
    if (url.username !== '' || url.password !== '') return 'credentials_not_allowed';
    if (isExceptedEndpoint(url)) return null;
    if (!ports.has(portOf(url))) return 'port_not_allowed';
    const literal = literalAddressOf(url.hostname);
    if (literal !== null) return isAllowedAddress(literal) ? null : 'address_not_public';
    return isPublicHostName(url.hostname) ? null : 'host_not_allowed';
  };

  const vetSite = (url: URL): RefusalReason | null => {
    const reason = vetUrl(url);
    const literal = literalAddressOf(url.hostname);
    if (reason !== null || literal === null || isExceptedEndpoint(url)) return reason;
    return isExceptedAddress(literal) ? null : 'host_not_allowed';
  };

  return { vetUrl, vetSite, isAllowedAddress, isExceptedAddress, isExceptedEndpoint, endpointAddresses };
}

function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
