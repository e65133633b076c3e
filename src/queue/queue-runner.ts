import { EventEmitter } from 'node:events';
import { runTaskList, type WorkerEvents, type WorkerPool, type WorkerPoolOptions } from 'graphile-worker';
import type { Logger } from '../platform/logging.js';
import type { WorkKind } from './work.js';
import { graphileLogger } from './graphile-logger.js';
import { InHand } from './in-hand.js';
import type { Places, WorkName } from './performer.js';
import { openQueue, type OpenQueuePool, QUEUE_SCHEMA } from './queue-schema.js';
import { endsWithin } from './within.js';

/** What takes jobs up and strikes them off, which takes a millisecond each; for each kind one more listens for new ones. */
const WORKING_CONNECTIONS_MAX = 2;

/** Jobs that come due later are not announced, so each of the idle workers looks now and then: in all, ten times a second at most. */
const POLL_MS_MIN = 2000;
const POLLS_PER_SECOND_MAX = 10;

/** How long, once nothing is in hand any more, graphile-worker may take to strike off its last jobs. */
const STOP_MS = 3000;

/** What says that this pool of workers cannot be relied on any more. */
const BREAKS = ['worker:getJob:error', 'worker:fatalError', 'pool:fatalError', 'pool:gracefulShutdown'] as const;

export interface QueueRunnerDeps {
  readonly openPool: OpenQueuePool;
  readonly kinds: readonly WorkKind[];
  /** Never rejects. */
  readonly perform: (work: WorkName) => Promise<void>;
  readonly places: Places;
  readonly logger: Logger;
  /** Called once when it cannot be relied on any more, though nobody has stopped it: it is to be stopped, and another started. */
  readonly onBroken: (cause: unknown) => void;
  /** For tests: how often jobs are unlocked that somebody has had in hand for 4 hours. By default every 8 to 10 minutes. */
  readonly unlockEveryMs?: number | undefined;
}

export interface QueueRunner {
  readonly isRunning: boolean;
  /** Takes up no more jobs; resolves when those in hand have ended. */
  stop(): Promise<void>;
}

/**
 * Takes jobs from graphile-worker's queue. It is to be replaced at the first sign of a fault, since 0.17.3 does not heal from all of
 * them: the ids of the tasks that could not be read at start are never read again, and a job that could not be struck off shuts the whole pool
 * down, for ever where another follows.
 * @throws QueueSchemaBehind; what the database's driver throws when it is away
 */
export async function startQueueRunner(deps: QueueRunnerDeps): Promise<QueueRunner> {
  const { openPool, kinds, logger, onBroken } = deps;
  const pgPool = openPool(kinds.length + WORKING_CONNECTIONS_MAX);
  const queue = await openQueue(pgPool, logger).catch((error: unknown) => {
    void pgPool.end();
    throw error;
  });
  const inHand = new InHand();
  let state: 'running' | 'broken' | 'stopped' = 'running';
  let stopped: Promise<void> | null = null;
  const events = new EventEmitter() as WorkerEvents;
  // Not `run`, which would migrate, and look after a crontab beside the jobs. One pool for each kind, since jobs of a kind that
  // wait for a place would take up all workers of a common one.
  const pools = kinds.map((kind) => {
    const perform = (payload: unknown) => inHand.add(deps.perform({ kind, key: (payload as { key: string }).key }));
    return runTaskList(optionsOf(deps, kind, events), { [kind]: perform }, pgPool);
  });
  for (const { promise } of pools) promise.catch(() => undefined);
  // Jobs that were offered anew while a worker that died had them in hand: once unlocked, they only take up room.
  events.on('resetLocked:success', () => {
    if (state === 'running') queue.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] }).catch(() => undefined);
  });

  const shuttingDown = new Set<WorkerPool>();
  events.on('pool:gracefulShutdown', ({ workerPool }) => shuttingDown.add(workerPool));
  const stop = async (): Promise<void> => {
    for (const pool of pools) {
      if (!shuttingDown.has(pool)) void Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
    }
    await inHand.settle();
    await endsWithin(Promise.all(pools.map(({ promise }) => promise)), STOP_MS);
    await endsWithin(pgPool.end(), STOP_MS);
  };
  for (const name of BREAKS) {
    events.on(name, (event: object) => {
      if (state !== 'running') return;
      state = 'broken';
      onBroken('error' in event ? event.error : new Error(name));
    });
  }
  return {
    get isRunning() {
      return state === 'running';
    },
    stop() {
      state = 'stopped';
      return (stopped ??= stop());
    },
  };
}

function optionsOf(
  { places, logger, unlockEveryMs }: QueueRunnerDeps,
  kind: WorkKind,
  events: WorkerEvents,
): WorkerPoolOptions {
  const concurrency = places[kind];
  return {
    ...{ schema: QUEUE_SCHEMA, concurrency, events, noHandleSignals: true, logger: graphileLogger(logger) },
    pollInterval: Math.max(POLL_MS_MIN, (concurrency * 1000) / POLLS_PER_SECOND_MAX),
    // Who takes a job up looks at its own clock once more: a job that came too early by it would be lost.
    useNodeTime: true,
    // Not -1, their default: nobody would await the statement that strikes a job off, and its rejection would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    ...(unlockEveryMs !== undefined && {
      minResetLockedInterval: unlockEveryMs,
      maxResetLockedInterval: unlockEveryMs,
    }),
  };
}
