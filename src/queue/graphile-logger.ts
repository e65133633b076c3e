import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from '../platform/logging.js';

/**
 * Our log behind graphile-worker's. It holds what we mend by ourselves for errors, and tells of every job: so what it says is worth a
 * level less to us, and the last goes nowhere.
 */
export function graphileLogger(logger: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const fields = { source: 'graphile-worker', ...(meta?.error instanceof Error && { cause: meta.error }) };
    const level_: string = level;
    if (level_ === 'error') logger.warn(fields, message);
    else if (level_ === 'warning') logger.info(fields, message);
    else if (level_ === 'info') logger.debug(fields, message);
  });
}
