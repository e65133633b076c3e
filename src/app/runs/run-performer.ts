import type { Clock } from '../../platform/clock.js';
import { entityTagOf } from '../../platform/http/conditional.js';
import { ServiceError } from '../../platform/errors.js';
import type { RunResponse, StoredRun, Trigger } from './run.js';
import type { Flip } from './flips.js';
import { formatResults } from './run-results.js';
import { formatSupplement, RUN_CHAIN, SUPPLEMENT_CHAIN } from './run-chain.js';
import { tagContent } from './run-columns.js';
import type { RunToLink } from './chain.js';
import { packRun, type RunFormat, RunTexts, storeTexts } from './run-texts.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import { nextReference } from '../accounts/references.js';
import { type Database, runApart } from '../../store/database.js';
import { keep, packEvidence } from '../evidence/evidence.js';
import { packNotes } from './run-notes.js';
import { packPages } from './run-pages.js';
import { formatLabel, type RunLabel } from './run-label.js';
import { insertRunLabel } from './run-label-statements.js';
import { insertRunGains, insertRunNotes, insertRun, insertRunPages } from './run-statements.js';
import { isProofCurrent } from '../sites/proof-state.js';
import { targetOf } from '../sites/target.js';
import { takeNextNumber } from '../sites/site.js';
import { retryBusy } from '../../store/retry.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { LeaseLost } from '../../queue/job.js';
import type { Slots } from '../../platform/slots.js';

/** A run in the transaction that stores it. */
export interface FinishedRun {
  readonly accountId: string;
  readonly response: RunResponse;
  /** Which release judged it. */
  readonly release: string | null;
  readonly label: RunLabel | null;
  /** Which pages it looked at; null where nobody has ever chosen any. */
  readonly pages: SampledPages | null;
}

/** A run that was stored, and what it took. */
export interface EndedRun extends FinishedRun {
  readonly durationMs: number;
  readonly requestCount: number;
  /** Of its link in the chain of its site; null: it has none yet. */
  readonly digest: string | null;
  /** The same of what is kept next to it. */
  readonly supplementDigest: string | null;
  /** The number at which one of these chains was seen to be broken. */
  readonly chainBrokenAt: number | null;
}

/** Hears how runs end: for log and metrics. */
export interface RunObserver {
  finished(run: EndedRun): void;
  /** Not called for a run that another worker has taken meanwhile. */
  failed(trigger: Trigger, error: unknown): void;
  /** Of a run that was stored: verdicts that are others than within the day before. */
  flipped(flips: readonly Flip[]): void;
}

export interface RunPerformerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  readonly slots: Slots;
  /** Of this build, which judges; left out, as by a test, runs do not say. */
  readonly release?: string;
  /** In which runs are stored; left out, as by a test: the one that every version reads. */
  readonly runFormat?: RunFormat;
  /** Does what belongs to the finish of every run, in its transaction. */
  readonly atFinish?: (run: FinishedRun) => Transaction<void>;
  readonly observer?: RunObserver;
}

/** A run that was admitted. */
export interface RunToPerform {
  readonly siteId: string;
  /** The site's: whose slots it takes. */
  readonly accountId: string;
  /** Where it starts. */
  readonly origin: string;
  readonly trigger: Trigger;
  /** Left out: it was given none. */
  readonly label?: RunLabel | null | undefined;
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  /** A part of the transaction that stores the run, which it may begin again: what it throws undoes the whole. */
  readonly atFinish?: ((stored: StoredRun) => Transaction<void>) | undefined;
}

/**
 * Scans the site in a slot and stores the run.
 * @throws ServiceError overloaded when no slot came free; site_not_found, with the charge given back, when the site was removed
 * while its scan ran
 */
export type PerformRun = (run: RunToPerform) => Promise<StoredRun>;

export function createRunPerformer(deps: RunPerformerDeps): PerformRun {
  const { db, clock, scan, slots, release = null, runFormat = 1, atFinish, observer } = deps;
  const texts = new RunTexts(db);
  return async (run) => {
    const { accountId: party, origin, trigger, onProgress } = run;
    try {
      return await slots.run(async () => {
        const startedMs = performance.now();
        const target = await runApart(db, targetOf({ id: run.siteId, origin }));
        const report = await scan({ ...target, party }, onProgress);
        const evidence = await packEvidence(report.evidence);
        const store = function* () {
          const finished = yield* finishRun(run, report, { clock, texts, evidence, release, runFormat });
          if (run.atFinish) yield* run.atFinish(finished.stored);
          if (atFinish) yield* atFinish(finished);
          return finished;
        };
        const { stored, ...ended } = await retryBusy(() => db.transaction(store));
        const { requestCount } = report;
        observer?.finished({ ...ended, requestCount, durationMs: performance.now() - startedMs });
        return stored;
      }, party);
    } catch (error) {
      if (!(error instanceof LeaseLost)) observer?.failed(trigger, error);
      throw error;
    }
  };
}

/** Whether a run failed because its site is gone. */
export function isSiteRemoved(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'site_not_found';
}

interface FinishDeps {
  readonly clock: Clock;
  readonly texts: RunTexts;
  /** See {@link packEvidence}. */
  readonly evidence: Uint8Array | null;
  readonly release: string | null;
  readonly runFormat: RunFormat;
}

/**
 * Takes the account's next reference and the site's next number, and stores the run: all or nothing, so numbers have no gap.
 * The run finishes once its number is taken, so that numbers follow the order of `finishedAt`.
 */
function* finishRun(
  { siteId, trigger, label = null }: RunToPerform,
  report: ScanReport,
  { clock, texts: knownTexts, evidence, release, runFormat }: FinishDeps,
): Transaction<Omit<EndedRun, 'durationMs' | 'requestCount'> & { readonly stored: StoredRun }> {
  const reference = yield* nextReference(siteId);
  const site = reference && (yield* takeNextNumber(siteId));
  if (!site) throw new ServiceError('site_not_found', { isChargeReturned: true });
  const { number } = site;
  // Never before its start, even if the clock was set back meanwhile.
  const finishedAt = new Date(Math.max(clock.now().getTime(), report.startedAt.getTime())).toISOString();
  const run: RunResponse['run'] = {
    number,
    reference,
    score: report.score,
    trigger,
    startedAt: report.startedAt.toISOString(),
    finishedAt,
  };
  const response: RunResponse = { site: { id: siteId, hostname: site.hostname }, run, findings: report.findings };
  const { whole, packed, texts } = packRun(response, runFormat);
  const chain = yield* RUN_CHAIN.linkMissing(siteId, number - 1, knownTexts);
  const etag = entityTagOf(tagContent(chain.epoch, whole));
  yield* storeTexts(texts);
  const { score, startedAt: started_at } = run;
  const row = { site_id: siteId, number, reference, score, trigger, started_at, finished_at: finishedAt };
  yield* execute(insertRun({ ...row, results: formatResults(response, runFormat), body: packed, etag, release }));
  // Its ownership may have been lost, or come into doubt, while it was scanned.
  if (evidence && site.verifiedAt !== null && (yield* isProofCurrent(siteId)))
    yield* keep(evidence, { siteId, accountId: site.accountId, number }, new Date(finishedAt));
  const digest = yield* RUN_CHAIN.link(chain, { siteId, number, reference, content: whole });
  const supplement = yield* storeSupplement({ siteId, number, reference }, report, {
    texts: knownTexts,
    release,
    label,
  });
  const stored = { siteId, number, body: whole, etag };
  return {
    ...{ accountId: site.accountId, response, stored, release, label, pages: report.pages, digest },
    ...{ supplementDigest: supplement.digest, chainBrokenAt: chain.brokenAt ?? supplement.brokenAt },
  };
}

/** Stores what is kept alongside a run that was just stored, and links it. */
function* storeSupplement(
  { siteId, number, reference }: Pick<RunToLink, 'siteId' | 'number' | 'reference'>,
  report: ScanReport,
  { texts, release, label }: Pick<FinishDeps, 'texts' | 'release'> & { readonly label: RunLabel | null },
): Transaction<{ readonly digest: string | null; readonly brokenAt: number | null }> {
  const notes = packNotes(report);
  const gains = report.gains.length > 0 ? JSON.stringify(report.gains) : null;
  if (notes) yield* execute(insertRunNotes({ site_id: siteId, number, notes }));
  if (gains) yield* execute(insertRunGains({ site_id: siteId, number, gains }));
  if (label) yield* execute(insertRunLabel({ site_id: siteId, number, label: label.label, commit_id: label.commit }));
  const pages = packPages(report.pages);
  if (pages) yield* execute(insertRunPages({ site_id: siteId, number, pages }));
  const end = yield* SUPPLEMENT_CHAIN.linkMissing(siteId, number - 1, texts);
  const content = formatSupplement({ release, notes, gains, label: formatLabel(label), pages });
  const digest = content && (yield* SUPPLEMENT_CHAIN.link(end, { siteId, number, reference, content }));
  return { digest, brokenAt: end.brokenAt };
}
