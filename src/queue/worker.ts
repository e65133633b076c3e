import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FairShare } from '../platform/fair-share.js';
import { Pending } from '../platform/pending.js';
import { startNodeTimer } from '../platform/timer.js';
import type { ClaimedJob, JobHandler, QueueName } from './job.js';
import { addJob, claimDue } from './jobs.js';
import { type PerformDeps, performJob } from './perform-job.js';
import type { JobSignal } from './signal.js';
import type { StandingJob } from './standing-job.js';

/** One queue as this process serves it. */
export interface WorkerQueue {
  readonly name: QueueName;
  /** How many of its jobs run at a time, shared fairly between the accounts. */
  readonly concurrency: number;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Added if missing; they put themselves back. */
  readonly standing?: readonly StandingJob[];
}

/** How often to poll the database for jobs without a signal: newly due ones, and those of dead workers. */
const POLL_EVERY_MS = 1000;

/** After so many claims everything else has its turn, a stop signal among it. */
const CLAIMS_A_TURN = 50;

/** Claims and performs jobs, as many at a time as each queue allows. */
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

  /** Whether the last poll of every queue succeeded: for `/readyz`. */
  get isWorking(): boolean {
    return this.#isStarted && !this.#isClosed && this.#queues.every(({ isHealthy }) => isHealthy);
  }

  /** Resolves once each queue has been polled; polling continues while the database is away. */
  async start(): Promise<void> {
    this.#isStarted = true;
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
class QueueState {
  readonly name: QueueName;
  isHealthy = false;
  readonly #running = new Pending();
  readonly #share: FairShare;
  #filling: Promise<void> | null = null;
  #isAskedAgain = false;
  #isClosed = false;
  #hasStanding = false;

  constructor(
    private readonly queue: WorkerQueue,
    private readonly deps: PerformDeps,
  ) {
    this.name = queue.name;
    this.#share = new FairShare(queue.concurrency);
  }

  /**
   * Claims due jobs while there are free slots; slots that come free meanwhile are filled in a separate turn, so that no job waits for
   * as long as jobs end quickly. Never rejects.
   */
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
      await this.#addStanding();
      await this.#claimFree();
      this.isHealthy = true;
    } catch (cause) {
      if (this.isHealthy) this.deps.logger.warn({ queue: this.name, cause }, 'cannot read the queue, retrying');
      this.isHealthy = false;
    }
  }

  /** Each by a separate claim: what one takes decides whose job may be next. */
  async #claimFree(): Promise<void> {
    const { db, clock } = this.deps;
    for (let claims = 0; this.#share.taken < this.queue.concurrency && !this.#isClosed; claims += 1) {
      if (claims === CLAIMS_A_TURN) {
        this.#isAskedAgain = true;
        return;
      }
      const job = await claimDue(db, this.name, clock.now(), this.#share.fullParties);
      if (!job) return;
      this.#begin(job);
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
      // From a newer version; a worker that knows the kind will claim it after this lease expires.
      this.deps.logger.warn({ kind: job.kind }, 'skipped a job of an unknown kind');
      return;
    }
    const free = this.#share.take(job.accountId);
    const done = performJob(job, handler, this.deps).finally(() => {
      free();
      if (!this.#isClosed) void this.fill();
    });
    this.#running.add(done);
  }
}
