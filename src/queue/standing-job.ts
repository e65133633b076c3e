import { type Clock, timeAfter } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Database } from '../store/database.js';
import type { ClaimedJob, JobHandler, NewJob } from './job.js';
import { retryJob } from './jobs.js';
import { type Steps, workOff } from './steps.js';

/** After this time a standing job puts itself back, due at once, so that it never delays the end of the process. */
const WORK_FOR_MS = 1000;

/** Delay after a failure. */
const RETRY_AFTER_MS = 10_000;

export interface StandingJobDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For tests. */
  readonly workForMs?: number;
}

/** Recurring upkeep: one process at a time does it, in short steps. */
export class StandingJob implements JobHandler {
  readonly attemptsMax = Infinity;

  constructor(
    readonly kind: string,
    private readonly everyMs: number,
    private readonly begin: () => Steps,
    private readonly deps: StandingJobDeps,
  ) {}

  /** The job, due at once. */
  first(now: Date): NewJob {
    return { queue: 'upkeep', kind: this.kind, key: '', accountId: null, siteId: null, runAfter: now };
  }

  async perform(job: ClaimedJob): Promise<void> {
    const isDone = await workOff(this.begin(), this.deps.workForMs ?? WORK_FOR_MS);
    await this.#putBack(job, isDone ? this.everyMs : 0);
  }

  async failed(job: ClaimedJob, cause: unknown): Promise<void> {
    this.deps.logger.warn({ kind: this.kind, cause }, 'database upkeep failed, retrying');
    await this.#putBack(job, RETRY_AFTER_MS);
  }

  async #putBack(job: ClaimedJob, afterMs: number): Promise<void> {
    const { db, clock } = this.deps;
    const runAfter = timeAfter(clock.now(), afterMs);
    await db.transaction(() => retryJob(job, { runAfter, attempts: 0 }));
  }
}
