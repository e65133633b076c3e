import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import type { WorkKind } from './work.js';
import type { Dispatcher } from './dispatcher.js';
import { createPerformer, type Performer, type Places } from './performer.js';
import { createSweeper, type Sweeper } from './sweeper.js';
import { WorkQueue } from './work-queue.js';

export interface InProcessOptions {
  readonly places: Places;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** Node's timers take 24 days at most; a look in between does no harm. */
const TIMER_MS_MAX = 3_600_000;

/** Work that one process offers and performs itself: for SQLite. What waits in memory and is lost with it, the sweep finds. */
export function createInProcessDispatcher(options: InProcessOptions): Dispatcher {
  const { places, logger, clock, startTimer = startNodeTimer } = options;
  const queues: Readonly<Record<WorkKind, WorkQueue>> = { run: new WorkQueue(), delivery: new WorkQueue() };
  let performer: Performer | null = null;
  let sweeper: Sweeper | null = null;
  let isClosed = false;
  let stopTimer = (): void => undefined;

  /** @returns when there is more to do of the kind, in milliseconds since 1970 */
  const performDueOf = (kind: WorkKind, performer: Performer): number => {
    while (!performer.isBusy(kind)) {
      const work = queues[kind].take(clock.now());
      if (!work) return queues[kind].nextDue?.getTime() ?? Infinity;
      void performer.perform(work).then(performDue);
    }
    // While all its places are taken, the end of a piece looks for the next one.
    return Infinity;
  };

  const performDue = (): void => {
    if (!performer || isClosed) return;
    const nextMs = Math.min(performDueOf('run', performer), performDueOf('delivery', performer));
    stopTimer();
    if (nextMs === Infinity) return;
    const delayMs = nextMs - clock.now().getTime();
    stopTimer = startTimer(performDue, Math.min(Math.max(delayMs, 0), TIMER_MS_MAX));
  };

  const offer: Dispatcher['offer'] = (work) => {
    if (isClosed) return;
    for (const piece of work) queues[piece.kind].add(piece);
    performDue();
  };

  return {
    offer,
    async start(sources) {
      performer = createPerformer(sources, places, logger);
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
