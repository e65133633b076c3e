import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import type { Database } from '../store/database.js';
import { type ClaimedJob, type JobHandler, LEASE_MS, LeaseLost } from './job.js';
import { renewClaim } from './jobs.js';

const RENEW_EVERY_MS = LEASE_MS / 3;

/** How often a job's progress is stored. */
const REPORT_EVERY_MS = 500;

export interface PerformDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** Performs one claimed job. Never rejects: if the database cannot store the outcome, the lease expires. */
export async function performJob(job: ClaimedJob, handler: JobHandler, deps: PerformDeps): Promise<void> {
  const { kind, key } = job;
  const claim = new Claim(job, deps);
  try {
    if (job.attempts > handler.attemptsMax) throw new Error('its workers died or were too slow');
    await handler.perform(job, (progress) => claim.report(progress));
  } catch (cause) {
    if (cause instanceof LeaseLost) return;
    await handler.failed(job, cause).catch((failure: unknown) => {
      if (!(failure instanceof LeaseLost))
        deps.logger.warn({ kind, key, cause: failure }, 'could not requeue a failed job');
    });
  } finally {
    claim.end();
  }
}

/** Keeps a claim alive while the job runs, and stores its progress periodically. */
class Claim {
  #progress: object | null = null;
  #isReported = true;
  #stopTimer: () => void;
  #lastMs = -Infinity;

  constructor(
    private readonly job: ClaimedJob,
    private readonly deps: PerformDeps,
  ) {
    this.#stopTimer = this.#startTimer(RENEW_EVERY_MS);
  }

  report(progress: object): void {
    this.#progress = progress;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#stopTimer();
    this.#stopTimer = this.#startTimer(Math.max(0, this.#lastMs + REPORT_EVERY_MS - this.deps.clock.now().getTime()));
  }

  end(): void {
    this.#stopTimer();
    this.#stopTimer = () => undefined;
    this.#isReported = false;
  }

  #startTimer(delayMs: number): () => void {
    return (this.deps.startTimer ?? startNodeTimer)(() => void this.#renew(), delayMs);
  }

  async #renew(): Promise<void> {
    const now = this.deps.clock.now();
    this.#lastMs = now.getTime();
    this.#isReported = true;
    this.#stopTimer = this.#startTimer(RENEW_EVERY_MS);
    await renewClaim(this.deps.db, this.job, this.#progress, now).catch(() => undefined);
  }
}
