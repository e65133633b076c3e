import { setTimeout as pause } from 'node:timers/promises';
import { isBusy, isConflict } from './errors.js';

const PAUSE_MS = 30;

/**
 * Retries `step` while it loses to another process's lock or transaction, which leaves no changes, for at most `waitMs` from the
 * first loss. Unlike SQLite's own waiting, the pauses do not block the event loop.
 * @param isLost whether the step threw because it lost
 * @throws what the last try threw
 */
export async function retryConflicts<T>(
  step: () => T | Promise<T>,
  waitMs: number,
  isLost: (error: unknown) => boolean = isConflict,
): Promise<T> {
  let giveUpMs: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      giveUpMs ??= performance.now() + waitMs;
      if (!isLost(error) || performance.now() > giveUpMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** A try that waits for a row takes seconds by itself: {@link retryConflicts}, and the server's limit for a statement. */
const BUSY_TRIES_MAX = 4;
const BUSY_WAIT_MS = 20_000;

/**
 * Repeats the writing of what took long to make, and would be lost because something else held its rows.
 * @throws what the last try threw
 */
export async function retryBusy<T>(step: () => Promise<T>): Promise<T> {
  const giveUpMs = performance.now() + BUSY_WAIT_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error) || tries === BUSY_TRIES_MAX || performance.now() > giveUpMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}
