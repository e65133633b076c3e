import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import type { WorkSource } from './work.js';
import type { Dispatcher } from './dispatcher.js';
import { createPerformer, type Performer, type Places } from './performer.js';
import { createQueueOffers } from './queue-offers.js';
import { type QueueRunner, startQueueRunner } from './queue-runner.js';
import type { OpenQueuePool } from './queue-schema.js';
import { createSweeper, type Sweeper } from './sweeper.js';

export interface PostgresOptions {
  readonly openPool: OpenQueuePool;
  /** Of this process. */
  readonly places: Places;
  readonly logger: Logger;
  /** For tests. */
  readonly startTimer?: StartTimer;
  readonly unlockEveryMs?: number;
}

/** How long to wait for the database, or for `migrate`, before the next try. */
const RESTART_MS = 2000;

/**
 * Work that any of many processes offers and performs, over graphile-worker. A process that does not start it only offers. It never
 * migrates: it works from when `migrate` has brought the queue's tables to the schema of the code.
 */
export function createPostgresDispatcher(options: PostgresOptions): Dispatcher {
  const { openPool, places, logger, startTimer = startNodeTimer, unlockEveryMs } = options;
  const offers = createQueueOffers({ openPool, logger, startTimer });
  let performer: Performer | null = null;
  let sweeper: Sweeper | null = null;
  let runner: QueueRunner | null = null;
  let starting: Promise<void> = Promise.resolve();
  let isFailing = false;
  let isClosed = false;
  let stopTimer = (): void => undefined;

  const startLater = (sources: readonly WorkSource[]): void => {
    if (!isClosed) stopTimer = startTimer(() => (starting = startRunner(sources)), RESTART_MS);
  };

  const startRunner = async (sources: readonly WorkSource[]): Promise<void> => {
    // The one before, where there is one, goes on with what it has in hand.
    void runner?.stop();
    try {
      runner = await startQueueRunner({
        ...{ openPool, places, logger, unlockEveryMs },
        kinds: sources.map(({ kind }) => kind),
        perform: async (work) => performer?.perform(work),
        onBroken: (cause) => {
          logger.warn({ cause }, 'the queue is out of reach: it is connected to anew');
          startLater(sources);
        },
      });
      if (isFailing) logger.info({}, 'the queue is there again');
      isFailing = false;
    } catch (cause) {
      if (!isFailing) logger.error({ cause }, 'the queue cannot be used: it is tried again until it can');
      isFailing = true;
      startLater(sources);
    }
  };

  return {
    offer: (work) => offers.offer(work),
    async start(sources) {
      performer = createPerformer(sources, places, logger);
      sweeper = createSweeper({ sources, offer: (work) => offers.offer(work), logger, startTimer });
      starting = startRunner(sources);
      await Promise.all([starting, sweeper.start()]);
    },
    get isWorking() {
      return !isClosed && runner?.isRunning === true && sweeper?.isHealthy === true;
    },
    async close() {
      isClosed = true;
      stopTimer();
      await starting;
      await Promise.all([sweeper?.close(), runner?.stop()]);
      await performer?.settle();
      // What ends may offer work again: that has to reach the others.
      await offers.close();
    },
  };
}
