import { compareEach, compareFindings, type ComparedRun, type Comparison } from '../../scanner/report/comparison.js';
import type { Database } from '../../store/database.js';
import type { OwnSite } from '../sites/site.js';
import { readRuns, type RunSummary } from './run-rows.js';

/** How many runs up to a run are searched for since when its checks have their results. */
export const SINCE_RUNS_MAX = 50;

type ScoredRun = RunSummary & { readonly score: number };

/** A comparison of a run with the last earlier one that has a score. */
export interface RunChanges {
  readonly from: ScoredRun;
  readonly to: ScoredRun;
  readonly comparison: Comparison;
}

export interface RunLine extends RunSummary {
  /** Null if this run or every earlier one has no score. */
  readonly change: RunChanges | null;
  /** True if something broke and the score fell. A fix that reveals another failure makes nothing worse. */
  readonly isWorse: boolean;
}

export function hasScore(run: RunSummary): run is ScoredRun {
  return run.score !== null;
}

/** @param runs newest first, without a gap */
export function toRunLines(runs: readonly RunSummary[]): RunLine[] {
  const scored = runs.filter(hasScore).reverse();
  const comparisons = compareEach(scored);
  const changes = new Map<RunSummary, RunChanges>();
  for (const [index, to] of scored.entries()) {
    const [comparison, from] = [comparisons[index], scored[index - 1]];
    if (comparison && from) changes.set(to, { from, to, comparison });
  }
  return runs.map((run) => {
    const change = changes.get(run) ?? null;
    const isWorse = change !== null && change.to.score < change.from.score && change.comparison.newFailures.length > 0;
    return { ...run, change, isWorse };
  });
}

/**
 * Compares a run with the last earlier one that has a score.
 * @param earlier newest first
 * @param findings of the run; with titles, the comparison has them
 * @returns null if there is no such run, or this one has no score
 */
export function findChanges(
  earlier: readonly RunSummary[],
  to: RunSummary | undefined,
  findings: ComparedRun['findings'] = to?.findings ?? [],
): RunChanges | null {
  const [from, ...others] = earlier.filter(hasScore);
  if (!from || !to || !hasScore(to)) return null;
  return { from, to, comparison: compareFindings([from, ...others], { findings, pages: to.pages }) };
}

/**
 * Finds since which run each check of the first run has had its result. Runs without a score, or that could not determine the check, count
 * as the same. A check that may have had it for longer than these runs is left out.
 * @param runs newest first, without a gap
 */
export function findSince(runs: readonly RunSummary[]): ReadonlyMap<string, number> {
  const [now] = runs;
  const scored = runs.filter((run) => run === now || hasScore(run));
  // Most runs have the same findings as the one before: the first of a row is enough.
  const rows = scored.filter(({ findings }, index) => findings !== scored[index + 1]?.findings);
  const resultsByRow = rows.map(({ findings }) => new Map(findings.map(({ checkId, result }) => [checkId, result])));
  const includesFirstRun = runs.at(-1)?.number === 1;
  const since = new Map<string, number>();
  for (const { checkId, result } of now?.findings ?? []) {
    const otherwiseAt = resultsByRow.findIndex(
      (results) => ![result, 'UNDETERMINED'].includes(results.get(checkId) ?? ''),
    );
    const end = otherwiseAt === -1 ? rows.length : otherwiseAt;
    const first = rows.findLast((_, index) => index < end && resultsByRow[index]?.get(checkId) === result);
    if (first && (otherwiseAt !== -1 || includesFirstRun)) since.set(checkId, first.number);
  }
  return since;
}

/** How many of the latest runs the chart shows. */
const CHART_RUNS_MAX = 500;
/** How many runs a page of the history shows. */
export const PAGE_RUNS = 50;

/** A page of a site's history, with its chart. */
export interface HistoryPage {
  /** Newest first, without a gap. Empty only before the first run. */
  readonly lines: readonly RunLine[];
  /** The latest runs, oldest first. */
  readonly charted: readonly RunLine[];
}

/** @param before the page shows the runs before this number */
export async function readHistoryPage(
  db: Database,
  { id, latestNumber }: OwnSite,
  before = Infinity,
): Promise<HistoryPage> {
  const last = Math.max(1, Math.min(latestNumber, before - 1));
  const first = Math.max(1, last - PAGE_RUNS + 1);
  const firstCharted = Math.max(1, latestNumber - CHART_RUNS_MAX + 1);
  const charted = await readLines(db, id, firstCharted, latestNumber);
  const read = first >= firstCharted ? charted : await readLines(db, id, first, last);
  return {
    lines: read.filter(({ number }) => number >= first && number <= last),
    charted: charted.toReversed(),
  };
}

/** Reads the runs from one number to another, newest first, and those before that they are compared with. */
async function readLines(db: Database, siteId: string, first: number, last: number): Promise<RunLine[]> {
  const runs = await readRuns(db, siteId, first - SINCE_RUNS_MAX, last);
  return toRunLines(runs).filter(({ number }) => number >= first);
}
