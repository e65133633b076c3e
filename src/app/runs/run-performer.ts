import { entityTagOf } from '../../platform/http/answer.js';
import { ServiceError } from '../../platform/errors.js';
import { LeaseLost } from '../../queue/jobs.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { Gap } from '../../scanner/artifacts/evidence.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { Tx } from '../../store/database.js';
import { retryBusy } from '../../store/query.js';
import { nextReference } from '../accounts/accounts.js';
import type { Context } from '../context.js';
import { packEvidence, storeEvidence } from '../evidence/evidence.js';
import { assignRunNumber, targetOf } from '../sites/site.js';
import type { RunResponse, StoredRun, Trigger } from './run.js';
import { packAnswer } from './run-answer.js';
import { adviceOf, packRun } from './run-bodies.js';
import type { RunLabel } from './run-label.js';
import { formatPages, formatResults, runs } from './run-rows.js';

/** A run in the transaction that stores it. */
export interface FinishedRun {
  readonly accountId: string;
  readonly response: RunResponse;
  readonly label: RunLabel | null;
  /** Which pages it read; null if the owner never chose any. */
  readonly pages: SampledPages | null;
  /** Which assistants can read the site; null if the scan does not say. */
  readonly answer: Answer | null;
}

/** A stored run, for log and metrics. */
export interface EndedRun extends FinishedRun {
  /** Version and commit that judged it. */
  readonly release: string | null;
  readonly durationMs: number;
  readonly requestCount: number;
  /** Why the home page could not be read, or not by https. */
  readonly gap: Gap | undefined;
}

/** Observes finished and failed runs. */
export interface RunObserver {
  finished(run: EndedRun): void;
  /** Not called for a run that another worker has claimed since. */
  failed(trigger: Trigger, error: unknown): void;
}

export interface RunPerformerContext extends Pick<Context, 'db' | 'clock' | 'scan' | 'slots'> {
  /** Version and commit of this build; without it, runs do not name what judged them. */
  readonly release?: string;
  /** Part of the transaction that stores any run. */
  readonly atFinish?: (tx: Tx, run: FinishedRun) => Promise<void>;
  readonly observer?: RunObserver;
}

/** An admitted run. */
export interface RunToPerform {
  readonly siteId: string;
  /** The account of the site, whose slots it uses. */
  readonly accountId: string;
  readonly origin: string;
  /** Paths that the owner chose. */
  readonly chosenPages?: readonly string[] | null;
  readonly trigger: Trigger;
  readonly label?: RunLabel | null | undefined;
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Part of the transaction that stores this run; the transaction may be repeated. */
  readonly atFinish?: (tx: Tx, stored: StoredRun) => Promise<void>;
}

/**
 * Scans the site in a slot of its account and stores the run.
 * @throws ServiceError overloaded if no slot became free; site_not_found, which gives the charge back, if the site was removed during the
 * scan
 */
export type PerformRun = (run: RunToPerform) => Promise<StoredRun>;

export function createRunPerformer(context: RunPerformerContext): PerformRun {
  const { db, scan, slots, release = null, observer } = context;
  return async (run) => {
    const { accountId, origin, chosenPages = null } = run;
    try {
      return await slots.run(accountId, async () => {
        const startedMs = performance.now();
        const report = await scan(targetOf({ origin, chosenPages }), run.onProgress);
        const evidence = await packEvidence(report.evidence);
        const store = (tx: Tx) => finishRun(tx, run, { ...report, evidence }, context);
        const { stored, ...finished } = await retryBusy(() => db.transaction(store));
        const { requestCount, gap } = report;
        observer?.finished({ ...finished, release, requestCount, gap, durationMs: performance.now() - startedMs });
        return stored;
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) observer?.failed(run.trigger, error);
      throw error;
    }
  };
}

/** Whether a run failed because its site was removed. */
export function isSiteRemoved(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'site_not_found';
}

type PackedReport = Omit<ScanReport, 'evidence'> & { readonly evidence: Uint8Array | null };

/**
 * Assigns the account's next reference and the site's next number, and stores the run: all or nothing, so numbers have no gap. The run
 * finishes after its number is assigned, so that numbers follow the order of `finishedAt`.
 */
async function finishRun(
  tx: Tx,
  { siteId, trigger, label = null, ...run }: RunToPerform,
  report: PackedReport,
  { clock, release, atFinish }: RunPerformerContext,
): Promise<FinishedRun & { readonly stored: StoredRun }> {
  const reference = await nextReference(tx, siteId);
  const site = reference && (await assignRunNumber(tx, siteId));
  if (!site) throw new ServiceError('site_not_found', { isChargeReturned: true });
  const { number, accountId, hostname } = site;
  const { score, findings, pages, answer, evidence } = report;
  const startedAt = report.startedAt.toISOString();
  // Never before its start, even if the clock was set back.
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
      pages: formatPages(pages),
      answer: packAnswer(answer),
      results: formatResults(response),
      body: packRun(body, adviceOf(report)),
    }),
  );
  // The ownership may have ended during the scan.
  if (evidence && site.verifiedAt !== null) {
    await storeEvidence(tx, evidence, { siteId, accountId, number }, finished);
  }
  const finishedRun = { accountId, response, label, pages, answer };
  await run.atFinish?.(tx, stored);
  await atFinish?.(tx, finishedRun);
  return { ...finishedRun, stored };
}
