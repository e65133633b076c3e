import type { FileTrier } from '../app/free-scan/free-scans.js';
import type { Scanning } from '../package/scanning.js';
import { AddressSlots } from '../scanner/client/address-slots.js';
import { createScanner, createTryingScanner, type Scanner } from '../scanner/scan/scanner.js';
import { overlayOfFile } from '../scanner/trace/overlay.js';

/** What scans sites for the service. */
export interface Scanners {
  readonly scan: Scanner;
  readonly tryFile: FileTrier;
}

/** They share the limit of each address. */
export function createScanners(scanning: Scanning, version: string): Scanners {
  const deps = { ...scanning, slots: new AddressSlots(undefined, scanning.peers) };
  const tryOverlay = createTryingScanner(deps, version);
  return {
    scan: createScanner(deps),
    tryFile: (target, pathname, file, onProgress) => tryOverlay(target, overlayOfFile(pathname, file), onProgress),
  };
}
