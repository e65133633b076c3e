import type { Test } from 'tap';
import type { Dispatcher } from '../../src/queue/dispatcher.js';
import { createInProcessDispatcher } from '../../src/queue/in-process.js';
import type { Places } from '../../src/queue/performer.js';
import { createPostgresDispatcher } from '../../src/queue/postgres.js';
import type { OpenQueuePool } from '../../src/queue/queue-schema.js';
import { createLogger } from '../../src/platform/logging.js';
import type { StartTimer } from '../../src/platform/timer.js';
import type { Work } from '../../src/queue/work.js';
import { openQueuePool } from '../../src/queue/queue-pool.js';
import type { TestEngine } from './databases.js';

interface DispatcherOptions {
  /** Of each kind. */
  readonly concurrency?: number;
  readonly startTimer?: StartTimer;
  readonly unlockEveryMs?: number;
}

/** Dispatchers of one queue, as a suite that runs on both kinds sees them. */
export interface TestDispatchers {
  /** Closed after the test. */
  create(options?: DispatcherOptions): Dispatcher;
  /** Resolves once the work has come where it waits: offered by another process where there can be several. */
  offer(to: Dispatcher, ...work: Work[]): Promise<void>;
}

/** Logs nothing: what a dispatcher bears is not worth a line in the tests' output. */
export const SILENT = createLogger('silent');

export async function openDispatchers(t: Test, engine: TestEngine): Promise<TestDispatchers> {
  if (engine.name === 'postgres') {
    return dispatchersOn(t, await engine.newMigratedUrl(t));
  }
  return {
    create({ concurrency = 4, ...options } = {}) {
      const dispatcher = createInProcessDispatcher({
        ...{
          places: placesOf(concurrency),
          logger: SILENT,
          clock: { now: () => new Date() },
          startTimer: startBusyTimer,
        },
        ...options,
      });
      t.teardown(() => dispatcher.close());
      return dispatcher;
    },
    async offer(to, ...work) {
      to.offer(work);
    },
  };
}

/** A timer that holds the process up: where a test waits for it, there may be nothing else. */
const startBusyTimer: StartTimer = (action, delayMs) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

/** Those of a database of PostgreSQL, which may be out of reach or lack the queue's schema. */
export function dispatchersOn(t: Test, url: string): TestDispatchers {
  return {
    create({ concurrency = 4, ...options } = {}) {
      const dispatcher = createPostgresDispatcher({
        ...{ places: placesOf(concurrency), logger: SILENT, openPool: poolOf(url) },
        ...options,
      });
      t.teardown(() => dispatcher.close());
      return dispatcher;
    },
    async offer(_to, ...work) {
      const elsewhere = createPostgresDispatcher({ places: placesOf(1), logger: SILENT, openPool: poolOf(url) });
      elsewhere.offer(work);
      await elsewhere.close();
    },
  };
}

function placesOf(concurrency: number): Places {
  return { run: concurrency, delivery: concurrency };
}

export function poolOf(url: string): OpenQueuePool {
  return (connectionsMax) => openQueuePool(url, { connectionsMax });
}
