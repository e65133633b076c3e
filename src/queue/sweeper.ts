import type { Logger } from '../platform/logging.js';
import type { StartTimer } from '../platform/timer.js';
import { type OfferWork, SWEEP_EVERY_MS, type WorkSource } from './work.js';

/** The pause varies by this part of it, up and down, so that the workers do not all sweep at once. */
const JITTER = 0.1;

/** After a sweep that failed: a process that answers requests too is not ready again before one went well. */
const TRY_AGAIN_MS = 2000;

export interface SweeperDeps {
  readonly sources: readonly WorkSource[];
  readonly offer: OfferWork;
  readonly logger: Logger;
  readonly startTimer: StartTimer;
}

/** Has every source sweep at start and every {@link SWEEP_EVERY_MS}, and offers what they find. Never two sweeps at once. */
export interface Sweeper {
  /** Resolves after the first sweep, whether it went well or not. */
  start(): Promise<void>;
  /** Whether the last sweep went well; false before the first. */
  readonly isHealthy: boolean;
  /** No further sweep; resolves when the one that runs has ended. */
  close(): Promise<void>;
}

export function createSweeper({ sources, offer, logger, startTimer }: SweeperDeps): Sweeper {
  let isHealthy: boolean | null = null;
  let isClosed = false;
  let sweeping: Promise<void> = Promise.resolve();
  let stopTimer = (): void => undefined;

  const sweepOne = async (source: WorkSource): Promise<boolean> => {
    try {
      offer(await source.sweep());
      return true;
    } catch (cause) {
      // One line when it begins to fail, not one for each sweep of a night without a database.
      if (isHealthy !== false)
        logger.warn({ kind: source.kind, cause }, 'a sweep failed: lost work waits for the next');
      return false;
    }
  };

  const sweep = async (): Promise<void> => {
    const outcomes = await Promise.all(sources.map(sweepOne));
    const isWell = outcomes.every(Boolean);
    if (isWell && isHealthy === false) logger.info({}, 'sweeps go well again');
    isHealthy = isWell;
    const pauseMs = jittered(isWell ? SWEEP_EVERY_MS : TRY_AGAIN_MS);
    if (!isClosed) stopTimer = startTimer(() => (sweeping = sweep()), pauseMs);
  };

  return {
    start: () => (sweeping = sweep()),
    get isHealthy() {
      return isHealthy === true;
    },
    async close() {
      isClosed = true;
      stopTimer();
      await sweeping;
    },
  };
}

function jittered(ms: number): number {
  return ms * (1 - JITTER + 2 * JITTER * Math.random());
}
