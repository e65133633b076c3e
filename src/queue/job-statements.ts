import { defineQuery, isPostgres, jsonRows } from '../store/query.js';

export interface JobRow {
  readonly kind: string;
  readonly key: string;
  readonly account_id: string | null;
  readonly site_id: string | null;
  readonly requested_at: string;
  /** When the job is due; while it is claimed, when the lease ends. */
  readonly run_after: string;
  readonly attempts: number;
  /** Null while it waits. */
  readonly lease: string | null;
  readonly again_after: string | null;
  readonly progress: string | null;
}

const COLUMNS = [
  ...['kind', 'key', 'account_id', 'site_id', 'requested_at', 'run_after', 'attempts', 'lease', 'again_after'],
  'progress',
];

/**
 * Jobs are claimed in the order of `turn`, a time in milliseconds: the due time, but at least a minute after the turn of the
 * account's last job of the kind. A thousand jobs of one account are thus a minute apart and let the jobs of other accounts pass,
 * yet none waits for ever: at some point its turn is the earliest of all.
 */
const TURN_MS = 60_000;
const turnFor = (account: string): string => `(SELECT max(at) FROM (SELECT CAST(? AS bigint) AS at
  UNION ALL SELECT max(turn) + ${TURN_MS} FROM jobs WHERE account_id = ${account} AND kind = ?) AS turns)`;
const TURN = turnFor('?');
const ACCOUNT_TURN = turnFor('given.account_id');

/** Returns a row if the job was added; none if it already exists. */
export const insertJob = defineQuery<
  { key: string },
  {
    queue: string;
    kind: string;
    key: string;
    account_id: string | null;
    site_id: string | null;
    now: string;
    run_after: string;
    due_ms: number;
  }
>((sql, { queue, kind, key, account_id, site_id, now, run_after, due_ms }) =>
  sql.raw(
    `INSERT INTO jobs (queue, kind, key, account_id, site_id, requested_at, run_after, turn)
      VALUES (?, ?, ?, ?, ?, ?, ?, ${TURN}) ON CONFLICT (kind, key) DO NOTHING RETURNING key`,
    [queue, kind, key, account_id, site_id, now, run_after, due_ms, account_id, kind],
  ),
);

/**
 * Adds many jobs of one queue, kind and time at once, skipping existing ones.
 * @param jobs JSON: `[{key, account_id, site_id, place}, …]`, where the place counts the account's own jobs from 0
 */
export const insertJobs = defineQuery<
  never,
  { queue: string; kind: string; jobs: string; run_after: string; now: string; due_ms: number }
>((sql, { queue, kind, jobs, run_after, now, due_ms }) =>
  sql.raw(
    `INSERT INTO jobs (queue, kind, key, account_id, site_id, requested_at, run_after, turn)
      SELECT CAST(? AS text), CAST(? AS text), given.key, given.account_id, given.site_id, CAST(? AS text), CAST(? AS text),
        ${ACCOUNT_TURN} + CAST(given.place AS bigint) * ${TURN_MS}
      FROM ? WHERE true ON CONFLICT (kind, key) DO NOTHING`,
    [queue, kind, now, run_after, due_ms, kind, jsonRows(sql, jobs, ['key', 'account_id', 'site_id', 'place'])],
  ),
);

/**
 * Claims the due job with the earliest turn, whether it waits or its lease has expired. Skips rows that another process is claiming.
 * @param except JSON: `[{account_id}, …]`, the accounts that may have no more for now
 */
export const claimJob = defineQuery<
  JobRow,
  { queue: string; now: string; lease: string; until: string; except: string }
>((sql, { queue, now, lease, until, except }) =>
  sql.raw(
    `WITH due AS MATERIALIZED (SELECT kind, key FROM jobs WHERE queue = ? AND run_after <= ?
        AND (account_id IS NULL OR account_id NOT IN (SELECT given.account_id FROM ?))
        ORDER BY turn, run_after LIMIT 1${isPostgres(sql) ? ' FOR UPDATE SKIP LOCKED' : ''})
      UPDATE jobs SET lease = ?, run_after = ?, attempts = attempts + 1
      FROM due WHERE jobs.kind = due.kind AND jobs.key = due.key
      RETURNING ${COLUMNS.map((column) => `jobs.${column}`).join(', ')}`,
    [queue, now, jsonRows(sql, except, ['account_id']), lease, until],
  ),
);

interface Held {
  readonly kind: string;
  readonly key: string;
  readonly lease: string;
}

/** Renews the claim and stores the job's progress. Returns a row if the lease still held. */
export const renewLease = defineQuery<
  { key: string },
  { kind: string; key: string; lease: string; until: string; progress: string | null }
>((sql, { kind, key, lease, until, progress }) =>
  sql('jobs')
    .where({ kind, key, lease })
    .update({ run_after: until, progress: sql.raw('coalesce(?, progress)', [progress]) })
    .returning('key'),
);

/** Locks the row for the rest of the transaction; returns it if the lease holds. */
export const lockHeldJob = defineQuery<JobRow, { [K in keyof Held]: string }>((sql, { kind, key, lease }) =>
  sql('jobs').select(COLUMNS).where({ kind, key, lease }).forUpdate(),
);

/** Locks the row for the rest of the transaction. */
export const lockJob = defineQuery<JobRow, { kind: string; key: string }>((sql, { kind, key }) =>
  sql('jobs').select(COLUMNS).where({ kind, key }).forUpdate(),
);

export const selectJob = defineQuery<JobRow, { kind: string; key: string }>((sql, { kind, key }) =>
  sql('jobs').select(COLUMNS).where({ kind, key }),
);

/** The jobs of a site in one queue, in order of their due time. */
export const selectJobsOfSite = defineQuery<JobRow, { site_id: string; queue: string }>((sql, { site_id, queue }) =>
  sql('jobs').select(COLUMNS).where({ site_id, queue }).orderBy('run_after'),
);

export const deleteJob = defineQuery<never, { kind: string; key: string }>((sql, { kind, key }) =>
  sql('jobs').where({ kind, key }).delete(),
);

/** Returns a claimed job to the queue, with a new turn. */
export const putBackJob = defineQuery<
  never,
  {
    kind: string;
    key: string;
    account_id: string | null;
    requested_at: string;
    run_after: string;
    due_ms: number;
    attempts: number;
    progress: string | null;
  }
>((sql, { kind, key, account_id, requested_at, run_after, due_ms, attempts, progress }) =>
  sql('jobs')
    .where({ kind, key })
    .update({
      ...{ lease: null, again_after: null, requested_at, run_after, attempts, progress },
      turn: sql.raw(TURN, [due_ms, account_id, kind]),
    }),
);

/** Postpones a waiting job. */
export const postponeJob = defineQuery<never, { kind: string; key: string; run_after: string; due_ms: number }>(
  (sql, { kind, key, run_after, due_ms }) =>
    sql('jobs')
      .where({ kind, key, lease: null })
      .update({
        run_after,
        turn: sql.raw('CASE WHEN turn < CAST(? AS bigint) THEN CAST(? AS bigint) ELSE turn END', [due_ms, due_ms]),
      }),
);

/** Requests another run of a job that is waiting or claimed. */
export const askAgain = defineQuery<never, { kind: string; key: string; again_after: string }>(
  (sql, { kind, key, again_after }) => sql('jobs').where({ kind, key }).update({ again_after }),
);

/** Counts the jobs of one kind, up to `at_most`. */
export const countJobsOfKind = defineQuery<{ count: number }, { kind: string; at_most: number }>(
  (sql, { kind, at_most }) =>
    sql.raw(
      'SELECT CAST(count(*) AS INTEGER) AS count FROM (SELECT 1 FROM jobs WHERE kind = ? LIMIT CAST(? AS INTEGER)) AS counted',
      [kind, at_most],
    ),
);

/** How many jobs of a kind there are. */
export interface QueueDepth {
  readonly kind: string;
  /** For their first try. */
  readonly waiting: number;
  /** After one that failed. */
  readonly retrying: number;
  readonly running: number;
  /** Since when the oldest that waits is due; null when none is. */
  readonly oldest_due: string | null;
}

/** Job counts by kind, for metrics. */
export const selectQueueDepth = defineQuery<QueueDepth, { now: string }>((sql, { now }) =>
  sql('jobs')
    .select('kind')
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts = 0 THEN 1 ELSE 0 END) AS waiting'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts > 0 THEN 1 ELSE 0 END) AS retrying'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL THEN 0 ELSE 1 END) AS running'))
    .select(sql.raw('min(CASE WHEN lease IS NULL AND run_after <= ? THEN run_after END) AS oldest_due', [now]))
    .groupBy('kind'),
);
