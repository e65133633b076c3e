import type { WorkerUtils } from 'graphile-worker';
import type { Logger } from '../platform/logging.js';
import type { StartTimer } from '../platform/timer.js';
import type { Work } from './work.js';
import { openQueue, type OpenQueuePool, type QueuePool } from './queue-schema.js';
import { endsWithin } from './within.js';
import { nameOf } from './work-queue.js';

/** Offers are sent one statement after the other; the second connection is there for one that hangs. */
const CONNECTIONS_MAX = 2;

/** How many jobs one statement adds. */
const ADDED_AT_ONCE = 500;

/** How long to wait for the database before the next try. */
const RETRY_MS = 2000;

/** What waits for a database that is away; beyond this the sweeps have to find it again. */
const WAITING_MAX = 10_000;

/** How long an end waits for the last offers. */
const CLOSE_MS = 3000;

export interface QueueOffersDeps {
  readonly openPool: OpenQueuePool;
  readonly logger: Logger;
  readonly startTimer: StartTimer;
}

/** Adds work to the queue on PostgreSQL, in the background; what cannot be added now is tried again. */
export interface QueueOffers {
  offer(work: readonly Work[]): void;
  /** Sends what waits still, if the database is there. */
  close(): Promise<void>;
}

export function createQueueOffers({ openPool, logger, startTimer }: QueueOffersDeps): QueueOffers {
  const waiting = new Map<string, Work>();
  let queue: { readonly pool: QueuePool; readonly utils: WorkerUtils } | null = null;
  let sending: Promise<void> | null = null;
  let isFailing = false;
  let isClosed = false;
  let stopTimer = (): void => undefined;

  /** A connection that has failed once is not trusted again. */
  const disconnect = async (): Promise<void> => {
    const pool = queue?.pool;
    queue = null;
    if (pool) await endsWithin(pool.end(), CLOSE_MS);
  };

  const connect = async (): Promise<WorkerUtils> => {
    if (queue) return queue.utils;
    const pool = openPool(CONNECTIONS_MAX);
    try {
      const utils = await openQueue(pool, logger);
      queue = { pool, utils };
      return utils;
    } catch (error) {
      void pool.end();
      throw error;
    }
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      // In the order of their names: two processes that add the same jobs cannot hold each other up.
      const batch = [...waiting].slice(0, ADDED_AT_ONCE).sort(([a], [b]) => (a < b ? -1 : 1));
      const utils = await connect();
      await utils.addJobs(batch.map(([, work]) => jobOf(work)));
      for (const [name, work] of batch) if (waiting.get(name) === work) waiting.delete(name);
      isFailing = false;
    }
  };

  const send = async (): Promise<void> => {
    stopTimer();
    try {
      await sendAll();
    } catch (cause) {
      if (!isFailing) logger.warn({ cause }, 'work cannot be added to the queue: it is tried again');
      isFailing = true;
      void disconnect();
      if (!isClosed) stopTimer = startTimer(() => void sendOnce(), RETRY_MS);
    }
  };
  const sendOnce = (): Promise<void> => (sending ??= send().finally(() => (sending = null)));

  return {
    offer(work) {
      if (isClosed) return;
      for (const piece of work) if (waiting.size < WAITING_MAX) waiting.set(nameOf(piece), piece);
      if (!isFailing && waiting.size > 0) void sendOnce();
    },
    async close() {
      isClosed = true;
      stopTimer();
      if (!isFailing) await endsWithin(sendOnce(), CLOSE_MS);
      await disconnect();
    },
  };
}

function jobOf(work: Work) {
  const { kind, key, notBefore, priority } = work;
  return { identifier: kind, payload: { key }, jobKey: nameOf(work), priority, runAt: notBefore };
}
