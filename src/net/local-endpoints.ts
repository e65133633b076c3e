import { isOwnNetworkAddress, literalAddressOf } from './address.js';
import type { Endpoint } from './guard.js';
import type { Resolver } from './resolver.js';
import { portOf } from './url-gate.js';

/** Servers listen on either address; names below `localhost` never leave the machine (RFC 6761 §6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];
const LOOPBACK_NAME = /(?:^|\.)localhost$/;

/**
 * Returns the endpoints that a scan of a local server may reach: that host and port, and nothing else on its network.
 * @returns null if it has no address, or one that is neither loopback nor private
 */
export async function findLocalEndpoints(
  origin: URL,
  { resolveAddresses }: Pick<Resolver, 'resolveAddresses'>,
): Promise<readonly Endpoint[] | null> {
  const { hostname } = origin;
  const literal = literalAddressOf(hostname);
  const addresses = literal === null ? await addressesOf(hostname, resolveAddresses) : [literal];
  if (addresses.length === 0 || !addresses.every(isOwnNetworkAddress)) return null;
  return addresses.map((address) => ({ address, port: portOf(origin), ...(literal === null && { host: hostname }) }));
}

/** True if an origin is a loopback name or a loopback or private address. */
export function isLocalOrigin({ hostname }: URL): boolean {
  const literal = literalAddressOf(hostname);
  return literal === null ? LOOPBACK_NAME.test(hostname) : isOwnNetworkAddress(literal);
}

async function addressesOf(hostname: string, resolve: Resolver['resolveAddresses']): Promise<readonly string[]> {
  return LOOPBACK_NAME.test(hostname) ? LOOPBACK : resolve(hostname).catch(() => []);
}
