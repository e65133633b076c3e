import { ServiceError } from '../../platform/errors.js';
import { entityTagOf } from '../../platform/http/answer.js';
import { LeaseLost } from '../../queue/jobs.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import { retryBusy, type Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import type { Context } from '../context.js';
import { packEvidence, storeEvidence } from '../evidence/evidence.js';
import { assignRunNumber, type Site, toScanTarget } from '../sites/site.js';
import { packAnswer, packRun } from './run-bodies.js';
import { formatResults, runs } from './run-rows.js';
import type { QueuedTrigger, RunLabel, RunResponse, StoredRun, Trigger } from './run.js';

/** A finished run whose transaction may not have been committed yet. */
export interface FinishedRun {
  readonly accountId: string;
  readonly response: RunResponse;
  readonly report: ScanReport;
  /** True if the account gets email alerts. */
  readonly isEmailOn: boolean;
}

export interface RunObserver {
  /** @param durationMs time to scan the site and store the run */
  finished(run: FinishedRun, durationMs: number): void;
  /** Not called if another worker has claimed the run. */
  failed(trigger: Trigger, error: unknown): void;
  /** A queued run failed and will be retried. */
  retried(run: QueuedRun, cause: unknown): void;
  abandoned(run: QueuedRun, cause: unknown): void;
}

interface QueuedRun {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
}

export interface RunPerformerContext extends Pick<Context, 'db' | 'clock' | 'scan' | 'slots'> {
  /** Version and commit of this build, stored with each run. */
  readonly release?: string;
  /** Called in the transaction that stores a run. */
  readonly beforeCommit?: (tx: Tx, run: FinishedRun) => Promise<void>;
  readonly observer?: Pick<RunObserver, 'finished' | 'failed'>;
}

interface RunToPerform {
  readonly site: Pick<Site, 'id' | 'accountId' | 'origin' | 'chosenPages'>;
  readonly trigger: Trigger;
  readonly label?: RunLabel | null | undefined;
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Called in the transaction that stores this run, which may be retried. */
  readonly beforeCommit?: (tx: Tx, stored: StoredRun) => Promise<void>;
}

/**
 * Scans the site in a slot of its account and stores the run.
 * @throws ServiceError overloaded if no slot became free; site_not_found with `isChargeReturned` if the site was removed during the scan
 */
export type PerformRun = (run: RunToPerform) => Promise<StoredRun>;

export function createRunPerformer(context: RunPerformerContext): PerformRun {
  const { db, scan, slots, observer } = context;
  return async (run) => {
    try {
      return await slots.run(run.site.accountId, async () => {
        const startedMs = performance.now();
        const report = await scan(toScanTarget(run.site), run.onProgress);
        const evidence = await packEvidence(report.evidence);
        const store = (tx: Tx) => finishRun(tx, run, report, evidence, context);
        const { stored, ...finished } = await retryBusy(() => db.transaction(store));
        observer?.finished(finished, performance.now() - startedMs);
        return stored;
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) observer?.failed(run.trigger, error);
      throw error;
    }
  };
}

/** @throws ServiceError domain_not_verified */
export function assertVerified({ verifiedAt }: Pick<Site, 'verifiedAt'>): void {
  if (verifiedAt === null) throw new ServiceError('domain_not_verified');
}

/** An account's reference counter restarts at 1 after this value. */
const REFERENCE_MAX = 999_999;

/**
 * Increments the reference counter of a site's account. Returns no row if the site was removed. Every transaction that locks both locks the
 * account first.
 */
const incrementReference = defineQuery<
  { readonly reference_counter: number; readonly email_alerts_since: string | null },
  { site_id: string }
>((sql, { site_id }) =>
  sql('accounts')
    .where({ id: sql('sites').select('account_id').where({ id: site_id, is_deleting: 0 }) })
    .update({ reference_counter: sql.raw(`reference_counter % ${REFERENCE_MAX} + 1`) })
    .returning(['reference_counter', 'email_alerts_since']),
);

/**
 * Assigns the account's next reference and the site's next run number, and stores the run. Reads the clock after assigning the number, so
 * that numbers follow the order of `finishedAt`.
 */
async function finishRun(
  tx: Tx,
  { site: { id: siteId }, trigger, label, ...run }: RunToPerform,
  report: ScanReport,
  evidence: Uint8Array | null,
  { clock, release, beforeCommit }: RunPerformerContext,
): Promise<FinishedRun & { readonly stored: StoredRun }> {
  const account = await tx.one(incrementReference({ site_id: siteId }));
  const site = account && (await assignRunNumber(tx, siteId));
  if (!site) throw new ServiceError('site_not_found', { isChargeReturned: true });
  const reference = `CR-${String(account.reference_counter).padStart(6, '0')}`;
  const { latestNumber: number, accountId, hostname } = site;
  const { score, findings, pages, answer } = report;
  const startedAt = report.startedAt.toISOString();
  // The clock may have been set back during the scan.
  const finished = new Date(Math.max(clock.now().getTime(), report.startedAt.getTime()));
  const finishedAt = finished.toISOString();
  const response: RunResponse = {
    site: { id: siteId, hostname },
    run: { number, reference, score, trigger, startedAt, finishedAt },
    findings,
  };
  const body = Buffer.from(JSON.stringify(response));
  const stored = { siteId, number, body, etag: entityTagOf(body) };
  await tx.run(
    runs.insert({
      site_id: siteId,
      number,
      reference,
      score,
      trigger,
      started_at: startedAt,
      finished_at: finishedAt,
      label: label?.label ?? null,
      commit_id: label?.commit ?? null,
      release: release ?? null,
      etag: stored.etag,
      pages: pages && JSON.stringify(pages),
      answer: packAnswer(answer),
      results: formatResults(response),
      body: packRun(body, report),
    }),
  );
  // Ownership may have been lost during the scan.
  if (site.verifiedAt !== null) await storeEvidence(tx, evidence, { siteId, accountId, number }, finished);
  const finishedRun = { accountId, response, report, isEmailOn: account.email_alerts_since !== null };
  await run.beforeCommit?.(tx, stored);
  await beforeCommit?.(tx, finishedRun);
  return { ...finishedRun, stored };
}
