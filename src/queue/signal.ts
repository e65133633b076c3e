import { EventEmitter } from 'node:events';
import type { Database } from '../store/database.js';
import { listenPostgres } from '../store/postgres-listener.js';
import { defineQuery } from '../store/query.js';
import { QUEUES, type QueueName } from './job.js';

/** Notifies workers of new jobs at once. Polling catches lost signals. */
export interface JobSignal {
  /** Call it after the transaction that added the job. Never throws. */
  announce(queue: QueueName): void;
  /** @returns a function that stops listening */
  listen(onJob: (queue: QueueName) => void): () => void;
}

/** Within one process, for SQLite. */
export function createLocalSignal(): JobSignal {
  const emitter = new EventEmitter();
  return {
    announce: (queue) => void emitter.emit('job', queue),
    listen(onJob) {
      emitter.on('job', onJob);
      return () => void emitter.off('job', onJob);
    },
  };
}

const CHANNEL = 'agent_readiness_jobs';
const notify = defineQuery<never, { queue: string }>((sql, { queue }) =>
  sql.raw(`SELECT pg_notify('${CHANNEL}', CAST(? AS text))`, [queue]),
);

/** Between all processes on one PostgreSQL database, by NOTIFY and LISTEN. */
export function createPostgresSignal(db: Database): JobSignal {
  return {
    announce: (queue) => void db.run(notify({ queue })).catch(() => undefined),
    listen: (onJob) =>
      listenPostgres(db.url, CHANNEL, (text) => {
        const queue = QUEUES.find((name) => name === text);
        if (queue) onJob(queue);
      }),
  };
}
