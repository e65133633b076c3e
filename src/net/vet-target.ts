import { isOwnNetworkAddress, isPublicAddress, literalAddressOf, LOOPBACK_NAME } from './address.js';
import type { Resolver } from './connect.js';
import type { Endpoint, Guard } from './guard.js';
import { portOf, type RefusalReason } from './url-gate.js';

type AddressResolver = Pick<Resolver, 'resolveAddresses'>;

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
  const isPinned = guard.isExceptedEndpoint(origin);
  if (reason !== null || isPinned || literalAddressOf(origin.hostname) !== null) return reason;
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
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https';
  if ((await vetTarget(gate, url)) !== null) return 'refused';
  return url.protocol === 'https:' || (await isExcepted(gate, url)) ? null : 'not_https';
}

/** True if only the operator's exceptions allow the target. */
async function isExcepted({ guard, resolver }: TargetGate, url: URL): Promise<boolean> {
  if (guard.isExceptedEndpoint(url)) return true;
  if (literalAddressOf(url.hostname) !== null) return true;
  const addresses = await resolver.resolveAddresses(url.hostname).catch(() => []);
  return addresses.length > 0 && !addresses.some(isPublicAddress);
}

/** Servers listen on either address. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns the endpoints that a scan of a local server may reach: that host and port, and nothing else on its network.
 * @returns null if it has no address, or one that is neither loopback nor private
 */
export async function findLocalEndpoints(
  origin: URL,
  { resolveAddresses }: AddressResolver,
): Promise<readonly Endpoint[] | null> {
  const { hostname } = origin;
  const literal = literalAddressOf(hostname);
  const lookUp = () => (LOOPBACK_NAME.test(hostname) ? LOOPBACK : resolveAddresses(hostname).catch(() => []));
  const addresses = literal === null ? await lookUp() : [literal];
  if (addresses.length === 0 || !addresses.every(isOwnNetworkAddress)) return null;
  return addresses.map((address) => ({ address, port: portOf(origin), ...(literal === null && { host: hostname }) }));
}
