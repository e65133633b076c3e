import type { FileTrier } from '../app/context.js';
import type { Scanning } from '../package/scanning.js';
import { Limiter } from '../scanner/client/limiter.js';
import { overlayOfFile } from '../scanner/client/stand-in.js';
import { createScanner, createOverlayScanner, type Scanner } from '../scanner/scan/scanner.js';

export interface Scanners {
  readonly scan: Scanner;
  readonly tryFile: FileTrier;
}

/** Both scanners share the limit of each address. */
export function createScanners(scanning: Scanning, version: string): Scanners {
  const deps = { ...scanning, limiter: new Limiter() };
  const tryOverlay = createOverlayScanner(deps, version);
  return {
    scan: createScanner(deps),
    tryFile: (target, pathname, file, onProgress) => tryOverlay(target, overlayOfFile(pathname, file), onProgress),
  };
}
