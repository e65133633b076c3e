import { laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/ids.js';
import { headlineOf, rankOf } from '../../scanner/report/failures.js';
import { addJob, type Job, jobs, lockJob, type NewJob } from '../../queue/jobs.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { chargeDailyRun } from '../limits/daily-runs.js';
import { addNextLabel, type RunLabel } from '../runs/run-label.js';
import { parseResults } from '../runs/run-rows.js';
import { lockOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount, SiteRow } from '../sites/site.js';

/** A site's deploy hook, without the secret address that deployments call. */
export interface DeployHook {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The result of a call. */
export interface DeployCall {
  readonly siteId: string;
  readonly hostname: string;
  /** Earliest start of the run. */
  readonly runAfter: Date;
  /** Number of the site's latest run at the time of the call, 0 before its first. The run of this call has a higher one. */
  readonly latestNumber: number;
}

export interface DeployStatus {
  readonly siteId: string;
  /** `waiting`: not started yet, `running`: being scanned, `idle`: no run is queued. */
  readonly state: 'waiting' | 'running' | 'idle';
  readonly latest: {
    readonly number: number;
    readonly score: number | null;
    readonly trigger: string;
    readonly finishedAt: string;
    /** The most severe first. */
    readonly failures: readonly HookFailure[];
  } | null;
}

/** A failed check, in our own words. */
interface HookFailure {
  readonly checkId: string;
  readonly headline: string;
  readonly scored: boolean;
}

/** Seconds that a deployment may take until it is live. */
export const DEPLOY_WAIT_S = { standard: 10, max: 600 } as const;

const TRIGGER = 'POST_DEPLOY';

interface DeployHookRow {
  readonly site_id: string;
  readonly digest: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const hooks = table<DeployHookRow>('deploy_hooks', ['site_id']);

/** Selects and locks the site of a hook: it cannot be deleted until the transaction ends. */
const selectHookedSite = defineQuery<SiteRow, { digest: string }>((sql, { digest }) =>
  sql('sites as s')
    .join('deploy_hooks as h', 'h.site_id', 's.id')
    .select('s.*')
    .where({ 'h.digest': digest, 's.is_deleting': 0 })
    .forKeyShare('s'),
);

/** The latest run of a hook's site and its queued run; the columns of a missing one are null. */
interface HookStatusRow {
  readonly siteId: string;
  readonly results: string | null;
  readonly requestedAt: string | null;
  readonly lease: string | null;
  readonly number: number | null;
  readonly score: number | null;
  readonly trigger: string | null;
  readonly finishedAt: string | null;
}

const selectHookStatus = defineQuery<HookStatusRow, { digest: string; kind: string }>((sql, { digest, kind }) =>
  sql('deploy_hooks as h')
    .join('sites as s', 's.id', 'h.site_id')
    .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', 's.run_counter'))
    .leftJoin('jobs as q', (on) => on.on('q.key', 's.id').andOnVal('q.kind', '=', kind))
    .select({ number: 'r.number', score: 'r.score', trigger: 'r.trigger', finishedAt: 'r.finished_at' })
    .select({ results: 'r.results' })
    .select({ siteId: 's.id', requestedAt: 'q.requested_at', lease: 'q.lease' })
    .where({ 'h.digest': digest, 's.is_deleting': 0 }),
);

/** Methods that change a site's hook reject with ServiceError site_not_found, also for another account's site. */
export class DeployHooks {
  constructor(private readonly deps: Pick<Context, 'db' | 'clock'>) {}

  async find({ id }: OwnSite): Promise<DeployHook | null> {
    return readHook(this.deps.db, id);
  }

  /** Creates the site's hook, or replaces its address: the previous one stops working. @returns the secret, which is not stored */
  async create(request: SiteOfAccount): Promise<{ readonly hook: DeployHook; readonly token: string }> {
    const token = newSecretToken();
    const now = this.deps.clock.now();
    const createdAt = now.toISOString();
    await this.deps.db.transaction(async (tx) => {
      const { id, accountId, hostname: subject } = await lockOwnSite(tx, request);
      await tx.run(
        hooks.upsert({ site_id: id, digest: digestSecretToken(token), created_at: createdAt, last_used_at: null }),
      );
      await recordEvent(tx, { accountId, event: 'deploy_hook_created', subject, now });
    });
    return { hook: { createdAt, lastUsedAt: null }, token };
  }

  async remove(request: SiteOfAccount): Promise<void> {
    const { db, clock } = this.deps;
    await db.transaction(async (tx) => {
      const { id, accountId, hostname: subject } = await lockOwnSite(tx, request);
      if (!(await tx.one(hooks.delete({ site_id: id })))) return;
      await recordEvent(tx, { accountId, event: 'deploy_hook_removed', subject, now: clock.now() });
    });
  }

  /**
   * Queues a POST_DEPLOY run. Calls in quick succession share one run, which the last call labels.
   * @param waitS seconds until the deployment is live
   * @throws ServiceError not_found for an unknown token, domain_not_verified, daily_runs_exceeded
   */
  async call(token: string, waitS: number, label: RunLabel | null = null): Promise<DeployCall> {
    const { db, clock } = this.deps;
    const digest = digestOf(token);
    return db.transaction((tx) => queueDeployRun(tx, digest, { waitS, label }, clock.now()));
  }

  /** Returns the state of the site, for clients that wait for the run. @throws ServiceError not_found */
  async status(token: string): Promise<DeployStatus> {
    const row = await this.deps.db.one(selectHookStatus({ digest: digestOf(token), kind: TRIGGER }));
    if (!row) throw new ServiceError('not_found');
    return statusOf(row);
  }
}

export async function readHook(sql: Sql, site_id: string): Promise<DeployHook | null> {
  const row = await sql.one(hooks.find({ site_id }, ['created_at', 'last_used_at']));
  return row ? { createdAt: row.created_at, lastUsedAt: row.last_used_at } : null;
}

/** @throws ServiceError not_found, without a query, if the text is not a token */
function digestOf(token: string): string {
  if (!isSecretToken(token)) throw new ServiceError('not_found');
  return digestSecretToken(token);
}

/**
 * Queues the run, and counts it against the daily limit unless it joins a waiting one. A refusal rolls everything back. The daily limit is
 * never refunded: a queued run is performed, or retried until its attempts are used up.
 */
async function queueDeployRun(
  tx: Tx,
  digest: string,
  { waitS, label }: { readonly waitS: number; readonly label: RunLabel | null },
  now: Date,
): Promise<DeployCall> {
  const site = await tx.one(selectHookedSite({ digest }));
  if (!site) throw new ServiceError('not_found');
  if (site.verified_at === null) throw new ServiceError('domain_not_verified');
  const run_after = laterThan(now, waitS * 1000);
  const job = { queue: 'runs', kind: TRIGGER, key: site.id, account_id: site.account_id, site_id: site.id } as const;
  const queued = await queueOrPostpone(tx, { ...job, run_after }, now);
  if (queued.before === null) {
    await chargeDailyRun(tx, { accountId: site.account_id, hostname: site.hostname }, TRIGGER, now);
  }
  const payload = addNextLabel(queued.payload, label, { ...queued, now });
  await tx.run(jobs.update({ kind: TRIGGER, key: site.id }, { payload }));
  await tx.run(hooks.update({ site_id: site.id }, { last_used_at: now.toISOString() }));
  return { siteId: site.id, hostname: site.hostname, runAfter: queued.runAfter, latestNumber: site.run_counter };
}

function statusOf(row: HookStatusRow): DeployStatus {
  const { siteId, requestedAt, lease, number, score, trigger, finishedAt, results } = row;
  const queued = lease === null ? 'waiting' : 'running';
  const hasRun = number !== null && trigger !== null && finishedAt !== null && results !== null;
  return {
    siteId,
    state: requestedAt === null ? 'idle' : queued,
    latest: hasRun ? { number, score, trigger, finishedAt, failures: failuresOf(results) } : null,
  };
}

function failuresOf(results: string): readonly HookFailure[] {
  return parseResults(results)
    .filter(({ result }) => result === 'FAIL')
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map(({ checkId, errorType, scored }) => ({
      checkId,
      headline: headlineOf({ checkId, errorType, title: null }),
      scored,
    }));
}

/** The result of {@link queueOrPostpone}. */
export interface Queued {
  /** When the job is due. */
  readonly runAfter: Date;
  /** When the job was due before; null if this call queued a new run. */
  readonly before: Date | null;
  readonly payload: string | null;
}

/** The longest that later calls can postpone the run of the first call. */
const POSTPONED_MS_MAX = 600_000;

/** Queues the job, or postpones the waiting one. If it is claimed, or cannot be postponed further, it runs again afterwards. */
export async function queueOrPostpone(tx: Tx, job: NewJob, now: Date): Promise<Queued> {
  for (;;) {
    const row = await tx.one(lockJob({ kind: job.kind, key: job.key }));
    if (row) return await postponeJob(tx, row, job.run_after);
    if (await addJob(tx, job, now)) return { runAfter: new Date(job.run_after), before: null, payload: null };
    // Another process queued it in the meantime.
  }
}

/** Postpones the job, or its next run. Never moves either to an earlier time. @param dueAt ISO 8601, UTC */
async function postponeJob(tx: Tx, row: Job, dueAt: string): Promise<Queued> {
  const { kind, key, payload } = row;
  const latest = laterThan(new Date(row.requested_at), POSTPONED_MS_MAX);
  const isPostponed = row.lease === null && (dueAt <= latest || dueAt <= row.run_after);
  const column = isPostponed ? 'run_after' : 'again_after';
  const before = row[column];
  const runAfter = before !== null && before > dueAt ? before : dueAt;
  await tx.run(jobs.update({ kind, key }, { [column]: runAfter }));
  return { runAfter: new Date(runAfter), before: before === null ? null : new Date(before), payload };
}
