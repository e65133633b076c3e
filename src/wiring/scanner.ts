import { ServiceError } from '../platform/errors.js';
import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';

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
