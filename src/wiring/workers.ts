import { ACCOUNT_MAIL } from '../app/accounts/mails.js';
import { PLAN_EVERY_MS, type PlannerContext, planSchedules } from '../app/automation/schedule-planner.js';
import { CLEAN_UP_EVERY_MS, cleanUp } from '../app/cleanups.js';
import { ERASE_EVERY_MS, eraseLeftovers } from '../app/data/removal.js';
import { EVIDENCE_LIMIT_EVERY_MS, EvidenceLimit } from '../app/evidence/evidence-limit.js';
import { QUEUED_TRIGGERS } from '../app/runs/run.js';
import { RunHandler, type RunHandlerContext } from '../app/runs/run-handler.js';
import { type RecheckContext, RecheckHandler } from '../app/triage/rechecks.js';
import { RECHECK_EVERY_MS, type ProofContext, recheckOwnership } from '../app/sites/ownership-recheck.js';
import type { Pause } from '../platform/concurrency.js';
import { InputError } from '../platform/input-error.js';
import type { Role } from '../platform/lifecycle.js';
import { recurringJob } from '../queue/recurring-job.js';
import { createLocalSignal, createPostgresSignal, type JobSignal } from '../queue/signal.js';
import type { JobHandler, WorkerContext, WorkerQueue } from '../queue/worker.js';
import type { Database } from '../store/database.js';

/** Messages cost next to nothing, but some receivers are slow: enough slots let the others pass. */
const DELIVERY_CONCURRENCY = 10;

/** What background work is done with. */
export interface Work extends RunHandlerContext, ProofContext, PlannerContext, RecheckContext {
  readonly deliveryHandlers: Readonly<Record<'WEBHOOK' | 'MAIL', JobHandler>>;
  readonly accountMailHandler: JobHandler;
  readonly evidenceDays: number;
}

type Perform = (pause: Pause) => Promise<void>;

/** Returns every queue with its handlers. */
export function createQueues(work: Work & WorkerContext, role: Role, scanConcurrency: number): WorkerQueue[] {
  const runs = QUEUED_TRIGGERS.map((trigger) => [trigger, new RunHandler(trigger, work)] as const);
  const upkeep = upkeepOf(work).map(
    ([kind, everyMs, perform]) => [kind, recurringJob(everyMs, perform, work)] as const,
  );
  return [
    {
      name: 'runs',
      // A process that also answers requests leaves half of the scans to them.
      concurrency: role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency,
      handlers: Object.fromEntries(runs),
    },
    // Their owners wait for them, so they do not queue behind runs.
    { name: 'rechecks', concurrency: scanConcurrency, handlers: { RECHECK: new RecheckHandler(work) } },
    { name: 'deliveries', concurrency: DELIVERY_CONCURRENCY, handlers: work.deliveryHandlers },
    {
      name: 'account-mails',
      concurrency: DELIVERY_CONCURRENCY,
      handlers: { [ACCOUNT_MAIL]: work.accountMailHandler },
    },
    { name: 'upkeep', concurrency: upkeep.length, handlers: Object.fromEntries(upkeep), isRecurring: true },
  ];
}

/** Work that repeats for ever: the kind of its job, the time between two rounds, and one round. */
function upkeepOf(work: Work): readonly (readonly [kind: string, everyMs: number, perform: Perform])[] {
  const { db, clock, evidenceDays } = work;
  const evidence = new EvidenceLimit(db);
  return [
    ['OWNERSHIP', RECHECK_EVERY_MS, (pause) => recheckOwnership(work, pause)],
    ['EVIDENCE', EVIDENCE_LIMIT_EVERY_MS, (pause) => evidence.enforce(pause)],
    ['SCHEDULES', PLAN_EVERY_MS, (pause) => planSchedules(work, pause)],
    ['ERASURE', ERASE_EVERY_MS, (pause) => eraseLeftovers(db, pause)],
    ['CLEANUP', CLEAN_UP_EVERY_MS, (pause) => cleanUp(db, clock.now(), evidenceDays, pause)],
  ];
}

/**
 * Returns job notifications between the processes on this database.
 * @throws InputError for a role that the database does not let several processes share
 */
export function createSignal(db: Database, role: Role): JobSignal {
  if (db.dialect === 'postgres') return createPostgresSignal(db);
  if (role === 'all') return createLocalSignal(db);
  throw new InputError(
    `--role ${role} needs PostgreSQL: one process does everything on SQLite. Leave --role out, or set DATABASE_URL to postgres://…`,
  );
}
