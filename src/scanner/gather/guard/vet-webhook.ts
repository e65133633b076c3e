import { isPublicAddress } from './address-gate.js';
import { literalAddressOf, portOf } from './url-gate.js';
import { type TargetGate, vetTarget } from './vet-target.js';

/** Why a webhook may not be at an address: the guard refuses it, or it would be sent in clear. */
export type WebhookRefusal = 'refused' | 'not_https';

/**
 * Vets the address of a webhook before it is added, the addresses of its name included; every connection is vetted again when
 * it is made. Plain http is for the operator's exceptions alone, where no certificate can be had.
 */
export async function vetWebhook(gate: TargetGate, url: URL): Promise<WebhookRefusal | null> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https';
  if ((await vetTarget(gate, url)) !== null) return 'refused';
  return url.protocol === 'https:' || (await isExcepted(gate, url)) ? null : 'not_https';
}

/** Whether a target that the guard lets pass owes it to the operator's exceptions: it is not public. */
async function isExcepted({ guard, resolver }: TargetGate, url: URL): Promise<boolean> {
  if (guard.endpointAddress(url.hostname, portOf(url)) !== null) return true;
  if (literalAddressOf(url.hostname) !== null) return true;
  const addresses = await resolver.resolveAddresses(url.hostname).catch(() => []);
  return addresses.length > 0 && !addresses.some(isPublicAddress);
}
