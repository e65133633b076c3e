import { setImmediate } from 'node:timers/promises';
import { type StartTimer, startNodeTimer } from './clock.js';
import { ServiceError } from './errors.js';

/** Background work for which shutdown waits. */
export class Pending {
  readonly #work = new Set<Promise<void>>();

  /** @param work handles its own failures */
  add(work: Promise<void>): void {
    const pending = work.finally(() => this.#work.delete(pending));
    this.#work.add(pending);
  }

  /** Resolves when all work has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#work);
  }
}

/** Processes the items, at most `atOnce` at a time. Rejects with the first failure, but does not stop running work. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const workNext = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, workNext));
}

/** Lets other work run between the steps of a long task. May throw to stop the task, so each step must be safe to repeat. */
export type Pause = () => Promise<void>;

/** SQLite's statements are synchronous, so without this nothing else would run in between. */
export const yieldToEventLoop: Pause = () => setImmediate();

/** Thrown when work exceeds its time limit. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Returns a pause that throws OutOfTime after `limitMs`. */
export function timeLimitedPause(limitMs: number): Pause {
  const endMs = performance.now() + limitMs;
  return async () => {
    if (performance.now() > endMs) throw new OutOfTime();
    await yieldToEventLoop();
  };
}

const RETRY_AFTER_MS = [1000, 2000, 4000, 8000, 15_000];

/**
 * Stores the outcome of a sent message, and retries while the database is unavailable, so that the message is not sent again.
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
