import { networkInterfaces } from 'node:os';
import {
  canonicalAddress,
  type Cidr,
  isLocalNetworkAddress,
  isPublicAddress,
  literalAddressOf,
  LOOPBACK_NAME,
} from './address.js';
import { type UrlGate, isPublicHostName, isWebScheme, portOf, type RefusalReason } from './url-gate.js';

/** A non-public address and port, such as this service itself. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
  /** Host name used for it in URLs, which is never resolved. Default: the address. */
  readonly host?: string;
}

export interface GuardOptions {
  /** Non-public addresses that the operator allows. Default: none. */
  readonly allowCidrs?: readonly Cidr[];
  /** Ports besides 80 and 443. Default: none. */
  readonly allowPorts?: Iterable<number>;
  /** Host and port pairs that are allowed if a URL uses exactly that host. Other names for the same address stay refused. */
  readonly allowEndpoints?: readonly Endpoint[];
  /** Public addresses of this machine, refused so that scans cannot reach our own services from inside. */
  readonly ownAddresses?: readonly string[];
}

/** Decides which URLs and addresses may be contacted. Every URL is checked on every hop, every address before and after connecting. */
export interface Guard extends UrlGate {
  /** Like {@link UrlGate.vetUrl}, for the origin of a new site: also refuses IP addresses, unless the operator allows them. */
  vetSite(url: URL): RefusalReason | null;
  isAllowedAddress(address: string): boolean;
  /** True if the operator allows this non-public address. */
  isExemptAddress(address: string): boolean;
  /** True if the operator allows exactly this host and port. */
  isExemptEndpoint(url: URL): boolean;
  /** Returns the addresses of the allowed endpoint for this host and port in order of preference, or an empty list. */
  endpointAddresses(hostname: string, port: number): readonly string[];
}

/** Checks in order: scheme, credentials, port, host, address (denied by default). */
export function createGuard(options: GuardOptions = {}): Guard {
  const { allowCidrs = [], allowEndpoints = [], ownAddresses = listOwnAddresses() } = options;
  const ports = new Set([80, 443, ...(options.allowPorts ?? [])]);
  const own = new Set(ownAddresses.map(canonicalAddress));

  const isExemptAddress = (address: string) => allowCidrs.some((cidr) => cidr.contains(address));
  const endpointAddresses = (hostname: string, port: number) => {
    const host = literalAddressOf(hostname) ?? hostname;
    const found = allowEndpoints.filter((one) => (one.host ?? one.address) === host && one.port === port);
    return found.map(({ address }) => address);
  };
  const isExemptEndpoint = (url: URL) => endpointAddresses(url.hostname, portOf(url)).length > 0;
  const isAllowedAddress = (address: string) =>
    isExemptAddress(address) || (isPublicAddress(address) && !own.has(canonicalAddress(address)));

  const vetUrl = (url: URL): RefusalReason | null => {
    if (!isWebScheme(url)) return 'scheme_not_allowed';
    if (url.username !== '' || url.password !== '') return 'credentials_not_allowed';
    if (isExemptEndpoint(url)) return null;
    if (!ports.has(portOf(url))) return 'port_not_allowed';
    const literal = literalAddressOf(url.hostname);
    if (literal !== null) return isAllowedAddress(literal) ? null : 'address_not_public';
    return isPublicHostName(url.hostname) ? null : 'host_not_allowed';
  };

  const vetSite = (url: URL): RefusalReason | null => {
    const reason = vetUrl(url);
    const literal = literalAddressOf(url.hostname);
    if (reason !== null || literal === null || isExemptEndpoint(url)) return reason;
    return isExemptAddress(literal) ? null : 'host_not_allowed';
  };

  return { vetUrl, vetSite, isAllowedAddress, isExemptAddress, isExemptEndpoint, endpointAddresses };
}

/** Returns a guard that also refuses these hosts and their subdomains. */
export function excludeHosts(guard: Guard, hosts: readonly string[]): Guard {
  if (hosts.length === 0) return guard;
  const excluded = new Set(hosts);
  const isExcluded = (url: URL): boolean => {
    const labels = url.hostname.replace(/\.$/, '').split('.');
    return labels.some((_, index) => excluded.has(labels.slice(index).join('.')));
  };
  return {
    ...guard,
    vetUrl: (url) => guard.vetUrl(url) ?? (isExcluded(url) ? 'host_excluded' : null),
    vetSite: (url) => guard.vetSite(url) ?? (isExcluded(url) ? 'host_excluded' : null),
  };
}

function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

interface AddressResolver {
  resolveAddresses(host: string): Promise<readonly string[]>;
}

export interface TargetGate {
  readonly guard: Guard;
  readonly resolver: AddressResolver;
}

/**
 * Vets the origin of a site before it is added or scanned, including the addresses of its name; null if it is allowed. A name
 * without an address yet is allowed: every connection is vetted again when it is made.
 */
export async function vetTarget({ guard, resolver }: TargetGate, origin: URL): Promise<RefusalReason | null> {
  const reason = guard.vetSite(origin);
  if (reason !== null || guard.isExemptEndpoint(origin) || literalAddressOf(origin.hostname) !== null) return reason;
  const addresses = await resolver.resolveAddresses(origin.hostname).catch(() => []);
  return addresses.every((address) => guard.isAllowedAddress(address)) ? null : 'address_not_public';
}

/** Why a webhook address is not allowed: the guard refuses it, or messages would be sent unencrypted. */
export type WebhookRefusal = 'refused' | 'not_https';

/**
 * Vets the address of a webhook before it is added, including the addresses of its name; every connection is vetted again when it
 * is made. Plain http is allowed only for the operator's exceptions, for which no certificate can be obtained.
 */
export async function vetWebhook(gate: TargetGate, url: URL): Promise<WebhookRefusal | null> {
  if (!isWebScheme(url)) return 'not_https';
  if ((await vetTarget(gate, url)) !== null) return 'refused';
  return url.protocol === 'https:' || (await isExempt(gate, url)) ? null : 'not_https';
}

/** True if only the operator's exceptions allow the target. */
async function isExempt({ guard, resolver }: TargetGate, url: URL): Promise<boolean> {
  if (guard.isExemptEndpoint(url)) return true;
  if (literalAddressOf(url.hostname) !== null) return true;
  const addresses = await resolver.resolveAddresses(url.hostname).catch(() => []);
  return addresses.length > 0 && !addresses.some(isPublicAddress);
}

/** Local servers may listen on either address. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns the endpoints that a scan of a local server may reach: that host and port, and nothing else on its network. Null if the
 * host has no address, or one that is neither loopback nor private.
 */
export async function findLocalEndpoints(
  origin: URL,
  { resolveAddresses }: AddressResolver,
): Promise<readonly Endpoint[] | null> {
  const { hostname } = origin;
  const literal = literalAddressOf(hostname);
  const lookUp = () => (LOOPBACK_NAME.test(hostname) ? LOOPBACK : resolveAddresses(hostname).catch(() => []));
  const addresses = literal === null ? await lookUp() : [literal];
  if (addresses.length === 0 || !addresses.every(isLocalNetworkAddress)) return null;
  return addresses.map((address) => ({ address, port: portOf(origin), ...(literal === null && { host: hostname }) }));
}
