import { vetTarget } from '../net/vet-target.js';
import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';
import type { Listener } from '../scanner/client/events.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { createRecordingScanner, createScanner, type Scanner } from '../scanner/scan/scanner.js';
import type { ScanCommandDeps } from '../cli/scan.js';
import type { ScanConfig } from '../config.js';
import { ServiceError } from '../platform/errors.js';
import { createLogger } from '../platform/logging.js';
import { createScanning, type Scanning } from './scanning.js';

/** The scanner of a serving process. */
export function createServiceScanner(scanning: Scanning): Scanner {
  return refuseOverload(createScanner(scanning));
}

/** Where our own limits cost evidence, the service is overloaded. The cause tells it from a scan that never began. */
export function refuseOverload(scan: Scanner): Scanner {
  return async (...asked) => {
    try {
      return await scan(...asked);
    } catch (error) {
      throw error instanceof OutOfResources ? new ServiceError('overloaded', { cause: error }) : error;
    }
  };
}

/** What `scan` works with: neither a database nor a server. */
export function createOneScan(config: ScanConfig, version: string, listen?: Listener): ScanCommandDeps {
  const scanning = { ...createScanning(config, createLogger('silent')), ...(listen && { listeners: [listen] }) };
  const scan = createServiceScanner(scanning);
  const record = createRecordingScanner(scanning, version);
  const targetOf = (origin: URL): ScanTarget => ({ origin, isOwnershipVerified: false });
  return {
    vetTarget: (origin) => vetTarget(scanning, origin),
    scan: (origin, onProgress, only) => scan(targetOf(origin), onProgress, only),
    record: (origin, onProgress) => record(targetOf(origin), onProgress),
  };
}
