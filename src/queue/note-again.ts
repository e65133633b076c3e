import { ServiceError } from '../platform/errors.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';

const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000];

/**
 * Repeats the note of what was sent while the database is away: it is not to be sent again only for that.
 * @throws what the last try threw
 */
export async function noteAgain<T>(note: () => Promise<T>, startTimer: StartTimer = startNodeTimer): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await note();
    } catch (error) {
      const pauseMs = PAUSES_MS[tries];
      if (pauseMs === undefined || !(error instanceof ServiceError && error.code === 'overloaded')) throw error;
      await new Promise<void>((resolve) => startTimer(resolve, pauseMs));
    }
  }
}
