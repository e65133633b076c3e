import { EventEmitter } from 'node:events';
import type { Database, Hook, Tx } from '../store/database.js';
import { listenPostgres } from '../store/postgres.js';
import { defineQuery } from '../store/query.js';

/**
 * Each queue is a pool of workers with its own concurrency, so that a slow receiver delays neither a scan nor the mail with which
 * somebody signs in.
 */
export const QUEUES = ['runs', 'rechecks', 'deliveries', 'account-mails', 'upkeep'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Notifies workers of new jobs at once. Only a hint, for speed: polling catches lost signals. */
export interface JobSignal {
  /** @returns a function that stops listening */
  listen(onJob: (queue: QueueName) => void): () => void;
}

/** Emits the queues that got a job from this process, by the URL of their database. */
const added = new EventEmitter().setMaxListeners(0);

/** One hook for each queue: a transaction calls the same hook once. */
const HOOKS = Object.fromEntries(
  QUEUES.map((queue): [string, Hook] => [queue, ({ url }) => void added.emit(url, queue)]),
) as Readonly<Record<QueueName, Hook>>;

/** Notifies the workers of new jobs once the transaction has committed. */
export function announceJobs(tx: Tx, queue: QueueName): void {
  tx.afterCommit(HOOKS[queue]);
}

/** Notifies within one process, for SQLite. */
export function createLocalSignal({ url }: Pick<Database, 'url'>): JobSignal {
  return {
    listen(onJob) {
      added.on(url, onJob);
      return () => void added.off(url, onJob);
    },
  };
}

const CHANNEL = 'agent_readiness_jobs';
const notify = defineQuery<never, { queue: string }>((sql, { queue }) =>
  sql.raw(`SELECT pg_notify('${CHANNEL}', CAST(? AS text))`, [queue]),
);

/** Notifies all processes on one PostgreSQL database, by NOTIFY and LISTEN. From now on sends what this process adds. */
export function createPostgresSignal(db: Database): JobSignal {
  createLocalSignal(db).listen((queue) => void db.run(notify({ queue })).catch(() => undefined));
  return {
    listen: (onJob) =>
      listenPostgres(db.url, CHANNEL, (text) => {
        const queue = QUEUES.find((name) => name === text);
        if (queue) onJob(queue);
      }),
  };
}
