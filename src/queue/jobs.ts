import type { Knex } from 'knex';
import { laterThan } from '../platform/clock.js';
import { newSecretToken } from '../platform/secret-token.js';
import type { Database, Tx } from '../store/database.js';
import { defineQuery, deleteReturning, isPostgres, jsonRows } from '../store/query.js';
import { table } from '../store/table.js';
import { announceJobs, type QueueName } from './signal.js';

/** Work that outlives the request or run that added it. At most one job of a kind has the key. */
export interface Job {
  readonly queue: QueueName;
  /** Selects the handler. */
  readonly kind: string;
  readonly key: string;
  /** The account whose share of the workers it uses, or the network of a client without one; null for upkeep. */
  readonly account_id: string | null;
  /** Deleting the site deletes the job. */
  readonly site_id: string | null;
  readonly requested_at: string;
  /** When the job is due; while it is claimed, when the lease ends. */
  readonly run_after: string;
  /** The current one included. */
  readonly attempts: number;
  /** Only the worker that knows it may end the job. Null while the job waits. */
  readonly lease: string | null;
  /** The earliest start of another run, if the job was requested while it was claimed. */
  readonly again_after: string | null;
  /** JSON for the handler. */
  readonly payload: string | null;
  /** JSON for observers, stored by the last attempt. */
  readonly progress: string | null;
}

export interface NewJob extends Pick<Job, 'queue' | 'kind' | 'key'>, Partial<Pick<Job, 'payload'>> {
  readonly accountId: string | null;
  readonly siteId: string | null;
  readonly runAfter: Date;
}

/** How long a claim lasts. A live worker renews it three times within this period; the jobs of a dead one can be claimed after it. */
export const LEASE_MS = 60_000;

/** Another worker has since claimed the job, or the job no longer exists. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const jobs = table<Job>('jobs', ['kind', 'key']);

const COLUMNS = ['queue', 'kind', 'key', 'account_id', 'site_id', 'run_after', 'payload'];

/** @param jobs JSON: `[{<each of COLUMNS>}, …]` */
export const insertJobs = defineQuery<{ key: string }, { jobs: string; now: string }>((sql, { jobs, now }) =>
  sql.raw(
    `INSERT INTO jobs (requested_at, ${COLUMNS.join(', ')})
      SELECT CAST(? AS text), ${COLUMNS.map((column) => `given.${column}`).join(', ')}
      FROM ? WHERE true ON CONFLICT (kind, key) DO NOTHING RETURNING key`,
    [now, jsonRows(sql, jobs, COLUMNS)],
  ),
);

/** Adds the job unless it already exists. @returns whether it was added */
export async function addJob(tx: Tx, job: NewJob, now: Date): Promise<boolean> {
  return (await addJobs(tx, [job], now)) > 0;
}

/** Adds jobs of one queue, skipping existing ones. @returns how many were added */
export async function addJobs(tx: Tx, newJobs: readonly NewJob[], now: Date): Promise<number> {
  const [first] = newJobs;
  if (!first) return 0;
  const rows = newJobs.map(({ accountId, siteId, runAfter, ...job }) => ({
    ...job,
    account_id: accountId,
    site_id: siteId,
    run_after: runAfter.toISOString(),
  }));
  const added = await tx.run(insertJobs({ jobs: JSON.stringify(rows), now: now.toISOString() }));
  if (added.length > 0) announceJobs(tx, first.queue);
  return added.length;
}

/** Jobs that a claim skips. */
export type Excluded = Pick<Job, 'account_id' | 'kind'>;

/** `except` is JSON: `[Excluded, …]`. */
type ClaimParams = Record<'queue' | 'now' | 'lease' | 'until' | 'except', string>;

/** On SQLite, {@link claimOldest} looks at this many due jobs, which takes less than a millisecond. */
export const OLDEST_MAX = 1000;

/** Claims the job that has been due longest; on PostgreSQL, skips rows that another process is claiming. */
const claimOldest = defineClaim((sql) => {
  const isDue = 'FROM jobs WHERE queue = ? AND run_after <= ?';
  const isAllowed = '(account_id IS NULL OR (account_id, kind) NOT IN (SELECT given.account_id, given.kind FROM ?))';
  return isPostgres(sql)
    ? `SELECT kind, key ${isDue} AND ${isAllowed} ORDER BY run_after LIMIT 1 FOR UPDATE SKIP LOCKED`
    : `SELECT kind, key FROM (SELECT kind, key, account_id ${isDue} ORDER BY run_after LIMIT ${OLDEST_MAX}) WHERE ${isAllowed} LIMIT 1`;
});

/** Selects a row if more jobs are due than {@link claimOldest} looks at. */
const selectBeyondOldest = defineQuery<Pick<Job, 'key'>, Pick<ClaimParams, 'queue' | 'now'>>((sql, { queue, now }) =>
  sql('jobs')
    .select('key')
    .where({ queue })
    .where('run_after', '<=', now)
    .orderBy('run_after')
    .limit(1)
    .offset(OLDEST_MAX),
);

/**
 * On SQLite, claims a due job of any account and kind that is not excluded. It seeks each account and kind of the table once, so it is
 * fast where a few accounts have most of the jobs, but not where many accounts wait.
 */
const claimBehindExcluded = defineClaim(() => {
  const distinct = (column: string): string =>
    `SELECT min(${column}) FROM jobs UNION ALL
      SELECT (SELECT min(${column}) FROM jobs WHERE ${column} > name) FROM ${column}s WHERE name IS NOT NULL`;
  return `WITH RECURSIVE account_ids(name) AS (${distinct('account_id')}), kinds(name) AS (${distinct('kind')})
    SELECT jobs.kind, jobs.key FROM account_ids CROSS JOIN kinds CROSS JOIN jobs
    WHERE queue = ? AND run_after <= ? AND account_id = account_ids.name AND kind = kinds.name
      AND (account_ids.name, kinds.name) NOT IN (SELECT given.account_id, given.kind FROM ?) LIMIT 1`;
});

/** @param select selects `kind` and `key` of one job; binds queue, time, and the excluded rows */
function defineClaim(select: (sql: Knex) => string) {
  return defineQuery<Job, ClaimParams>((sql, { queue, now, lease, until, except }) => {
    const due = sql.raw(select(sql), [queue, now, jsonRows(sql, except, ['account_id', 'kind'])]);
    return sql.raw(
      `WITH due AS MATERIALIZED (?) UPDATE jobs SET lease = ?, run_after = ?, attempts = attempts + 1
        WHERE (kind, key) = (SELECT kind, key FROM due) RETURNING *`,
      [due, lease, until],
    );
  });
}

/** Claims the job that has been due longest, whether it waits or its lease has expired; null if there is none. */
export async function claimDue(
  db: Database,
  queue: QueueName,
  now: Date,
  except: readonly Excluded[] = [],
): Promise<Job | null> {
  const until = laterThan(now, LEASE_MS);
  const params = { queue, now: now.toISOString(), lease: newSecretToken(), until, except: JSON.stringify(except) };
  const job = await db.one(claimOldest(params));
  if (job || except.length === 0 || db.dialect === 'postgres') return job ?? null;
  if (!(await db.one(selectBeyondOldest({ queue, now: params.now })))) return null;
  return (await db.one(claimBehindExcluded(params))) ?? null;
}

/** The row of a job as long as its claim lasts. */
function claimed({ kind, key, lease }: Job) {
  return { kind, key, lease: lease ?? '' };
}

/**
 * Extends the claim to {@link LEASE_MS} from now and stores the job's progress; null leaves it as it is.
 * @returns false if the claim was lost
 */
export async function renewClaim(db: Database, job: Job, progress: object | null, now: Date): Promise<boolean> {
  const stored = progress && { progress: JSON.stringify(progress) };
  return (await db.one(jobs.update(claimed(job), { run_after: laterThan(now, LEASE_MS), ...stored }))) !== undefined;
}

/** Replaces the payload of a claimed job. @throws LeaseLost */
export async function storePayload(tx: Tx, job: Job, payload: object): Promise<void> {
  const stored = await tx.one(jobs.update(claimed(job), { payload: JSON.stringify(payload) }));
  if (!stored) throw new LeaseLost();
}

const deleteClaimed = defineQuery<Job, { kind: string; key: string; lease: string }>((sql, { kind, key, lease }) =>
  deleteReturning(sql, sql('jobs').where({ kind, key, lease }), '*'),
);

/**
 * Ends a claimed job; if it was requested again in the meantime, it returns to the queue.
 * @throws LeaseLost
 */
export async function finishJob(tx: Tx, job: Job, now: Date): Promise<void> {
  const ended = await tx.one(deleteClaimed(claimed(job)));
  if (!ended) throw new LeaseLost();
  const { queue, kind, key, account_id: accountId, site_id: siteId, again_after, payload } = ended;
  if (again_after === null) return;
  await addJob(tx, { queue, kind, key, accountId, siteId, runAfter: new Date(again_after), payload }, now);
}

/**
 * Returns a claimed job to the queue for another attempt.
 * @param attempts how many count so far; by default, all that were made
 * @param progress for observers
 * @throws LeaseLost
 */
export async function retryJob(
  tx: Tx,
  job: Job,
  { runAfter, attempts = job.attempts, progress }: { runAfter: Date; attempts?: number; progress?: object },
): Promise<void> {
  const again_after = (await tx.one(lockJob(job)))?.again_after ?? '';
  const due = runAfter.toISOString();
  const retried = await tx.one(
    jobs.update(claimed(job), {
      lease: null,
      attempts,
      progress: progress ? JSON.stringify(progress) : null,
      run_after: again_after > due ? again_after : due,
      again_after: null,
    }),
  );
  if (!retried) throw new LeaseLost();
}

/** Selects the job and locks its row for the rest of the transaction. */
export const lockJob = defineQuery<Job, { readonly kind: string; readonly key: string }>((sql, { kind, key }) =>
  sql('jobs').where({ kind, key }).forUpdate(),
);

export function deleteJob({ kind, key }: Pick<Job, 'kind' | 'key'>) {
  return jobs.delete({ kind, key });
}
