import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from './errors.js';

const PAUSE_MS = 30;

/**
 * Retries `step` while it loses to another process's lock or transaction, which leaves no changes, for at most `waitMs` from the
 * first loss. Unlike SQLite's own waiting, the pauses do not block the event loop.
 * @throws what the last try threw
 */
export async function retryConflicts<T>(step: () => T | Promise<T>, waitMs: number): Promise<T> {
  let giveUpMs: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      giveUpMs ??= performance.now() + waitMs;
      if (!isConflict(error) || performance.now() > giveUpMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}
