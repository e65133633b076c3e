import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { isNeverSent } from '../../store/errors.js';

const RETRY_EVERY_MS = 5000;

/** Gives back what was consumed at admission, such as a request of the month. One for the whole process. */
export function createRefunds(startTimer: StartTimer = startNodeTimer) {
  const pending = new Set<() => Promise<unknown>>();
  let isScheduled = false;

  const make = async <T>(refund: () => Promise<T>): Promise<T | undefined> => {
    pending.delete(refund);
    try {
      return await refund();
    } catch (error) {
      // If its outcome is unknown, it is not repeated: a second refund would admit more than the limit.
      if (isNeverSent(error)) pending.add(refund);
      retryLater();
      return undefined;
    }
  };
  const retryAll = async (): Promise<void> => {
    for (const refund of [...pending]) {
      await make(refund);
      // The database is still away, and each try would take its time limit.
      if (pending.has(refund)) return;
    }
  };
  const retryLater = (): void => {
    if (isScheduled || pending.size === 0) return;
    isScheduled = true;
    startTimer(() => {
      isScheduled = false;
      void retryAll();
    }, RETRY_EVERY_MS);
  };

  return {
    /**
     * Makes the refund. Never rejects: while the database is away, which is the reason for most refunds, it is retried in the background.
     * @returns undefined if it could not be made yet
     */
    make,
    /** Retries pending refunds once: for the end of the process. */
    settle: retryAll,
  };
}

export type Refunds = ReturnType<typeof createRefunds>;
