import { entityTagOf } from '../../platform/http/conditional.js';
import { type Clock, timeAfter } from '../../platform/clock.js';
import type { ClaimedJob, JobHandler } from '../../queue/job.js';
import { finishJob, retryJob } from '../../queue/jobs.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { RunTexts } from '../runs/run-texts.js';
import { lockSite } from '../sites/site.js';
import type { DrawPreview, SharedReport } from './shared-report.js';
import { LATEST, selectShownOf, updatePicture } from './shared-report-statements.js';
import { publishedOf } from './shared-reports.js';
import { selectResultToDraw, updateResultPicture } from './shared-result-statements.js';
import { readResult } from './shared-results.js';

export interface PreviewHandlerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly draw: DrawPreview;
  /** Hears why a preview was not drawn: for the log. */
  readonly onFailure?: ((cause: unknown) => void) | undefined;
}

const RETRY_AFTER_MS = 60_000;

/** Draws previews. A report whose preview cannot be drawn goes without one. */
abstract class PreviewHandler implements JobHandler {
  readonly attemptsMax = 3;

  constructor(protected readonly deps: PreviewHandlerDeps) {}

  abstract perform(job: ClaimedJob): Promise<void>;

  async failed(job: ClaimedJob, cause: unknown): Promise<void> {
    const { db, clock, onFailure } = this.deps;
    onFailure?.(cause);
    const now = clock.now();
    await db.transaction(() =>
      job.attempts < this.attemptsMax
        ? retryJob(job, { runAfter: timeAfter(now, RETRY_AFTER_MS) })
        : finishJob(job, now),
    );
  }

  protected async drawn(report: SharedReport) {
    const picture = await this.deps.draw(report);
    return { picture, picture_tag: entityTagOf(picture) };
  }
}

/** Of a report that an owner published. */
export class ReportPreviewHandler extends PreviewHandler {
  async perform(job: ClaimedJob): Promise<void> {
    const { db, clock } = this.deps;
    const [site_id = '', text = ''] = job.key.split(' ');
    const key = { site_id, number: Number(text) };
    const row = await runOne(db, selectShownOf(key));
    const report = row && (await publishedOf(row, new RunTexts(db))).report;
    const picture = report && (await this.drawn(report));
    await db.transaction(function* (): Transaction<void> {
      // The site first, as when a run is stored: one that was stored meanwhile found this job still there, and is drawn next.
      const latest = yield* lockSite(site_id);
      if (picture) yield* execute(updatePicture({ ...key, ...picture }));
      const isBehind = key.number === LATEST && latest !== undefined && latest !== row?.run_counter;
      if (row && isBehind) yield* retryJob(job, { runAfter: clock.now(), attempts: 0 });
      else yield* finishJob(job, clock.now());
    });
  }
}

/** Of a result of a free scan that somebody shared. */
export class ResultPreviewHandler extends PreviewHandler {
  async perform(job: ClaimedJob): Promise<void> {
    const { db, clock } = this.deps;
    const [hostname = '', finished_at = ''] = job.key.split(' ');
    const key = { hostname, finished_at };
    const row = await runOne(db, selectResultToDraw(key));
    const picture = row && (await this.drawn(await readResult(row.body)));
    await db.transaction(function* (): Transaction<void> {
      if (picture) yield* execute(updateResultPicture({ ...key, ...picture }));
      yield* finishJob(job, clock.now());
    });
  }
}
