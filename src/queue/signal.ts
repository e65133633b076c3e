import type { Database } from '../store/database.js';
import { listenPostgres } from '../store/postgres-listener.js';
import { defineQuery } from '../store/query.js';
import { added } from './announce.js';
import { QUEUES, type QueueName } from './job.js';

/** Notifies workers of new jobs at once. Only a hint, for speed: polling catches lost signals. */
export interface JobSignal {
  /** @returns a function that stops listening */
  listen(onJob: (queue: QueueName) => void): () => void;
}

/** Within one process, for SQLite. */
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

/** Between all processes on one PostgreSQL database, by NOTIFY and LISTEN. From now on tells the others what this one adds. */
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
