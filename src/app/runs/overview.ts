import { BoundedMap } from '../../net/keyed.js';
import { type ComparedRun, compareFindings } from '../../scanner/report/comparison.js';
import { type Database, runOne } from '../../store/database.js';
import { UNSCORED_RUNS_MAX } from './last-scored.js';
import { glanceOf, type SiteGlance } from '../sites/site-glance.js';
import {
  type GlancedRow,
  type LastRunsRow,
  parseGlances,
  selectGlances,
  selectLastRuns,
  selectTrends,
  type TrendRow,
  type TrendText,
} from './overview-statements.js';
import { unpackPages } from './run-pages.js';
import { type CheckResult, parseResults, resultTexts } from './run-results.js';
import { readScoredRuns } from './scored-runs.js';

/** A site in the list of an account's sites. */
export interface SiteOverview extends Standing {
  readonly site: SiteGlance;
}

/** What its runs say of a site. */
interface Standing {
  /** Of its latest run; empty before the first. */
  readonly etag: string;
  /** The number of its latest run, 0 before the first. */
  readonly latestNumber: number;
  /** When that one finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many runs in a row have no score, the latest among them. */
  readonly unscoredRuns: number;
  /** The last run with a score; null where none of the last {@link UNSCORED_RUNS_MAX} has one. */
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

/** How many runs the trend of a site in the list shows. */
const TREND_RUNS_MAX = 10;

const NOT_RUN: Standing = { etag: '', latestNumber: 0, latestAt: null, unscoredRuns: 0, judged: null };

/** By the entity tag of its latest run: no run changes, so what they say of a site stays until the next one. Some 300 bytes each. */
const STANDINGS = new BoundedMap<string, Standing>(10_000);
/** By the same, some 1.5 kB each. */
const TRENDS = new BoundedMap<string, SiteTrend>(2000);

/** By account, what was read and what it says: good for as long as the same is read. The next collection of garbage takes it. */
const OVERVIEWS = new BoundedMap<string, WeakRef<HeldOverview>>(1000);

interface HeldOverview {
  readonly glances: string;
  readonly overviews: readonly SiteOverview[];
}

/** Every site of the account, in no order: the same array for as long as nothing has changed. */
export async function readOverview(db: Database, accountId: string): Promise<readonly SiteOverview[]> {
  const { glances = '[]' } = (await runOne(db, selectGlances({ account_id: accountId }))) ?? {};
  const held = OVERVIEWS.get(accountId)?.deref();
  if (held?.glances === glances) return held.overviews;
  const rows = parseGlances(glances);
  const overviews = await overviewsOf(db, rows);
  // A run that ended in between is not what was read.
  const isOfSame = overviews.every(({ etag }, index) => etag === (rows[index]?.etag ?? NOT_RUN.etag));
  if (isOfSame) OVERVIEWS.set(accountId, new WeakRef({ glances, overviews }));
  return overviews;
}

async function overviewsOf(db: Database, rows: readonly GlancedRow[]): Promise<readonly SiteOverview[]> {
  const known = rows.map(({ etag }) => (etag === null ? NOT_RUN : STANDINGS.get(etag)));
  const read = await readStandings(
    db,
    rows.filter((_row, index) => !known[index]),
  );
  return rows.map((row, index) => ({ site: glanceOf(row), ...(known[index] ?? read.get(row.id) ?? NOT_RUN) }));
}

/** By site id. Of each, two runs are compared, whose results are parsed once. */
async function readStandings(db: Database, sites: readonly GlancedRow[]): Promise<ReadonlyMap<string, Standing>> {
  const read = new Map<string, Standing>();
  if (sites.length === 0) return read;
  const ids = JSON.stringify(sites.map(({ id }) => ({ site_id: id })));
  const rows = await db.run(selectLastRuns({ sites: ids, count: UNSCORED_RUNS_MAX }));
  const judged = await judgeAll(db, rows);
  for (const row of rows) {
    const { id, etag, run_counter: latestNumber, latest_at: latestAt, now_number } = row;
    const unscoredRuns = latestNumber - Math.max(now_number ?? 0, latestNumber - UNSCORED_RUNS_MAX);
    const standing = { etag, latestNumber, latestAt, unscoredRuns, judged: judged.get(id) ?? null };
    read.set(id, standing);
    STANDINGS.set(etag, standing);
  }
  return read;
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
export interface TrendAsked extends Pick<SiteOverview, 'site' | 'latestNumber' | 'etag'> {
  readonly gravest: CheckResult | null;
}

/** The last {@link TREND_RUNS_MAX} runs of some sites, by site id. */
export async function readTrends(db: Database, asked: readonly TrendAsked[]): Promise<ReadonlyMap<string, SiteTrend>> {
  const trends = new Map<string, SiteTrend>();
  const unknown = asked.filter(({ site, etag, latestNumber }) => {
    const known = TRENDS.get(etag);
    if (known) trends.set(site.id, known);
    return !known && latestNumber > 0;
  });
  if (unknown.length === 0) return trends;
  const sites = unknown.map(({ site, latestNumber, gravest }) => ({
    ...{ site_id: site.id, latest: latestNumber },
    ...textsOf(gravest),
  }));
  const rows = await db.run(selectTrends({ sites: JSON.stringify(sites), count: TREND_RUNS_MAX }));
  const bySite = Map.groupBy(rows, ({ site_id }) => site_id);
  for (const { site, etag } of unknown) {
    const runs = bySite.get(site.id);
    if (!runs) continue;
    const trend = { runs, failingSince: failingSinceOf(runs) };
    trends.set(site.id, trend);
    TRENDS.set(etag, trend);
  }
  return trends;
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

/** By site id, the later run of the two with what changed: null where it has no score. */
async function judgeAll(db: Database, rows: readonly LastRunsRow[]): Promise<ReadonlyMap<string, JudgedRun | null>> {
  const earlier = await readEarlier(db, rows.filter(dependsOnEarlier));
  return new Map(rows.map((row) => [row.id, judgedOf(row, earlier.get(row.id) ?? [])]));
}

function judgedOf(row: LastRunsRow, earlier: readonly ComparedRun[]): JudgedRun | null {
  const { now_score: score, now_results, before_score, before_results } = row;
  if (score === null || now_results === null) return null;
  const findings = parseResults(now_results);
  if (before_score === null) return { score, findings, change: null };
  const points = score - before_score;
  // The same results change nothing, whatever earlier runs said.
  if (before_results === null) return { score, findings, change: { points, newFailures: 0, fixed: 0 } };
  const before = { findings: parseResults(before_results), pages: unpackPages(row.before_pages) };
  const now = { findings, pages: unpackPages(row.now_pages) };
  const { newFailures, fixed } = compareFindings([before, ...earlier], now);
  return { score, findings, change: { points, newFailures: newFailures.length, fixed: fixed.length } };
}

/**
 * Whether runs before the two have a say: a check passes or fails that the earlier of the two left open, or that did not apply; or only
 * some pages show a failure, which those runs may have read.
 */
function dependsOnEarlier({ now_results, before_results, now_pages }: LastRunsRow): boolean {
  if (now_results === null || before_results === null) return false;
  if (Object.keys(unpackPages(now_pages)?.found ?? {}).length > 0) return true;
  const open = new Set(
    parseResults(before_results).flatMap(({ checkId, result }) =>
      result === 'UNDETERMINED' || result === 'NOT_APPLICABLE' ? [checkId] : [],
    ),
  );
  return parseResults(now_results).some(
    ({ checkId, result }) => (result === 'PASS' || result === 'FAIL') && open.has(checkId),
  );
}

/** By site id, the scored runs before those that are compared, the newest first. */
function readEarlier(db: Database, rows: readonly LastRunsRow[]): Promise<ReadonlyMap<string, readonly ComparedRun[]>> {
  const ranges = rows.map(({ id, now_number, before_number }) => ({
    siteId: id,
    first: Math.max(1, (now_number ?? 0) - UNSCORED_RUNS_MAX + 1),
    last: (before_number ?? 0) - 1,
  }));
  return readScoredRuns(db, ranges);
}
