import { EventEmitter } from 'node:events';
import { isoTimeAfter } from '../platform/clock.js';
import { newSecretToken } from '../platform/ids.js';
import type { Database, Sql, Tx } from '../store/database.js';
import { defineQuery, isPostgres, jsonRows, type Row, table } from '../store/query.js';

/** Each queue has separate workers, so that a slow receiver delays neither a scan nor a sign-in mail. */
export type QueueName = 'runs' | 'rechecks' | 'deliveries' | 'account-mails' | 'upkeep';

/** Work that outlives the request or run that added it. Kind and key are unique. */
export type Job = Row<'jobs'> & { readonly queue: QueueName; readonly lane: string };

export type NewJob = Pick<Job, 'queue' | 'kind' | 'key' | 'account_id' | 'site_id' | 'run_after'> &
  Partial<Pick<Job, 'payload'>>;

/** How long a claim lasts. A live worker renews it three times within this period; a dead worker's jobs can be claimed after it. */
export const LEASE_MS = 60_000;

/** Thrown if another worker has since claimed the job, or the job no longer exists. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export const jobs = table<'jobs', Job>('jobs');

const COLUMNS = ['queue', 'kind', 'key', 'account_id', 'site_id', 'run_after', 'payload'];

/** @param jobs JSON: `[{<each of COLUMNS>}, …]` */
const insertJobs = defineQuery<{ key: string }, { jobs: string; now: string }>((sql, { jobs, now }) =>
  sql.raw(
    `INSERT INTO jobs (requested_at, is_due, ${COLUMNS.join(', ')})
      SELECT CAST(? AS text), CASE WHEN input.run_after <= ? THEN 1 ELSE 0 END,
        ${COLUMNS.map((column) => `input.${column}`).join(', ')}
      FROM ? WHERE true ON CONFLICT (kind, key) DO NOTHING RETURNING key`,
    [now, now, jsonRows(sql, jobs, COLUMNS)],
  ),
);

/** Adds jobs of one queue, skipping existing ones. @returns how many were added */
export async function addJobs(tx: Tx, newJobs: readonly NewJob[], now: Date): Promise<number> {
  const [first] = newJobs;
  if (!first) return 0;
  const added = await tx.run(insertJobs({ jobs: JSON.stringify(newJobs), now: now.toISOString() }));
  if (added.length > 0) tx.afterCommit(({ url }) => additions.emit(`${url} ${first.queue}`));
  return added.length;
}

/** Adds the job unless it already exists. @returns whether it was added */
export async function addJob(tx: Tx, job: NewJob, now: Date): Promise<boolean> {
  return (await addJobs(tx, [job], now)) > 0;
}

/** Emits an event, named by database URL and queue, when this process has added jobs. */
const additions = new EventEmitter().setMaxListeners(0);

/** Calls the listener whenever this process has added jobs to the queue. @returns a function that stops it */
export function onJobsAdded({ url }: Pick<Database, 'url'>, queue: QueueName, listener: () => void): () => void {
  additions.on(`${url} ${queue}`, listener);
  return () => void additions.off(`${url} ${queue}`, listener);
}

/** How many jobs are marked at a time, which blocks the event loop for about 5 ms on SQLite. */
const MARKED_AT_ONCE = 1000;

/** Marks jobs that are due, and those whose lease has expired, so that {@link claimNext} visits their lanes. */
const markDue = defineQuery<never, { queue: string; now: string }>(
  (sql, { queue, now }) =>
    sql.raw(
      `WITH due AS ${isPostgres(sql) ? 'MATERIALIZED' : ''} (
          SELECT kind, key FROM jobs WHERE queue = ? AND is_due = 0 AND run_after <= ?
          ORDER BY run_after LIMIT ${MARKED_AT_ONCE} ${isPostgres(sql) ? 'FOR UPDATE SKIP LOCKED' : ''})
      UPDATE jobs SET is_due = 1 WHERE (kind, key) IN (SELECT kind, key FROM due)`,
      [queue, now],
    ),
  { durability: 'process' },
);

/**
 * Visits the lanes with due jobs in turn, from the one after `lastLane`, and claims the first job that it finds. Each step is a search
 * in an index, however many jobs wait. On PostgreSQL, skips rows that another process is claiming.
 */
const claimNext = defineQuery<Job, Record<'queue' | 'lastLane' | 'fullLanes' | 'now' | 'lease' | 'until', string>>(
  (sql, { queue, lastLane, fullLanes, now, lease, until }) => {
    const nextLane = 'SELECT min(lane) FROM jobs WHERE queue = ? AND is_due = 1 AND lane > ';
    const oldestOfLane = `SELECT kind, key FROM jobs
      WHERE queue = ? AND is_due = 1 AND lane = lanes.lane AND run_after <= ? ORDER BY run_after LIMIT 1`;
    const first = isPostgres(sql)
      ? `CROSS JOIN LATERAL (${oldestOfLane} FOR UPDATE SKIP LOCKED) AS first`
      : `CROSS JOIN jobs AS first ON (first.kind, first.key) = (${oldestOfLane})`;
    // A NULL lane marks the end of a pass.
    return sql.raw(
      `WITH RECURSIVE lanes(lane, is_second_pass) AS (
          SELECT (${nextLane} ?), 0
          UNION ALL SELECT (${nextLane} coalesce(lanes.lane, '')), CASE WHEN lane IS NULL THEN 1 ELSE is_second_pass END
            FROM lanes WHERE lane IS NOT NULL OR is_second_pass = 0),
        due AS MATERIALIZED (
          SELECT first.kind, first.key FROM lanes ${first}
          WHERE lanes.lane NOT IN (SELECT input.lane FROM ?) LIMIT 1)
      UPDATE jobs SET lease = ?, run_after = ?, is_due = 0, attempts = attempts + 1
        WHERE (kind, key) = (SELECT kind, key FROM due) RETURNING *`,
      [queue, lastLane, queue, queue, now, jsonRows(sql, fullLanes, ['lane']), lease, until],
    );
  },
);

/** Claims a due job, or one whose lease has expired, from the next lane after `lastLane` that is not full. */
export async function claimDue(
  db: Database,
  queue: QueueName,
  now: Date,
  { lastLane = '', fullLanes = [] }: { lastLane?: string; fullLanes?: readonly string[] } = {},
): Promise<Job | null> {
  const lanes = { lastLane, fullLanes: JSON.stringify(fullLanes.map((lane) => ({ lane }))) };
  const claim = { now: now.toISOString(), lease: newSecretToken(), until: isoTimeAfter(now, LEASE_MS) };
  await db.run(markDue({ queue, now: claim.now }));
  return (await db.one(claimNext({ queue, ...lanes, ...claim }))) ?? null;
}

function claimKey({ kind, key, lease }: Job) {
  return { kind, key, lease: lease ?? '' };
}

/** Changes a claimed job. @throws LeaseLost */
export async function updateClaimed(sql: Sql, job: Job, set: Partial<Job>): Promise<void> {
  if (!(await sql.one(jobs.update(claimKey(job), set)))) throw new LeaseLost();
}

/** Ends a claimed job; if it was requested again in the meantime, it returns to the queue. @throws LeaseLost */
export async function finishJob(tx: Tx, job: Job, now: Date): Promise<void> {
  const ended = await tx.one(jobs.delete(claimKey(job)));
  if (!ended) throw new LeaseLost();
  if (ended.again_after !== null) await addJob(tx, { ...ended, run_after: ended.again_after }, now);
}

/** Returns a claimed job to the queue. @param set by default, the attempt counts and the progress is cleared @throws LeaseLost */
export async function retryJob(
  tx: Tx,
  job: Job,
  runAfter: Date,
  set: Partial<Pick<Job, 'attempts' | 'progress'>> = {},
): Promise<void> {
  const due = runAfter.toISOString();
  const again = (await tx.one(lockJob(job)))?.again_after ?? '';
  const run_after = again > due ? again : due;
  await updateClaimed(tx, job, { progress: null, ...set, lease: null, run_after, again_after: null });
}

export const lockJob = defineQuery<Job, { readonly kind: string; readonly key: string }>((sql, { kind, key }) =>
  sql('jobs').where({ kind, key }).forUpdate(),
);
