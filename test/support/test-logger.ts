import { createLogger, type Logger } from '../../src/platform/logging.js';
import { SEARCH } from './secrets.js';

/** Creates a logger whose lines are collected and searched for secrets. */
export function createTestLogger(): { readonly logger: Logger; readonly log: Record<string, unknown>[] } {
  const log: Record<string, unknown>[] = [];
  const write = (line: string): void => {
    SEARCH.logLine(line);
    log.push(JSON.parse(line) as Record<string, unknown>);
  };
  return { logger: createLogger('debug', { write }), log };
}
