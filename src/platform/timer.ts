import { ServiceError } from './errors.js';

/** Calls `action` after `delayMs`; the returned function cancels it. Tests supply their own. */
export type StartTimer = (action: () => unknown, delayMs: number) => () => void;

/** A timer that does not keep the process alive. */
export function startNodeTimer(action: () => unknown, delayMs: number): () => void {
  const timer = setTimeout(action, delayMs).unref();
  return () => {
    clearTimeout(timer);
  };
}

const RETRY_AFTER_MS = [1000, 2000, 4000, 8000, 15_000];

/**
 * Stores the outcome of a message, and retries while the database is unavailable, so that the message is not sent twice.
 * @throws what the last attempt threw
 */
export async function retryStoring<T>(store: () => Promise<T>, startTimer: StartTimer = startNodeTimer): Promise<T> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await store();
    } catch (error) {
      const pauseMs = RETRY_AFTER_MS[attempts];
      if (pauseMs === undefined || !(error instanceof ServiceError && error.code === 'overloaded')) throw error;
      await new Promise<void>((resolve) => startTimer(resolve, pauseMs));
    }
  }
}
