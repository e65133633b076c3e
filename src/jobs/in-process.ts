import type { Clock } from '../domain/clock.js';
import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../service/timer.js';
import type { Dispatcher } from './dispatcher.js';
import { createPerformer, type Performer } from './performer.js';
import { createSweeper, type Sweeper } from './sweeper.js';
import { WorkQueue } from './work-queue.js';

export interface InProcessOptions {
  /** How much is performed at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** Node's timers take 24 days at most; a look in between does no harm. */
const TIMER_MS_MAX = 3_600_000;

/** Work that one process offers and performs itself: for SQLite. What waits in memory and is lost with it, the sweep finds. */
export function createInProcessDispatcher(options: InProcessOptions): Dispatcher {
  const { concurrency, logger, clock, startTimer = startNodeTimer } = options;
  const queue = new WorkQueue();
  let performer: Performer | null = null;
  let sweeper: Sweeper | null = null;
  let isClosed = false;
  let stopTimer = (): void => undefined;

  const performDue = (): void => {
    if (!performer || isClosed) return;
    while (!performer.isBusy) {
      const work = queue.take(clock.now());
      if (!work) break;
      void performer.perform(work).then(performDue);
    }
    stopTimer();
    const next = queue.nextDue;
    // While all places are taken, the end of a piece looks for the next one.
    if (!next || performer.isBusy) return;
    const delayMs = next.getTime() - clock.now().getTime();
    stopTimer = startTimer(performDue, Math.min(Math.max(delayMs, 0), TIMER_MS_MAX));
  };

  const offer: Dispatcher['offer'] = (work) => {
    if (isClosed) return;
    for (const piece of work) queue.add(piece);
    performDue();
  };

  return {
    offer,
    async start(sources) {
      performer = createPerformer(sources, concurrency, logger);
      sweeper = createSweeper({ sources, offer, logger, startTimer });
      performDue();
      await sweeper.start();
    },
    get isWorking() {
      return !isClosed && sweeper?.isHealthy === true;
    },
    async close() {
      isClosed = true;
      stopTimer();
      await sweeper?.close();
      await performer?.settle();
    },
  };
}
