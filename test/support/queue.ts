import { createRunHandler } from '../../src/app/runs/queued-runs.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import type { OwnSite } from '../../src/app/sites/site.js';
import { createRecheckHandler, listRechecks, startRecheck } from '../../src/app/triage/rechecks.js';
import type { Clock, StartTimer } from '../../src/platform/clock.js';
import { createLogger } from '../../src/platform/logging.js';
import { Slots } from '../../src/platform/slots.js';
import { claimDue, type Job, onJobsAdded, type QueueName } from '../../src/queue/jobs.js';
import { performJob, type WorkerQueue } from '../../src/queue/worker.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery, type Row } from '../../src/store/query.js';
import { updateRows } from './tables.js';

interface TestWorkerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly startTimer?: StartTimer;
}

/** Timers that never fire, so that no claim is renewed. */
const NO_TIMERS: StartTimer = () => () => undefined;

/** Claims and performs jobs when a test says so, or at once when they are announced. Two workers on a database act as two processes. */
export class TestWorker {
  readonly #inHand = new Set<Promise<unknown>>();

  constructor(
    private readonly queues: readonly WorkerQueue[],
    private readonly deps: TestWorkerDeps,
  ) {}

  /** Performs jobs as soon as they are announced from now on. */
  listen(): this {
    for (const { name } of this.queues) {
      onJobsAdded(this.deps.db, name, () => {
        const done: Promise<unknown> = this.performDue().finally(() => this.#inHand.delete(done));
        this.#inHand.add(done);
      });
    }
    return this;
  }

  /** Resolves when all announced jobs are done. */
  async settle(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand);
  }

  /** Claims up to `limit` jobs of each queue that are due now, longest due first. */
  async claim(limit = 100): Promise<Job[]> {
    const { db, clock } = this.deps;
    const claimed = await Promise.all(this.queues.map(({ name }) => claimAll(db, name, clock.now(), limit)));
    return claimed.flat();
  }

  async perform(job: Job): Promise<void> {
    const handler = this.queues.map(({ handlers }) => handlers[job.kind]).find((candidate) => candidate !== undefined);
    if (!handler) throw new Error(`no handler does ${job.kind}`);
    const { startTimer = NO_TIMERS, ...deps } = this.deps;
    await performJob(job, handler, { ...deps, startTimer, logger: createLogger('silent') });
  }

  /** Claims due jobs and performs them concurrently. @returns how many */
  async performDue(limit?: number): Promise<number> {
    const jobs = await this.claim(limit);
    await Promise.all(jobs.map((job) => this.perform(job)));
    return jobs.length;
  }

  /** Performs jobs one by one, longest due first, until none is due. */
  async performAll(): Promise<void> {
    while ((await this.performDue(1)) > 0);
  }
}

/** Claims up to `limit` jobs of a queue that are due now, longest due first. */
export async function claimAll(db: Database, queue: QueueName, now: Date, limit = 100): Promise<Job[]> {
  const claimed: Job[] = [];
  while (claimed.length < limit) {
    const job = await claimDue(db, queue, now);
    if (!job) break;
    claimed.push(job);
  }
  return claimed;
}

export function createRunWorker({
  db,
  clock,
  scan,
  slots = new Slots(10),
  ...options
}: TestWorkerDeps & { readonly scan: Scanner; readonly slots?: Slots }) {
  const heard: string[] = [];
  const performRun = createRunPerformer({ db, clock, scan, slots });
  const observer = {
    retried: ({ trigger }: { readonly trigger: string }) => void heard.push(`${trigger} retried`),
    abandoned: ({ trigger }: { readonly trigger: string }) => void heard.push(`${trigger} given up`),
  };
  const worker = new TestWorker([runQueue({ db, clock, performRun, observer })], { db, clock, ...options });
  return Object.assign(worker, { heard });
}

export function runQueue(deps: Parameters<typeof createRunHandler>[1]): WorkerQueue {
  const triggers = ['MANUAL', 'SCHEDULED', 'POST_DEPLOY'] as const;
  const handlers = Object.fromEntries(triggers.map((trigger) => [trigger, createRunHandler(trigger, deps)]));
  return { name: 'runs', concurrency: 10, handlers };
}

const selectJobs = defineQuery<Row<'jobs'>, { queue: string }>((sql, { queue }) =>
  sql('jobs').where({ queue }).orderBy(['run_after', 'key']),
);

/** The jobs of a queue, longest due first. */
export async function jobsOf(db: Database, queue = 'runs'): Promise<readonly Row<'jobs'>[]> {
  return db.run(selectJobs({ queue }));
}

/** Rechecks with a worker that performs them at once. `settle` resolves when none is running; `performDue` performs those that waited. */
export function createRechecks(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  readonly slots?: Slots;
  readonly onFailure?: (error: unknown) => void;
}) {
  const handler = createRecheckHandler({ slots: new Slots(20), onFailure: () => undefined, ...deps });
  const queue = { name: 'rechecks', concurrency: 10, handlers: { RECHECK: handler } } as const;
  const worker = new TestWorker([queue], deps).listen();
  return {
    start: (site: OwnSite, checkId: string) => startRecheck(deps, site, checkId),
    list: (site: OwnSite) => listRechecks(deps.db, site),
    settle: () => worker.settle(),
    performDue: () => worker.performDue(),
  };
}

export async function makeSchedulesDue(db: Database): Promise<void> {
  await updateRows(db, 'schedules', {}, { next_run_at: '2020-01-01T00:00:00.000Z' });
}
