/** A pool of workers with its own concurrency, so that a slow receiver never holds up a scan. */
export const QUEUES = ['runs', 'deliveries', 'upkeep'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Work that outlives the request or the run that asked for it. */
export interface NewJob {
  readonly queue: QueueName;
  /** What has to be done; it chooses the handler. */
  readonly kind: string;
  /** Names the job within its kind: there is never more than one. */
  readonly key: string;
  /** Whose turn it takes; null for upkeep. */
  readonly accountId: string | null;
  /** The job goes with the site. */
  readonly siteId: string | null;
  readonly runAfter: Date;
}

/** A job that this process has claimed. */
export interface ClaimedJob {
  readonly kind: string;
  readonly key: string;
  readonly accountId: string | null;
  readonly siteId: string | null;
  readonly requestedAt: Date;
  /** This one included. */
  readonly attempts: number;
  /** What the last attempt left for those who watch; null: nothing. */
  readonly progress: string | null;
  /** Only its holder may finish the job. */
  readonly lease: string;
}

/**
 * How long a claim lasts unless it is renewed, which a living worker does three times in it. What a dead one held is claimed again
 * when it is over.
 */
export const LEASE_MS = 60_000;

/** Another worker has claimed the job since, or it is gone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Does the jobs of one kind. */
export interface JobHandler {
  /** A job that was claimed more often ends in {@link failed} without another attempt: its workers died. */
  readonly attemptsMax: number;
  /**
   * Does the work and ends the job in the transaction that stores the result, by `finishJob` or `retryJob`.
   * @param report shows those who watch how far it is: JSON
   */
  perform(job: ClaimedJob, report: (progress: object) => void): Promise<void>;
  /** What a rejected {@link perform} comes to: another attempt, or the end. */
  failed(job: ClaimedJob, cause: unknown): Promise<void>;
}

/** Tells the workers, of this process and others, that a queue has a job. Only a hint, for speed: they also poll. */
export type AnnounceJobs = (queue: QueueName) => void;
