import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from './refusal.js';
import { literalAddressOf } from './address.js';

export interface TargetGate {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
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
