import { isoTimeAfter, timeAfter } from '../../platform/clock.js';
import { InputError } from '../../platform/errors.js';
import { foundNoSlot } from '../../platform/slots.js';
import { addJob, finishJob, type Job, retryJob } from '../../queue/jobs.js';
import type { JobHandler } from '../../queue/worker.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { retryBusy, type Sql, type Tx } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import type { Context } from '../context.js';
import { deleteEvidence, packEvidence, storeEvidence } from '../evidence/evidence.js';
import { consumeAll, refundAll, limitOf } from '../limits/limits.js';
import { assertVerified } from '../runs/run-performer.js';
import { readRunsBefore } from '../runs/run-rows.js';
import { lockOwnSite, lockSiteAgainstChanges, type OwnSite, readSite, type Site, toScanTarget } from '../sites/site.js';

/** A check repeated after the site's latest run. Pages show its result until the next run. */
export interface Recheck {
  readonly checkId: string;
  /** Number of the site's latest run when the recheck was requested. */
  readonly runNumber: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Null while it runs. */
  readonly finishedAt: string | null;
  /** Null while it runs, or if the service failed. */
  readonly result: Result | null;
  readonly errorType: ErrorType | null;
  /** What was observed, as in a finding. */
  readonly detail: string | null;
}

const rechecks = table('rechecks');

const selectRechecks = defineQuery<Recheck, { site_id: string }>((sql, { site_id }) =>
  sql('rechecks')
    .select({ checkId: 'check_id', runNumber: 'run_number', startedAt: 'started_at', finishedAt: 'finished_at' })
    .select({ result: 'result', errorType: 'error_type', detail: 'detail' })
    .where({ site_id })
    .orderBy('check_id'),
);

/** Returns the site's rechecks of all runs, sorted by check id. */
export async function rechecksOf(sql: Sql, siteId: string): Promise<readonly Recheck[]> {
  return sql.run(selectRechecks({ site_id: siteId }));
}

/** Returns the rechecks of the site's latest run. */
export async function listRechecks(sql: Sql, { id, latestNumber }: OwnSite): Promise<readonly Recheck[]> {
  return (await rechecksOf(sql, id)).filter(({ runNumber }) => runNumber === latestNumber);
}

/**
 * Queues a check again, for an owner who has fixed the failure. Does nothing if it is already queued.
 * @throws ServiceError domain_not_verified; site_not_found for a site that was removed; InputError unless the check failed or was
 * undetermined in the latest run; RateLimitError
 */
export async function startRecheck(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  site: OwnSite,
  checkId: string,
): Promise<void> {
  await db.transaction((tx) => queueRecheck(tx, site, checkId, clock.now()));
}

async function queueRecheck(tx: Tx, { id: siteId, accountId }: OwnSite, checkId: string, now: Date): Promise<void> {
  // Locks the site and not the job, because a worker that is claiming jobs would skip a locked one.
  const site = await lockOwnSite(tx, { accountId, siteId }, lockSiteAgainstChanges);
  const name = { queue: 'rechecks', kind: 'RECHECK', key: `${siteId} ${checkId}` } as const;
  const due = { account_id: accountId, site_id: siteId, run_after: now.toISOString() };
  if (!(await addJob(tx, { ...name, ...due }, now))) return;
  assertVerified(site);
  const [run] = await readRunsBefore(tx, siteId, site.latestNumber + 1, 1);
  const result = run?.findings.find((finding) => finding.checkId === checkId)?.result;
  if (result !== 'FAIL' && result !== 'UNDETERMINED') {
    throw new InputError('This check did not fail in the latest run of this site. Recheck one that did.');
  }
  await consumeAll(tx, [recheckLimit(site)], now);
  const requested = { site_id: siteId, check_id: checkId, run_number: site.latestNumber, started_at: due.run_after };
  await tx.run(rechecks.upsert({ ...requested, finished_at: null, result: null, error_type: null, detail: null }));
}

/** Separate from the limits of free scans, so that visitors cannot use up the owner's rechecks. */
function recheckLimit({ accountId, hostname }: Site) {
  return limitOf('rechecks', `${accountId} ${hostname}`);
}

const NO_SLOT_RETRY_MS = 5000;

/** How long a recheck waits for a slot, such as while the process restarts. */
const NO_SLOT_MS_MAX = 2 * 60_000;

type RecheckContext = Pick<Context, 'db' | 'clock' | 'scan' | 'slots' | 'onFailure'>;

type RecheckOutcome = Awaited<ReturnType<typeof scanCheck>>;

export function createRecheckHandler(context: RecheckContext): JobHandler {
  const { db, clock, onFailure } = context;
  return {
    // The second attempt is for a worker that died.
    attemptsMax: 2,
    async perform(job) {
      const site = await readSite(db, job.site_id ?? '');
      const outcome = site?.verifiedAt ? await scanCheck(context, site, parseCheckId(job)) : null;
      await retryBusy(() => db.transaction((tx) => finish(tx, job, outcome, clock.now())));
    },
    /** Retries if no slot was free. Otherwise stores no result and refunds the recheck, because the fault is ours. */
    async failed(job, cause) {
      const now = clock.now();
      if (foundNoSlot(cause) && job.requested_at > isoTimeAfter(now, -NO_SLOT_MS_MAX)) {
        const retryAt = timeAfter(now, NO_SLOT_RETRY_MS);
        await db.transaction((tx) => retryJob(tx, job, retryAt, { attempts: job.attempts - 1 }));
        return;
      }
      onFailure(cause);
      await db.transaction(async (tx) => {
        const site = await finish(tx, job, null, now);
        if (site) await refundAll(tx, [recheckLimit(site)], new Date(job.requested_at));
      });
    },
  };
}

/** @throws ServiceError overloaded if no slot became free */
async function scanCheck({ slots, scan }: RecheckContext, site: Site, checkId: string) {
  const report = await slots.run(site.accountId, () => scan(toScanTarget(site), undefined, [checkId]));
  const finding = report.findings.find((other) => other.checkId === checkId);
  if (!finding) throw new Error(`the scan has no finding of ${checkId}`);
  return { finding, evidence: await packEvidence(report.evidence) };
}

/** The key of a job is `<site id> <check id>`. */
function parseCheckId({ key }: Job): string {
  return key.split(' ')[1] ?? '';
}

/** Stores the result and ends the job. During the scan, the site may have been removed or its ownership lost. @throws LeaseLost */
async function finish(tx: Tx, job: Job, outcome: RecheckOutcome | null, now: Date): Promise<Site | undefined> {
  const siteId = job.site_id ?? '';
  const key = { site_id: siteId, check_id: parseCheckId(job) };
  // The removal of a site uses the same lock order: site, then job.
  const site = await lockSiteAgainstChanges(tx, siteId);
  await finishJob(tx, job, now);
  const row = site && (await tx.one(rechecks.find(key, ['run_number'])));
  if (!row) return site;
  const { result = null, errorType: error_type = null, detail = null } = outcome?.finding ?? {};
  await tx.run(rechecks.update(key, { finished_at: now.toISOString(), result, error_type, detail }));
  const { check_id } = key;
  const number = row.run_number;
  await deleteEvidence(tx, siteId, { number, check_id });
  const evidence = site.verifiedAt === null ? null : (outcome?.evidence ?? null);
  await storeEvidence(tx, evidence, { siteId, accountId: site.accountId, number, checkId: check_id }, now);
  return site;
}
