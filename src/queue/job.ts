/**
 * Each queue is a pool of workers with its own concurrency, so that a slow receiver never delays a scan. Workers of an earlier version leave a
 * queue alone that they do not know, but claim jobs of any kind in one that they do: `notices` holds mails that version 0.2.0 cannot word, `previews` what 0.4.0 cannot draw,
 * `account-mails` what 0.5.0 cannot send, `messages` what it cannot write: messages to chats, and digests.
 */
export const QUEUES = ['runs', 'deliveries', 'notices', 'previews', 'account-mails', 'messages', 'upkeep'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Work that outlives the request or run that asked for it. */
export interface NewJob {
  readonly queue: QueueName;
  /** The kind of work; selects the handler. */
  readonly kind: string;
  /** Identifies the job within its kind: at most one exists. */
  readonly key: string;
  /** The account whose turn it uses; null for upkeep. */
  readonly accountId: string | null;
  /** Deleting the site deletes the job. */
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
  /** Progress that the last attempt left for observers; null: none. */
  readonly progress: string | null;
  /** Only its holder may finish the job. */
  readonly lease: string;
}

/**
 * How long a claim lasts unless renewed; a live worker renews it three times within this period. Jobs of a dead worker can be
 * claimed again after it.
 */
export const LEASE_MS = 60_000;

/** Another worker has since claimed the job, or the job no longer exists. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Performs the jobs of one kind. */
export interface JobHandler {
  /** A job that was claimed more often goes to {@link failed} without another attempt: its workers died. */
  readonly attemptsMax: number;
  /**
   * Does the work and ends the job in the transaction that stores the result, by `finishJob` or `retryJob`.
   * @param report publishes progress for observers, as JSON
   */
  perform(job: ClaimedJob, report: (progress: object) => void): Promise<void>;
  /** Decides what follows a rejected {@link perform}: another attempt, or the end. */
  failed(job: ClaimedJob, cause: unknown): Promise<void>;
}
