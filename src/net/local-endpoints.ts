import { isOwnNetworkAddress, literalAddressOf } from './address.js';
import type { Endpoint } from './guard.js';
import type { Resolver } from './resolver.js';
import { portOf } from './url-gate.js';

/** Both, since servers listen on either; names below it never leave the machine (RFC 6761 §6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];
const LOOPBACK_NAME = /(?:^|\.)localhost$/;

/**
 * What a person who names a server of their own lets a scan reach: that host at that port, and nothing else of the network around it.
 * @returns null where it has no address, or one that is neither loopback nor private
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

/** Whether an origin names this machine or a private network in so many words. */
export function isLocalOrigin({ hostname }: URL): boolean {
  const literal = literalAddressOf(hostname);
  return literal === null ? LOOPBACK_NAME.test(hostname) : isOwnNetworkAddress(literal);
}

async function addressesOf(hostname: string, resolve: Resolver['resolveAddresses']): Promise<readonly string[]> {
  return LOOPBACK_NAME.test(hostname) ? LOOPBACK : resolve(hostname).catch(() => []);
}
