import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';
import { AddressSlots } from '../scanner/client/address-slots.js';
import { createScanner, createTryingScanner, type Scanner, type TryingScanner } from '../scanner/scan/scanner.js';
import { ServiceError } from '../platform/errors.js';
import type { Scanning } from '../package/scanning.js';

/** The scanners of a serving process, which share the limit of each address. */
export function createServiceScanners(
  scanning: Scanning,
  version: string,
): { readonly scan: Scanner; readonly tryOverlay: TryingScanner } {
  const deps = { ...scanning, slots: new AddressSlots(undefined, scanning.peers) };
  return { scan: refuseOverload(createScanner(deps)), tryOverlay: refuseOverload(createTryingScanner(deps, version)) };
}

/** Where our own limits cost evidence, the service is overloaded. The cause tells it from a scan that never began. */
export function refuseOverload<Asked extends unknown[], Made>(
  scan: (...asked: Asked) => Promise<Made>,
): (...asked: Asked) => Promise<Made> {
  return async (...asked) => {
    try {
      return await scan(...asked);
    } catch (error) {
      throw error instanceof OutOfResources ? new ServiceError('overloaded', { cause: error }) : error;
    }
  };
}
