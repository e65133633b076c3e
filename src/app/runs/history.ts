import { ServiceError } from '../../platform/errors.js';
import type { Context } from '../context.js';
import { runsLeft } from '../limits/limits.js';
import type { OwnSite } from '../sites/site.js';
import { Overviews, type SiteOverview } from './overview.js';
import { unpackAnswer, unpackBody, unpackRun } from './run-bodies.js';
import { findChanges, findResultStarts, type RunLine, SINCE_RUNS_MAX, toRunLines } from './run-lines.js';
import { readRuns, readRunsBefore, type RunRow, runs, type RunSummary } from './run-rows.js';
import { parseRun, type RunResponse } from './run.js';

/** A run with the history that its page shows. */
export type RunReport = Awaited<ReturnType<History['run']>>;
/** Two runs, compared in full. */
export type RunPair = NonNullable<Awaited<ReturnType<History['compare']>>>;
/** A page of a site's history with its chart. */
export type HistoryPage = Awaited<ReturnType<History['page']>>;

const CHART_RUNS_MAX = 500;
export const PAGE_RUNS = 50;

/** Reads the runs that pages show. Methods reject with ServiceError run_not_found for a run that does not exist. */
export class History {
  readonly #overviews: Overviews;

  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {
    this.#overviews = new Overviews(context.db);
  }

  /** Returns every site of the account, in no order. */
  overview(accountId: string): Promise<readonly SiteOverview[]> {
    return this.#overviews.list(accountId);
  }

  /** Reads a page of the site's runs. @param before only runs with a lower number */
  async page({ id, latestNumber }: OwnSite, before = Infinity) {
    const last = Math.max(1, Math.min(latestNumber, before - 1));
    const first = Math.max(1, last - PAGE_RUNS + 1);
    const firstCharted = Math.max(1, latestNumber - CHART_RUNS_MAX + 1);
    const charted = await this.#lines(id, firstCharted, latestNumber);
    const read = first >= firstCharted ? charted : await this.#lines(id, first, last);
    const lines = read.filter(({ number }) => number >= first && number <= last);
    return {
      /** Newest first, without a gap. Empty only before the first run. */
      lines,
      /** The latest runs, oldest first. */
      charted: charted.toReversed(),
    };
  }

  /** Reads the latest runs, newest first. */
  summaries({ id, latestNumber }: OwnSite, count: number): Promise<readonly RunSummary[]> {
    return readRunsBefore(this.context.db, id, latestNumber + 1, count);
  }

  /** Returns the site's latest run; null before the first. */
  async latest(site: OwnSite): Promise<RunReport | null> {
    return site.latestNumber === 0 ? null : this.run(site, site.latestNumber);
  }

  async run(site: OwnSite, number: number) {
    const { release, answer, body } = await this.#read(site, number);
    const stored = unpackRun(body);
    const response = parseRun(stored.body);
    const lastRuns = await readRunsBefore(this.context.db, site.id, number + 1, SINCE_RUNS_MAX);
    const [run, ...earlier] = lastRuns;
    return {
      response,
      isLatest: number === site.latestNumber,
      /** Version and commit of the scanner; null if unknown, as in tests. */
      release,
      label: run?.label ?? null,
      /** Pages that the run read; null if the owner never chose any. The paths of chosen pages are the owner's text. */
      pages: run?.pages ?? null,
      /** Which assistants can read the site; null if unknown. */
      answer: unpackAnswer(answer),
      ...stored.advice,
      /** This run and the runs before it, newest first, at most {@link SINCE_RUNS_MAX}. */
      runsUpToThis: lastRuns,
      since: findResultStarts(lastRuns),
      /** Changes since the last run with a score; null if this run or every earlier one has no score. */
      changes: findChanges(earlier, run, response.findings),
    };
  }

  /**
   * Compares run `to` with run `from` or, if `from` has no score, with the last run before it that has one. Returns null if there is no
   * such run, or `to` has no score.
   */
  async compare(site: OwnSite, { from, to }: { readonly from: number; readonly to: number }) {
    const { db } = this.context;
    const now = await this.#findings(site, to);
    const lastRuns = await readRunsBefore(db, site.id, to + 1, SINCE_RUNS_MAX);
    const changes = findChanges(await readRunsBefore(db, site.id, from + 1, SINCE_RUNS_MAX), lastRuns[0], now);
    if (changes === null) return null;
    const before = await this.#findings(site, changes.from.number);
    return { ...changes, findings: { before, now }, since: findResultStarts(lastRuns) };
  }

  /** Returns how many manual runs the site has left today (UTC), and their limit. */
  async manualBudget(site: OwnSite): Promise<{ readonly left: number; readonly limit: number }> {
    const { db, clock } = this.context;
    const { remaining: left = Infinity, limit = Infinity } = (await runsLeft(db, site, 'MANUAL', clock.now())) ?? {};
    return { left, limit };
  }

  /** Reads the runs from `first` to `last`, newest first, and compares each with an earlier run. */
  async #lines(siteId: string, first: number, last: number): Promise<RunLine[]> {
    const lastRuns = await readRuns(this.context.db, siteId, first - SINCE_RUNS_MAX, last);
    return toRunLines(lastRuns).filter(({ number }) => number >= first);
  }

  async #findings(site: OwnSite, number: number): Promise<RunResponse['findings']> {
    const { body } = await this.#read(site, number);
    return parseRun(unpackBody(body)).findings;
  }

  async #read({ id, latestNumber }: OwnSite, number: number): Promise<Pick<RunRow, 'release' | 'answer' | 'body'>> {
    const isPossible = Number.isInteger(number) && number >= 1 && number <= latestNumber;
    const row =
      isPossible && (await this.context.db.one(runs.find({ site_id: id, number }, ['release', 'answer', 'body'])));
    if (!row) throw new ServiceError('run_not_found');
    return row;
  }
}
