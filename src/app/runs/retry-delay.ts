import { createHash } from 'node:crypto';

/**
 * How long a queued run waits for its next attempt: twice as long after each, and up to twice that by its key. Runs that failed together,
 * for want of the same places, would otherwise come back together.
 * @param attempt that has failed; 1 for the first
 */
export function retryDelayMs(key: string, firstMs: number, attempt = 1): number {
  const spread = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(firstMs * 2 ** (attempt - 1) * (1 + spread));
}
