import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';
import { createScanner, type Scanner } from '../scanner/scan/scanner.js';
import { ServiceError } from '../platform/errors.js';
import type { Scanning } from '../package/scanning.js';

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
