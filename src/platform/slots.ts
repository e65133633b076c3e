import { ServiceError } from './errors.js';
import { type StartTimer, startNodeTimer } from './timer.js';

/** How long work waits for a slot before it is refused. */
const WAIT_MS = 5000;

/**
 * Limits concurrent heavy work, such as scans or password hashing: a fixed number runs, some more wait briefly, the rest are
 * refused.
 */
export interface Slots {
  /**
   * Runs `work` in a slot.
   * @throws ServiceError overloaded when no slot came free in time, too many wait, or the service is stopping
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many jobs run now, and how many wait. */
  occupancy(): { readonly running: number; readonly waiting: number };
  /** From now on refuses new and waiting work; resolves when running work has ended. */
  close(): Promise<void>;
}

interface Waiting {
  admit(): void;
  refuse(): void;
}

export interface SlotsOptions {
  /** How many more may wait; by default, as many as may run. */
  readonly waitingMax?: number;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** @param concurrency how many run at a time */
export function createSlots(
  concurrency: number,
  { waitingMax = concurrency, startTimer = startNodeTimer }: SlotsOptions = {},
): Slots {
  const waiting = new Set<Waiting>();
  let runningCount = 0;
  let onIdle: (() => void) | null = null;
  let isClosed = false;

  const takeSlot = async (): Promise<void> => {
    if (isClosed || (runningCount >= concurrency && waiting.size >= waitingMax)) throw new ServiceError('overloaded');
    if (runningCount < concurrency) runningCount += 1;
    else await waitForSlot(waiting, startTimer);
  };
  // A freed slot passes to the job that has waited longest; the count stays the same.
  const freeSlot = (): void => {
    const [next] = waiting;
    if (next) {
      next.admit();
      return;
    }
    runningCount -= 1;
    if (runningCount === 0) onIdle?.();
  };

  return {
    async run(work) {
      await takeSlot();
      try {
        return await work();
      } finally {
        freeSlot();
      }
    },
    occupancy: () => ({ running: runningCount, waiting: waiting.size }),
    async close() {
      isClosed = true;
      for (const one of waiting) one.refuse();
      if (runningCount > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

async function waitForSlot(waiting: Set<Waiting>, startTimer: StartTimer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(one);
      stopTimer();
    };
    const one: Waiting = {
      admit: () => {
        leave();
        resolve();
      },
      refuse: () => {
        leave();
        reject(new ServiceError('overloaded'));
      },
    };
    const stopTimer = startTimer(one.refuse, WAIT_MS);
    waiting.add(one);
  });
}
