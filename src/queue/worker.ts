import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { startNodeTimer } from '../platform/timer.js';
import type { ClaimedJob, JobHandler, QueueName } from './job.js';
import { addJob, claimDue } from './jobs.js';
import { type PerformDeps, performJob } from './perform-job.js';
import type { JobSignal } from './signal.js';
import type { StandingJob } from './standing-job.js';

/** One queue as this process serves it. */
export interface WorkerQueue {
  readonly name: QueueName;
  /** How many of its jobs are done at a time. */
  readonly concurrency: number;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Added where they are missing: they put themselves back. */
  readonly standing?: readonly StandingJob[];
}

/** How often the database is asked for jobs of which no signal came: those that have become due, and those of dead workers. */
const POLL_EVERY_MS = 1000;

/** Claims jobs and does them, as many at a time as each queue allows. */
export class Worker {
  readonly #queues: readonly QueueState[];
  #stopTimer: () => void = () => undefined;
  #stopListening: () => void = () => undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(
    queues: readonly WorkerQueue[],
    private readonly signal: JobSignal,
    private readonly deps: PerformDeps,
  ) {
    this.#queues = queues.map((queue) => new QueueState(queue, deps));
  }

  /** Whether every queue could be asked for jobs the last time: for `/readyz`. */
  get isWorking(): boolean {
    return this.#isStarted && !this.#isClosed && this.#queues.every(({ isHealthy }) => isHealthy);
  }

  /** Resolves once each queue has been asked; a database that is away is asked again until it answers. */
  async start(): Promise<void> {
    this.#isStarted = true;
    this.#stopListening = this.signal.listen((name) => void this.#queues.find((queue) => queue.name === name)?.fill());
    await this.#poll();
  }

  /** Claims no more; resolves when what is in hand has ended. */
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

/** The jobs of one queue that this process has in hand. */
class QueueState {
  readonly name: QueueName;
  isHealthy = false;
  readonly #running = new Set<Promise<void>>();
  #filling: Promise<void> | null = null;
  #isAskedAgain = false;
  #isClosed = false;
  #hasStanding = false;

  constructor(
    private readonly queue: WorkerQueue,
    private readonly deps: PerformDeps,
  ) {
    this.name = queue.name;
  }

  /** Claims what is due while there is room. Never rejects. */
  fill(): Promise<void> {
    this.#isAskedAgain = true;
    this.#filling ??= this.#fill().finally(() => (this.#filling = null));
    return this.#filling;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  async #fill(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false;
      const free = this.queue.concurrency - this.#running.size;
      if (free === 0) return;
      // SQLite's statements and short jobs do not wait for anything, so nothing else would run in between.
      await yieldToEventLoop();
      try {
        await this.#addStanding();
        const jobs = await claimDue(this.deps.db, this.name, free, this.deps.clock.now());
        for (const job of jobs) this.#begin(job);
        this.isHealthy = true;
      } catch (cause) {
        if (this.isHealthy)
          this.deps.logger.warn({ queue: this.name, cause }, 'the queue cannot be read: it is tried again');
        this.isHealthy = false;
      }
    }
  }

  async #addStanding(): Promise<void> {
    if (this.#hasStanding) return;
    const now = this.deps.clock.now();
    for (const job of this.queue.standing ?? []) await this.deps.db.transaction(() => addJob(job.first(now), now));
    this.#hasStanding = true;
  }

  #begin(job: ClaimedJob): void {
    const handler = this.queue.handlers[job.kind];
    if (!handler) {
      // Of a newer version: one that knows the kind claims it when this lease has ended.
      this.deps.logger.warn({ kind: job.kind }, 'a job of an unknown kind was left alone');
      return;
    }
    const done = performJob(job, handler, this.deps).finally(() => {
      this.#running.delete(done);
      if (!this.#isClosed) void this.fill();
    });
    this.#running.add(done);
  }
}
