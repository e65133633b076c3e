import { compareFindings } from '../../scanner/report/comparison.js';
import type { Database } from '../../store/database.js';
import { glanceOf, type SiteGlance } from '../sites/site-glance.js';
import {
  type OverviewRow,
  selectOverview,
  selectScoredResults,
  selectTrends,
  type TrendRow,
  type TrendText,
} from './overview-statements.js';
import { type CheckResult, parseResults, resultTexts } from './run-results.js';

/** A site in the list of an account's sites. */
export interface SiteOverview {
  readonly site: SiteGlance;
  /** The number of its latest run, 0 before the first. */
  readonly latestNumber: number;
  /** When that one finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many runs in a row have no score, the latest among them. */
  readonly unscoredRuns: number;
  /** The last run with a score; null where none of the last {@link LOOKED_AT_MAX} has one. */
  readonly judged: JudgedRun | null;
}

export interface JudgedRun {
  readonly score: number;
  readonly findings: readonly CheckResult[];
  /** What changed since the run with a score before it; null where there is none. */
  readonly change: OverviewChange | null;
}

/** Counts of a comparison. */
export interface OverviewChange {
  /** What the score gained; negative where it fell. */
  readonly points: number;
  readonly newFailures: number;
  readonly fixed: number;
}

/** How many runs of a site are looked through for the last that has a score, and for what earlier ones said of a check. */
const LOOKED_AT_MAX = 50;

/** How many runs the trend of a site in the list shows. */
const TREND_RUNS_MAX = 10;

/** Every site of the account, in no order. Of each, two runs are compared, whose results are parsed once. */
export async function readOverview(db: Database, accountId: string): Promise<readonly SiteOverview[]> {
  const rows = await db.run(selectOverview({ account_id: accountId, count: LOOKED_AT_MAX }));
  const earlier = await readEarlier(db, rows.filter(dependsOnEarlier));
  return rows.map((row) => ({
    site: glanceOf(row),
    latestNumber: row.run_counter,
    latestAt: row.latest_at,
    unscoredRuns: row.run_counter - Math.max(row.now_number ?? 0, row.run_counter - LOOKED_AT_MAX),
    judged: judgedOf(row, earlier.get(row.id) ?? []),
  }));
}

/** Scores of runs, oldest first. */
export type Trend = readonly { readonly score: number | null }[];

/** How a site of the list came here. */
export interface SiteTrend {
  /** Its last {@link TREND_RUNS_MAX} runs, oldest first. */
  readonly runs: Trend;
  /** Since when a check of it fails; null where none was asked about, or it does not fail now. */
  readonly failingSince: FailingSince | null;
}

export interface FailingSince {
  /** The number of the first run of the unbroken row that failed. Runs that could not determine the check do not break it. */
  readonly number: number;
  /** Whether the row may be longer than the runs that were looked at. */
  readonly isOpen: boolean;
}

/** A site, and a check that fails on it. */
export interface TrendAsked extends Pick<SiteOverview, 'site' | 'latestNumber'> {
  readonly gravest: CheckResult | null;
}

/** The last {@link TREND_RUNS_MAX} runs of some sites, by site id. */
export async function readTrends(db: Database, asked: readonly TrendAsked[]): Promise<ReadonlyMap<string, SiteTrend>> {
  const sites = asked.flatMap(({ site, latestNumber, gravest }) =>
    latestNumber === 0 ? [] : [{ site_id: site.id, latest: latestNumber, ...textsOf(gravest) }],
  );
  if (sites.length === 0) return new Map();
  const rows = await db.run(selectTrends({ sites: JSON.stringify(sites), count: TREND_RUNS_MAX }));
  const bySite = Map.groupBy(rows, ({ site_id }) => site_id);
  return new Map([...bySite].map(([id, runs]) => [id, { runs, failingSince: failingSinceOf(runs) }]));
}

/** No results have a line break in them. */
const NOWHERE = '\n';

/** In either form: see {@link selectTrends}. */
function textsOf(failure: CheckResult | null): Readonly<Record<TrendText, string>> {
  if (failure === null) return { failed_1: NOWHERE, failed_2: NOWHERE, open_1: NOWHERE, open_2: NOWHERE };
  const [failed, open] = [resultTexts(failure, 'FAIL'), resultTexts(failure, 'UNDETERMINED')];
  return { failed_1: failed[1], failed_2: failed[2], open_1: open[1], open_2: open[2] };
}

/** @param runs oldest first */
function failingSinceOf(runs: readonly TrendRow[]): FailingSince | null {
  const passed = runs.findLastIndex(({ failing, score }) => score !== null && failing === 0);
  const first = runs.slice(passed + 1).find(({ failing, score }) => score !== null && failing === 2);
  if (first === undefined) return null;
  return { number: first.number, isOpen: passed === -1 && (runs.at(0)?.number ?? 1) > 1 };
}

function judgedOf(row: OverviewRow, earlier: readonly (readonly CheckResult[])[]): JudgedRun | null {
  const { now_score: score, now_results, before_score, before_results } = row;
  if (score === null || now_results === null) return null;
  const findings = parseResults(now_results);
  if (before_score === null) return { score, findings, change: null };
  const points = score - before_score;
  // The same results change nothing, whatever earlier runs said.
  if (before_results === null) return { score, findings, change: { points, newFailures: 0, fixed: 0 } };
  const { newFailures, fixed } = compareFindings([parseResults(before_results), ...earlier], findings);
  return { score, findings, change: { points, newFailures: newFailures.length, fixed: fixed.length } };
}

/** Whether runs before the two have a say: a check passes or fails that the earlier of the two left open, or that did not apply. */
function dependsOnEarlier({ now_results, before_results }: OverviewRow): boolean {
  if (now_results === null || before_results === null) return false;
  const open = new Set(
    parseResults(before_results).flatMap(({ checkId, result }) =>
      result === 'UNDETERMINED' || result === 'NOT_APPLICABLE' ? [checkId] : [],
    ),
  );
  return parseResults(now_results).some(
    ({ checkId, result }) => (result === 'PASS' || result === 'FAIL') && open.has(checkId),
  );
}

/** By site id, the findings of the scored runs before those that are compared, the newest first. */
async function readEarlier(
  db: Database,
  rows: readonly OverviewRow[],
): Promise<ReadonlyMap<string, readonly (readonly CheckResult[])[]>> {
  const sites = rows.map(({ id, now_number, before_number }) => ({
    site_id: id,
    first: Math.max(1, (now_number ?? 0) - LOOKED_AT_MAX + 1),
    last: (before_number ?? 0) - 1,
  }));
  const earlier = new Map<string, (readonly CheckResult[])[]>(sites.map(({ site_id }) => [site_id, []]));
  if (sites.length === 0) return earlier;
  const runs = await db.run(selectScoredResults({ sites: JSON.stringify(sites) }));
  for (const { site_id, results } of runs) earlier.get(site_id)?.push(parseResults(results));
  return earlier;
}
