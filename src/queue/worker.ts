import { type Clock, isoTimeAfter, startNodeTimer, type StartTimer } from '../platform/clock.js';
import { Pending, yieldToEventLoop } from '../platform/concurrency.js';
import type { Logger } from '../platform/logging.js';
import { Slots } from '../platform/slots.js';
import type { Database } from '../store/database.js';
import { claimDue, type Job, LEASE_MS, LeaseLost, onJobsAdded, type QueueName, updateClaimed } from './jobs.js';

export interface JobHandler {
  /** A job that was claimed more often goes straight to {@link failed}: its workers died. */
  readonly attemptsMax: number;
  /**
   * Does the work and ends the job in the transaction that stores the result, by `finishJob` or `retryJob`.
   * @param report publishes progress for observers, as JSON
   */
  perform(job: Job, report: (progress: object) => void): Promise<void>;
  /** Decides what follows a rejected {@link perform}: another attempt, or the end. */
  failed(job: Job, cause: unknown): Promise<void>;
}

/** A queue that this process serves. */
export interface WorkerQueue {
  readonly name: QueueName;
  /** How many of its jobs run at a time, shared fairly between accounts. */
  readonly concurrency: number;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Called before the first claim, until it succeeds. */
  readonly prepare?: () => Promise<void>;
}

export interface WorkerContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly startTimer?: StartTimer;
}

/** Poll interval, for jobs that become due or that other processes added. */
const POLL_EVERY_MS = 1000;

/** Claims and performs the jobs of one queue. Lanes take turns, so an account with a thousand jobs does not delay other accounts. */
export class Worker {
  readonly #running = new Pending();
  readonly #slots: Slots;
  #lastLane = '';
  #filling: Promise<void> | null = null;
  #isFillRequested = false;
  #isHealthy = false;
  #isClosed = false;
  #isPrepared = false;
  #stopTimer: () => void = () => undefined;
  #stopListening: () => void = () => undefined;

  constructor(
    private readonly queue: WorkerQueue,
    private readonly context: WorkerContext,
  ) {
    this.#slots = new Slots(queue.concurrency);
  }

  /** True if the last claim reached the database. For `/readyz`. */
  get isWorking(): boolean {
    return this.#isHealthy && !this.#isClosed;
  }

  start(): void {
    this.#stopListening = onJobsAdded(this.context.db, this.queue.name, () => this.#fill());
    this.#poll();
  }

  /** Stops claiming; resolves when all running jobs have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    this.#stopListening();
    await this.#filling;
    await this.#running.settle();
  }

  #poll(): void {
    this.#fill();
    this.#stopTimer = (this.context.startTimer ?? startNodeTimer)(() => this.#poll(), POLL_EVERY_MS);
  }

  #fill(): void {
    this.#isFillRequested = true;
    this.#filling ??= this.#fillSlots();
  }

  /** Claims due jobs while there are free slots. */
  async #fillSlots(): Promise<void> {
    while (this.#isFillRequested && !this.#isClosed) {
      // SQLite's statements and short jobs are synchronous, so nothing else would run in between, such as a stop signal.
      await yieldToEventLoop();
      this.#isFillRequested = false;
      try {
        if (!this.#isPrepared) await this.queue.prepare?.();
        this.#isPrepared = true;
        await this.#claim();
        this.#isHealthy = true;
      } catch (cause) {
        if (this.#isHealthy) this.context.logger.warn({ queue: this.queue.name, cause }, 'cannot read queue, retrying');
        this.#isHealthy = false;
      }
    }
    this.#filling = null;
  }

  /** Starts a job of the next lane in turn, if a slot is free. */
  async #claim(): Promise<void> {
    if (this.#isClosed || this.#slots.occupancy().running >= this.queue.concurrency) return;
    const { db, clock } = this.context;
    const kinds = Object.keys(this.queue.handlers);
    const fullLanes = this.#slots.fullOwners.flatMap((account) => kinds.map((kind) => `${account} ${kind}`));
    const job = await claimDue(db, this.queue.name, clock.now(), { fullLanes, lastLane: this.#lastLane });
    if (!job) return;
    this.#lastLane = job.lane;
    this.#begin(job);
  }

  #begin(job: Job): void {
    this.#isFillRequested = true;
    const handler = this.queue.handlers[job.kind];
    if (!handler) {
      this.context.logger.warn({ kind: job.kind }, 'skipped a job of an unknown kind');
      return;
    }
    const free = this.#slots.occupy(job.account_id ?? job.kind);
    const done = performJob(job, handler, this.context).finally(() => {
      free();
      this.#fill();
    });
    this.#running.add(done);
  }
}

/** How often a job's progress is stored. */
const REPORT_EVERY_MS = 500;
/** After how many of these periods without progress the claim is renewed. */
const RENEW_AFTER_PERIODS = LEASE_MS / 3 / REPORT_EVERY_MS;

/** Performs one claimed job and renews the claim. Never rejects: if the database cannot store the outcome, the lease expires. */
export async function performJob(job: Job, handler: JobHandler, context: WorkerContext): Promise<void> {
  const { db, clock, logger, startTimer = startNodeTimer } = context;
  let reported: { progress: string } | null = null;
  let periods = 0;
  const renew = (): void => {
    stopTimer = startTimer(renew, REPORT_EVERY_MS);
    periods += 1;
    if (!reported && periods < RENEW_AFTER_PERIODS) return;
    updateClaimed(db, job, { run_after: isoTimeAfter(clock.now(), LEASE_MS), ...reported }).catch(() => undefined);
    reported = null;
    periods = 0;
  };
  let stopTimer = startTimer(renew, REPORT_EVERY_MS);
  try {
    if (job.attempts > handler.attemptsMax) throw new Error('its workers died or were too slow');
    await handler.perform(job, (progress) => void (reported = { progress: JSON.stringify(progress) }));
  } catch (cause) {
    if (cause instanceof LeaseLost) return;
    await handler.failed(job, cause).catch((failure: unknown) => {
      const { kind, key } = job;
      if (!(failure instanceof LeaseLost)) logger.warn({ kind, key, cause: failure }, 'could not requeue a failed job');
    });
  } finally {
    stopTimer();
  }
}
