import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../platform/clock.js';
import { FairShare } from '../platform/fair-share.js';
import type { Logger } from '../platform/logging.js';
import { Pending } from '../platform/concurrency.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import type { Database } from '../store/database.js';
import { addJobs, claimDue, type Excluded, type Job, LEASE_MS, LeaseLost, renewClaim } from './jobs.js';
import type { JobSignal, QueueName } from './signal.js';

/** Performs the jobs of one kind. */
export interface JobHandler {
  /** A job that was claimed more often goes to {@link failed} without another attempt: its workers died. */
  readonly attemptsMax: number;
  /**
   * Does the work and ends the job in the transaction that stores the result, by `finishJob` or `retryJob`.
   * @param report publishes progress for observers, as JSON
   */
  perform(job: Job, report: (progress: object) => void): Promise<void>;
  /** Decides what follows a rejected {@link perform}: another attempt, or the end. */
  failed(job: Job, cause: unknown): Promise<void>;
}

/** One queue as this process serves it. */
export interface WorkerQueue {
  readonly name: QueueName;
  /** How many of its jobs run at a time, shared fairly between the accounts. */
  readonly concurrency: number;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** True if each handler has one job, which is added if missing and always returns to the queue. */
  readonly isRecurring?: boolean;
}

export interface WorkerContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** How often to poll the database for jobs without a signal: newly due ones, and those of dead workers. */
const POLL_EVERY_MS = 1000;

/** After this many claims other work of the process runs, such as a stop signal. */
const CLAIMS_AT_ONCE = 50;

/** A round ends after this many accounts and kinds, so that claims stay cheap. */
const ROUND_MAX = 100;

/** Claims and performs jobs, as many at a time as each queue allows. */
export class Worker {
  readonly #queues: readonly QueueWorker[];
  #stopTimer: () => void = () => undefined;
  #stopListening: () => void = () => undefined;
  #isClosed = false;

  constructor(
    queues: readonly WorkerQueue[],
    private readonly signal: JobSignal,
    private readonly deps: WorkerContext,
  ) {
    this.#queues = queues.map((queue) => new QueueWorker(queue, deps));
  }

  /** True if the last poll of every queue succeeded: for `/readyz`. */
  get isWorking(): boolean {
    return !this.#isClosed && this.#queues.every(({ isHealthy }) => isHealthy);
  }

  /** Resolves once each queue has been polled; polling continues while the database is away. */
  async start(): Promise<void> {
    this.#stopListening = this.signal.listen((name) => void this.#queues.find((queue) => queue.name === name)?.fill());
    await this.#poll();
  }

  /** Stops claiming; resolves when all running jobs have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    this.#stopListening();
    await Promise.all(this.#queues.map((queue) => queue.close()));
  }

  async #poll(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.fill()));
    if (!this.#isClosed) {
      this.#stopTimer = (this.deps.startTimer ?? startNodeTimer)(() => void this.#poll(), POLL_EVERY_MS);
    }
  }
}

/** The jobs of one queue that this process is running. */
class QueueWorker {
  readonly name: QueueName;
  isHealthy = false;
  readonly #running = new Pending();
  readonly #share: FairShare;
  /** Accounts and kinds that have had a job in this round. */
  #round: Excluded[] = [];
  #filling: Promise<void> | null = null;
  #isAskedAgain = false;
  #isClosed = false;
  #hasRecurring = false;

  constructor(
    private readonly queue: WorkerQueue,
    private readonly deps: WorkerContext,
  ) {
    this.name = queue.name;
    this.#share = new FairShare(queue.concurrency);
  }

  /** Claims due jobs while there are free slots; asked again in the meantime, it repeats. Never rejects. */
  fill(): Promise<void> {
    this.#isAskedAgain = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
      if (this.#isAskedAgain && !this.#isClosed) void this.fill();
    });
    return this.#filling;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
    await this.#running.settle();
  }

  async #fill(): Promise<void> {
    // SQLite's statements and short jobs are synchronous, so nothing else would run in between.
    await yieldToEventLoop();
    this.#isAskedAgain = false;
    try {
      if (this.queue.isRecurring && !this.#hasRecurring) await this.#addRecurring();
      for (let claims = 0; this.#share.used < this.queue.concurrency && !this.#isClosed; claims += 1) {
        this.#isAskedAgain ||= claims === CLAIMS_AT_ONCE;
        const job = claims < CLAIMS_AT_ONCE ? await this.#claim() : null;
        if (!job) break;
        this.#begin(job);
      }
      this.isHealthy = true;
    } catch (cause) {
      if (this.isHealthy) this.deps.logger.warn({ queue: this.name, cause }, 'cannot read the queue, retrying');
      this.isHealthy = false;
    }
  }

  async #addRecurring(): Promise<void> {
    const now = this.deps.clock.now();
    const job = { queue: this.name, key: '', accountId: null, siteId: null, runAfter: now };
    const jobs = Object.keys(this.queue.handlers).map((kind) => ({ ...job, kind }));
    await this.deps.db.transaction((tx) => addJobs(tx, jobs, now));
    this.#hasRecurring = true;
  }

  /**
   * Accounts with due jobs take rounds: each gets one job of a kind before any gets its second. Otherwise an account with a thousand due
   * jobs would delay everyone's, and its own owner's manual run.
   */
  async #claim(): Promise<Job | null> {
    const { db, clock } = this.deps;
    const kinds = Object.keys(this.queue.handlers);
    const full = this.#share.fullParties.flatMap((account_id) => kinds.map((kind) => ({ account_id, kind })));
    for (;;) {
      const job = await claimDue(db, this.name, clock.now(), [...full, ...this.#round]);
      const isRoundOver = (!job && this.#round.length > 0) || this.#round.length === ROUND_MAX;
      if (isRoundOver) this.#round = [];
      if (job && job.account_id !== null) this.#round.push({ account_id: job.account_id, kind: job.kind });
      if (job || !isRoundOver) return job;
    }
  }

  #begin(job: Job): void {
    const handler = this.queue.handlers[job.kind];
    if (!handler) {
      this.deps.logger.warn({ kind: job.kind }, 'skipped a job of an unknown kind');
      return;
    }
    const free = this.#share.acquire(job.account_id ?? job.kind);
    const done = performJob(job, handler, this.deps).finally(() => {
      free();
      if (!this.#isClosed) void this.fill();
    });
    this.#running.add(done);
  }
}

/** How often a job's progress is stored. */
const REPORT_EVERY_MS = 500;

/** How many of these periods pass until a claim without new progress is renewed. */
const RENEW_AFTER_PERIODS = LEASE_MS / 3 / REPORT_EVERY_MS;

/** Performs one claimed job and renews the claim. Never rejects: if the database cannot store the outcome, the lease expires. */
export async function performJob(job: Job, handler: JobHandler, deps: WorkerContext): Promise<void> {
  const { db, clock, logger, startTimer = startNodeTimer } = deps;
  let progress: object | null = null;
  let periods = 0;
  const renew = (): void => {
    stopTimer = startTimer(renew, REPORT_EVERY_MS);
    periods += 1;
    if (progress === null && periods < RENEW_AFTER_PERIODS) return;
    void renewClaim(db, job, progress, clock.now()).catch(() => undefined);
    progress = null;
    periods = 0;
  };
  let stopTimer = startTimer(renew, REPORT_EVERY_MS);
  try {
    if (job.attempts > handler.attemptsMax) throw new Error('its workers died or were too slow');
    await handler.perform(job, (latest) => void (progress = latest));
  } catch (cause) {
    if (cause instanceof LeaseLost) return;
    await handler.failed(job, cause).catch((failure: unknown) => {
      if (failure instanceof LeaseLost) return;
      logger.warn({ kind: job.kind, key: job.key, cause: failure }, 'could not requeue a failed job');
    });
  } finally {
    stopTimer();
  }
}
