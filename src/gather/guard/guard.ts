import { networkInterfaces } from 'node:os';
import type { Cidr } from './address-gate.js';
import { canonicalAddress, isPublicAddress } from './address-gate.js';
import type { UrlGate } from './url-gate.js';
import type { RefusalReason } from '../../domain/refusal.js';
import { isPublicHostName, isWebScheme, literalAddressOf, portOf } from './url-gate.js';

/** One exact address and port, such as the demonstration site of this very process. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface GuardOptions {
  /** Addresses that the operator allows although they are not public. By default none. */
  readonly allowCidrs?: readonly Cidr[];
  /** Ports besides 80 and 443. By default none. */
  readonly allowPorts?: Iterable<number>;
  /** Address and port allowed together, when a URL spells the address out: a name that leads there stays refused. */
  readonly allowEndpoints?: readonly Endpoint[];
  /** Public addresses of this machine itself, refused so that nobody reaches our own services from inside. */
  readonly ownAddresses?: readonly string[];
}

/** What may be visited. Every URL passes it on every hop, and every address before and after the connection. */
export interface Guard extends UrlGate {
  /** As {@link UrlGate.vetUrl}, for the origin of a site that is to be added: no address unless the operator allows it. */
  vetSite(url: URL): RefusalReason | null;
  /** Whether an address that a name resolved to may be connected to. */
  isAllowedAddress(address: string): boolean;
  /** Whether an address that a URL spells out may be connected to at this port. */
  isAllowedLiteral(address: string, port: number): boolean;
}

/** The gates in their order: scheme, credentials, port, host, address (denied by default). */
export function createGuard(options: GuardOptions = {}): Guard {
  const { allowCidrs = [], allowEndpoints = [], ownAddresses = listOwnAddresses() } = options;
  const ports = new Set([80, 443, ...(options.allowPorts ?? [])]);
  const own = new Set(ownAddresses.map(canonicalAddress));

  const isExceptedAddress = (address: string) => allowCidrs.some((cidr) => cidr.contains(address));
  const isEndpoint = (address: string, port: number) =>
    allowEndpoints.some((endpoint) => endpoint.address === address && endpoint.port === port);
  const isAllowedAddress = (address: string) =>
    isExceptedAddress(address) || (isPublicAddress(address) && !own.has(canonicalAddress(address)));
  const isAllowedLiteral = (address: string, port: number) => isEndpoint(address, port) || isAllowedAddress(address);

  const vetUrl = (url: URL): RefusalReason | null => {
    if (!isWebScheme(url)) return 'scheme_not_allowed';
    if (url.username !== '' || url.password !== '') return 'credentials_not_allowed';
    const port = portOf(url);
    const literal = literalAddressOf(url.hostname);
    if (!ports.has(port) && !(literal !== null && isEndpoint(literal, port))) return 'port_not_allowed';
    if (literal !== null) return isAllowedLiteral(literal, port) ? null : 'address_not_public';
    return isPublicHostName(url.hostname) ? null : 'host_not_allowed';
  };

  const vetSite = (url: URL): RefusalReason | null => {
    const reason = vetUrl(url);
    const literal = literalAddressOf(url.hostname);
    if (reason !== null || literal === null) return reason;
    return isExceptedAddress(literal) || isEndpoint(literal, portOf(url)) ? null : 'host_not_allowed';
  };

  return { vetUrl, vetSite, isAllowedAddress, isAllowedLiteral };
}

function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
