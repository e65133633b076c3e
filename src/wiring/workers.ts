import { planSchedules, PLAN_EVERY_MS } from '../app/automation/schedule-planner.js';
import { LINK_EVENTS_EVERY_MS, type ObserveLinkedEvents, sweepEvents } from '../app/audit/audit-chain.js';
import { BOUND_EVERY_MS, EvidenceBound } from '../app/evidence/evidence-bound.js';
import type { DeliveryHandler } from '../app/alerts/delivery-handler.js';
import { ERASE_EVERY_MS, eraseLeftovers } from '../app/data/erasure.js';
import { CLEAN_UP_EVERY_MS, keepHouse } from '../app/data/housekeeping.js';
import { FEATURES } from '../app/features.js';
import type { ObserveBrokenChain } from '../app/runs/chain.js';
import { ChainSweep, LINK_EVERY_MS } from '../app/runs/chain-sweep.js';
import { RECHECK_EVERY_MS, type RecheckDeps, recheckOwnership } from '../app/sites/ownership-recheck.js';
import { RunHandler, type RunHandlerDeps } from '../app/runs/run-handler.js';
import { InputError } from '../platform/input-error.js';
import type { Role } from '../platform/role.js';
import { createLocalSignal, createPostgresSignal, type JobSignal } from '../queue/signal.js';
import { StandingJob } from '../queue/standing-job.js';
import type { WorkerQueue } from '../queue/worker.js';
import type { Database } from '../store/database.js';

/** Messages cost next to nothing, but those to receivers that are down take their time: so many let the others pass. */
const DELIVERY_CONCURRENCY = 10;

export interface QueuesDeps extends RunHandlerDeps, RecheckDeps {
  readonly db: Database;
  readonly deliveryHandlers: Readonly<Record<'WEBHOOK' | 'MAIL', DeliveryHandler>>;
  readonly onBrokenChain: ObserveBrokenChain;
  readonly onLinkedEvents: ObserveLinkedEvents;
  /** How long what findings rest on is kept. */
  readonly evidenceDays: number;
}

/** Every queue, with what does its jobs. */
export function createQueues(deps: QueuesDeps, role: Role, scanConcurrency: number): WorkerQueue[] {
  const { db, clock, evidenceDays, deliveryHandlers } = deps;
  const chains = new ChainSweep(db, deps.onBrokenChain);
  const evidence = new EvidenceBound(db);
  const standing = [
    new StandingJob('SCHEDULES', PLAN_EVERY_MS, () => planSchedules(deps), deps),
    new StandingJob('OWNERSHIP', RECHECK_EVERY_MS, () => recheckOwnership(deps), deps),
    new StandingJob('ERASURE', ERASE_EVERY_MS, () => eraseLeftovers(db, FEATURES), deps),
    new StandingJob('CHAINS', LINK_EVERY_MS, () => chains.begin(), deps),
    new StandingJob('EVENTS', LINK_EVENTS_EVERY_MS, () => sweepEvents(db, clock, deps.onLinkedEvents), deps),
    new StandingJob('EVIDENCE', BOUND_EVERY_MS, () => evidence.begin(), deps),
    new StandingJob(
      'CLEANUP',
      CLEAN_UP_EVERY_MS,
      () => keepHouse(db, clock.now(), { features: FEATURES, evidenceDays }),
      deps,
    ),
  ];
  return [
    {
      name: 'runs',
      // Where people and API calls are answered too, half of the scans at a time are left to them.
      concurrency: role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency,
      handlers: {
        MANUAL: new RunHandler('MANUAL', deps),
        SCHEDULED: new RunHandler('SCHEDULED', deps),
        POST_DEPLOY: new RunHandler('POST_DEPLOY', deps),
      },
    },
    { name: 'deliveries', concurrency: DELIVERY_CONCURRENCY, handlers: deliveryHandlers },
    { name: 'notices', concurrency: DELIVERY_CONCURRENCY, handlers: { MAIL: deliveryHandlers.MAIL } },
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
