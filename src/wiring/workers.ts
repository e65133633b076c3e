import { FEATURES } from '../app/features.js';
import type { Work } from '../app/work.js';
import { InputError } from '../platform/input-error.js';
import type { Role } from '../platform/role.js';
import type { JobHandler, QueueName } from '../queue/job.js';
import { createLocalSignal, createPostgresSignal, type JobSignal } from '../queue/signal.js';
import { StandingJob, type StandingJobDeps } from '../queue/standing-job.js';
import type { WorkerQueue } from '../queue/worker.js';
import type { Database } from '../store/database.js';

/** Messages cost next to nothing, but those to receivers that are down take their time: so many let the others pass. */
const DELIVERY_CONCURRENCY = 10;

/** Every queue, with what does its jobs. */
export function createQueues(work: Work & StandingJobDeps, role: Role, scanConcurrency: number): WorkerQueue[] {
  const standing = FEATURES.flatMap(({ upkeep }) => upkeep?.(work) ?? []).map(
    ([kind, everyMs, begin]) => new StandingJob(kind, everyMs, begin, work),
  );
  const handlers = FEATURES.map((feature) => feature.handlers?.(work) ?? {});
  const serve = (name: QueueName, concurrency: number): WorkerQueue => ({
    name,
    concurrency,
    handlers: Object.fromEntries(handlers.flatMap((ofFeature) => Object.entries<JobHandler>(ofFeature[name] ?? {}))),
  });
  return [
    // Where people and API calls are answered too, half of the scans at a time are left to them.
    serve('runs', role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency),
    serve('deliveries', DELIVERY_CONCURRENCY),
    serve('notices', DELIVERY_CONCURRENCY),
    serve('account-mails', DELIVERY_CONCURRENCY),
    // Each takes a thread and most of a second.
    serve('previews', 1),
    serve('messages', DELIVERY_CONCURRENCY),
    {
      name: 'upkeep',
      concurrency: standing.length,
      handlers: Object.fromEntries(standing.map((job) => [job.kind, job])),
      standing,
    },
  ];
}

/**
 * How the processes on this database tell one another of jobs.
 * @throws InputError for a role that the database does not let several processes share
 */
export function createSignal(db: Database, role: Role): JobSignal {
  if (db.dialect === 'postgres') return createPostgresSignal(db);
  if (role === 'all') return createLocalSignal(db);
  throw new InputError(
    `--role ${role} needs PostgreSQL: one process does everything on SQLite. Leave --role out, or set DATABASE_URL to postgres://…`,
  );
}
