import { laterThan } from '../platform/clock.js';
import { newSecretToken } from '../platform/secret-token.js';
import { type Database, runOne } from '../store/database.js';
import { execute, one, type Transaction } from '../store/transaction.js';
import { type ClaimedJob, LEASE_MS, LeaseLost, type NewJob, type QueueName } from './job.js';
import { announceJobs } from './announce.js';
import {
  claimJob,
  countJobsOfKind,
  deleteJob,
  insertJob,
  insertJobs,
  type JobRow,
  lockHeldJob,
  putBackJob,
  renewLease,
} from './job-statements.js';

/** Adds the job unless it already exists. @returns whether it was added */
export function* addJob(job: NewJob, now: Date): Transaction<boolean> {
  const { queue, kind, key, accountId: account_id, siteId: site_id, runAfter } = job;
  const row = yield* one(
    insertJob({
      ...{ queue, kind, key, account_id, site_id, now: now.toISOString() },
      ...{ run_after: runAfter.toISOString(), due_ms: runAfter.getTime() },
    }),
  );
  if (!row) return false;
  yield* announceJobs(queue);
  return true;
}

/** Adds many jobs of one queue, kind and time in one statement, skipping existing ones. */
export function* addJobs(jobs: readonly NewJob[], now: Date): Transaction<void> {
  const [first] = jobs;
  if (!first) return;
  const { queue, kind, runAfter } = first;
  const places = new Map<string | null, number>();
  const rows = jobs.map(({ key, accountId: account_id, siteId: site_id }) => {
    const place = places.get(account_id) ?? 0;
    places.set(account_id, place + 1);
    return { key, account_id, site_id, place };
  });
  yield* execute(
    insertJobs({
      ...{ queue, kind, jobs: JSON.stringify(rows), now: now.toISOString() },
      ...{ run_after: runAfter.toISOString(), due_ms: runAfter.getTime() },
    }),
  );
  yield* announceJobs(queue);
}

/** How many jobs of a kind there are, waiting or running; never more than `atMost`, which bounds what it costs. */
export async function countJobs(db: Database, kind: string, atMost: number): Promise<number> {
  return (await runOne(db, countJobsOfKind({ kind, at_most: atMost })))?.count ?? 0;
}

/**
 * Claims the due job with the earliest turn; null when there is none.
 * @param except accounts whose jobs are left for later
 */
export async function claimDue(
  db: Database,
  queue: QueueName,
  now: Date,
  except: readonly string[] = [],
): Promise<ClaimedJob | null> {
  const lease = newSecretToken();
  const accounts = JSON.stringify(except.map((account_id) => ({ account_id })));
  const claim = { queue, now: now.toISOString(), lease, until: leaseEnd(now), except: accounts };
  const row = await runOne(db, claimJob(claim));
  return row ? claimedJob(row, lease) : null;
}

/** Keeps the claim for another {@link LEASE_MS}. @returns whether it still held */
export async function renewClaim(
  db: Database,
  { kind, key, lease }: ClaimedJob,
  progress: object | null,
  now: Date,
): Promise<boolean> {
  const text = progress === null ? null : JSON.stringify(progress);
  return (await db.run(renewLease({ kind, key, lease, until: leaseEnd(now), progress: text }))).length > 0;
}

/**
 * Ends a claimed job; if it was requested again meanwhile, it returns to the queue.
 * @throws LeaseLost
 */
export function* finishJob(job: ClaimedJob, now: Date): Transaction<void> {
  const { again_after } = yield* holdJob(job);
  if (again_after === null) yield* execute(deleteJob({ kind: job.kind, key: job.key }));
  else yield* putBack(job, { runAfter: new Date(again_after), attempts: 0, requestedAt: now });
}

export interface Retry {
  readonly runAfter: Date;
  /** How many attempts count so far; by default, all that were made. */
  readonly attempts?: number;
  readonly requestedAt?: Date;
  /** For observers. */
  readonly progress?: object;
}

/** Returns a claimed job to the queue for another attempt. @throws LeaseLost */
export function* retryJob(job: ClaimedJob, { runAfter, ...retry }: Retry): Transaction<void> {
  const { again_after } = yield* holdJob(job);
  const againMs = again_after === null ? 0 : Date.parse(again_after);
  yield* putBack(job, { ...retry, runAfter: new Date(Math.max(againMs, runAfter.getTime())) });
}

function* holdJob({ kind, key, lease }: ClaimedJob): Transaction<JobRow> {
  const row = yield* one(lockHeldJob({ kind, key, lease }));
  if (!row) throw new LeaseLost();
  return row;
}

function putBack(job: ClaimedJob, retry: Retry): Transaction<void> {
  const { runAfter, attempts = job.attempts, requestedAt = job.requestedAt, progress } = retry;
  return execute(
    putBackJob({
      ...{ kind: job.kind, key: job.key, account_id: job.accountId, requested_at: requestedAt.toISOString() },
      ...{ run_after: runAfter.toISOString(), due_ms: runAfter.getTime(), attempts },
      progress: progress === undefined ? null : JSON.stringify(progress),
    }),
  );
}

function leaseEnd(now: Date): string {
  return laterThan(now, LEASE_MS);
}

function claimedJob(
  { kind, key, account_id, site_id, requested_at, attempts, progress }: JobRow,
  lease: string,
): ClaimedJob {
  const requestedAt = new Date(requested_at);
  return { kind, key, accountId: account_id, siteId: site_id, requestedAt, attempts, progress, lease };
}
