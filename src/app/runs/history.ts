import { type Clock, utcDay } from '../../platform/clock.js';
import { compareFindings, type Comparison } from '../../scanner/findings/comparison.js';
import { ServiceError } from '../../platform/errors.js';
import { DAILY_RUNS } from '../accounts/plan.js';
import type { RunResponse, Trigger } from './run.js';
import { type Database, runOne } from '../../store/database.js';
import { selectDailyRuns } from './run-budget-statements.js';
import { type RunSummaryRow, selectRunBodies, selectRunSummaries, selectTrends } from './run-statements.js';
import { selectSitesOfAccount } from '../sites/site-statements.js';
import { parseRun } from './run-performer.js';
import { findOwnSite, type Site, siteOf, type SiteOfAccount } from '../sites/sites.js';

/** One line of a site's history: what is known of a run without its findings. */
export interface RunSummary {
  readonly number: number;
  readonly reference: string;
  readonly score: number | null;
  readonly trigger: Trigger;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** A site in the list of an account's sites. */
export interface SiteOverview {
  readonly site: Site;
  /** The last runs, oldest first, at most {@link TREND_RUNS_MAX}; empty when there is none yet. */
  readonly trend: readonly RunSummary[];
}

/** How many runs the trend of the list of sites shows. */
export const TREND_RUNS_MAX = 20;

/** A finished run with what makes it readable beside the others. */
export interface RunReport {
  readonly response: RunResponse;
  /** The numbers of the site's runs on either side; null at the ends. */
  readonly previousNumber: number | null;
  readonly nextNumber: number | null;
  readonly latestNumber: number;
  /**
   * By check id, the number of the first run of the unbroken row of runs, ending with this one, that found the same result.
   * Looked for in the last {@link SINCE_RUNS_MAX} runs only: absent where the row is longer.
   */
  readonly since: ReadonlyMap<string, number>;
  /** What changed since the run before; null for the first. */
  readonly changes: RunChanges | null;
}

/** One run beside an earlier one, or any other. */
export interface RunChanges {
  readonly from: RunResponse['run'];
  readonly to: RunResponse['run'];
  readonly comparison: Comparison;
}

export const SINCE_RUNS_MAX = 50;

/**
 * The runs of an account's sites for people. Whatever is another account's is answered like what does not exist:
 * every method rejects with ServiceError site_not_found or run_not_found.
 */
export interface History {
  /** Every site of the account, in the order in which they were added. */
  overview(accountId: string): Promise<readonly SiteOverview[]>;
  site(request: SiteOfAccount): Promise<Site>;
  /** The newest runs first. `before`: only runs with a lower number. */
  page(
    request: SiteOfAccount & { readonly before?: number; readonly limit: number },
  ): Promise<{ readonly runs: readonly RunSummary[]; readonly hasMore: boolean }>;
  /** The site's latest run, or null when there is none. */
  latest(request: SiteOfAccount): Promise<RunReport | null>;
  run(request: SiteOfAccount & { readonly number: number }): Promise<RunReport>;
  /** The run byte for byte as it was stored: what the API sends too. */
  stored(request: SiteOfAccount & { readonly number: number }): Promise<Uint8Array>;
  /** What changed from run `from` to run `to`. */
  compare(request: SiteOfAccount & { readonly from: number; readonly to: number }): Promise<RunChanges>;
  /** Runs by hand that the site has left today (UTC), of how many. */
  manualBudget(request: SiteOfAccount): Promise<{ readonly left: number; readonly limit: number }>;
}

export function createHistory({ db, clock }: { readonly db: Database; readonly clock: Clock }): History {
  return {
    async overview(accountId) {
      const sites = await db.run(selectSitesOfAccount({ account_id: accountId }));
      const runs = await db.run(selectTrends({ account_id: accountId, count: TREND_RUNS_MAX }));
      const trends = new Map<string, RunSummary[]>(sites.map(({ id }) => [id, []]));
      for (const run of runs) trends.get(run.site_id)?.push(summaryOf(run));
      return sites.map((row) => ({ site: siteOf(row), trend: trends.get(row.id) ?? [] }));
    },
    async site(request) {
      return siteOf(await findOwnSite(db, request));
    },
    async page({ before = Infinity, limit, ...request }) {
      const { id, run_counter } = await findOwnSite(db, request);
      const last = Math.min(before - 1, run_counter);
      const first = Math.max(1, last - limit + 1);
      const runs = await db.run(selectRunSummaries({ site_id: id, first, last }));
      return { runs: runs.map(summaryOf), hasMore: first > 1 };
    },
    async latest(request) {
      const { id, run_counter } = await findOwnSite(db, request);
      return run_counter === 0 ? null : readReport(db, id, run_counter, run_counter);
    },
    async run({ number, ...request }) {
      const { id, run_counter } = await findOwnSite(db, request);
      assertRun(number, run_counter);
      return readReport(db, id, number, run_counter);
    },
    async stored({ number, ...request }) {
      const { id, run_counter } = await findOwnSite(db, request);
      assertRun(number, run_counter);
      const run = await runOne(db, selectRunBodies({ site_id: id, first: number, last: number }));
      if (!run) throw new ServiceError('run_not_found');
      return run.body;
    },
    async compare({ from, to, ...request }) {
      const { id, run_counter } = await findOwnSite(db, request);
      for (const number of [from, to]) assertRun(number, run_counter);
      const [[before], [now]] = await Promise.all([readRuns(db, id, from, from), readRuns(db, id, to, to)]);
      if (!before || !now) throw new ServiceError('run_not_found');
      return changesOf(before, now);
    },
    async manualBudget(request) {
      const { id } = await findOwnSite(db, request);
      const limit = DAILY_RUNS.MANUAL ?? Infinity;
      const taken = await runOne(db, selectDailyRuns({ site_id: id, day: utcDay(clock.now()), trigger: 'MANUAL' }));
      return { left: Math.max(0, limit - (taken?.used ?? 0)), limit };
    },
  };
}

function assertRun(number: number, latestNumber: number): void {
  if (!(Number.isInteger(number) && number >= 1 && number <= latestNumber)) throw new ServiceError('run_not_found');
}

async function readReport(db: Database, siteId: string, number: number, latestNumber: number): Promise<RunReport> {
  const runs = await readRuns(db, siteId, Math.max(1, number - SINCE_RUNS_MAX + 1), number);
  const [response, before] = runs;
  if (response?.run.number !== number) throw new ServiceError('run_not_found');
  // The numbers of a site have no gap, so its neighbours need no look.
  return {
    response,
    previousNumber: number > 1 ? number - 1 : null,
    nextNumber: number < latestNumber ? number + 1 : null,
    latestNumber,
    since: sinceOf(runs),
    changes: before ? changesOf(before, response) : null,
  };
}

/** The newest first, as they were stored. */
async function readRuns(db: Database, siteId: string, first: number, last: number): Promise<RunResponse[]> {
  const rows = await db.run(selectRunBodies({ site_id: siteId, first, last }));
  return rows.map(({ body }) => parseRun(body));
}

function changesOf(before: RunResponse, now: RunResponse): RunChanges {
  return { from: before.run, to: now.run, comparison: compareFindings(before.findings, now.findings) };
}

/** By check of the first of `runs` (the newest first, without a gap): where the row of its result begins. */
function sinceOf(runs: readonly RunResponse[]): ReadonlyMap<string, number> {
  const resultsByRun = runs.map(({ findings }) => new Map(findings.map(({ checkId, result }) => [checkId, result])));
  const since = new Map<string, number>();
  for (const [checkId, result] of resultsByRun[0] ?? []) {
    const otherwiseAt = resultsByRun.findIndex((results) => results.get(checkId) !== result);
    const first = runs[(otherwiseAt === -1 ? runs.length : otherwiseAt) - 1]?.run.number;
    if (first !== undefined && (otherwiseAt !== -1 || first === 1)) since.set(checkId, first);
  }
  return since;
}

function summaryOf({ number, reference, score, trigger, started_at, finished_at }: RunSummaryRow): RunSummary {
  return { number, reference, score, trigger, startedAt: started_at, finishedAt: finished_at };
}
