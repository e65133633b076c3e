import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from './refusal.js';
import { isPublicAddress, literalAddressOf } from './address.js';

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
