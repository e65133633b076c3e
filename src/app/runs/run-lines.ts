import {
  compareEach,
  compareFindings,
  type ComparedRun,
  type Comparison,
  failingOtherwise,
} from '../../scanner/report/comparison.js';
import type { Database } from '../../store/database.js';
import type { OwnSite } from '../sites/site.js';
import { readRuns, type RunSummary } from './run-rows.js';

/** How many runs up to a run are searched for since when its checks have their results. */
export const SINCE_RUNS_MAX = 50;

export type ScoredRun = RunSummary & { readonly score: number };

/** A comparison of a run with the last earlier one that has a score. */
export interface RunChanges {
  readonly from: ScoredRun;
  readonly to: ScoredRun;
  readonly comparison: Comparison;
}

/** A run in a site's history. */
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
    return { ...run, change, isWorse: change !== null && isWorse(change) };
  });
}

function isWorse({ from, to, comparison }: RunChanges): boolean {
  return to.score < from.score && comparison.newFailures.length > 0;
}

/** True if a run found anything else than the last one before it that has a score. */
export function hasChange({ change }: RunLine): boolean {
  if (change === null) return false;
  const { from, to, comparison } = change;
  const news = [comparison.newFailures, comparison.fixed, comparison.nowJudged, failingOtherwise(comparison)];
  return to.score !== from.score || news.some(({ length }) => length > 0);
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
  const judged = runs.filter((run) => run === now || hasScore(run));
  // Most runs have the same findings as the one before: the first of a row is enough.
  const rows = judged.filter(({ findings }, index) => findings !== judged[index + 1]?.findings);
  const resultsByRow = rows.map(({ findings }) => new Map(findings.map(({ checkId, result }) => [checkId, result])));
  const isWhole = runs.at(-1)?.number === 1;
  const since = new Map<string, number>();
  for (const { checkId, result } of now?.findings ?? []) {
    const otherwiseAt = resultsByRow.findIndex(
      (results) => ![result, 'UNDETERMINED'].includes(results.get(checkId) ?? ''),
    );
    const end = otherwiseAt === -1 ? rows.length : otherwiseAt;
    const first = rows.findLast((_, index) => index < end && resultsByRow[index]?.get(checkId) === result);
    if (first && (otherwiseAt !== -1 || isWhole)) since.set(checkId, first.number);
  }
  return since;
}

const FILTERS = {
  all: () => true,
  changed: hasChange,
  worse: ({ isWorse }) => isWorse,
  unscored: ({ score }) => score === null,
} as const satisfies Readonly<Record<string, (line: RunLine) => boolean>>;

/** Filters of the run history. */
export type RunFilter = keyof typeof FILTERS;
export const RUN_FILTERS = Object.keys(FILTERS) as RunFilter[];

/** How many of the latest runs the chart, the counts and the filters cover. */
export const CHART_RUNS_MAX = 500;
/** How many runs a page shows. */
export const PAGE_RUNS = 50;

/** A page of a site's history, with its chart. */
export interface HistoryPage {
  /** Newest first. */
  readonly lines: readonly RunLine[];
  /** How many runs of the filter are newer than these. */
  readonly newerCount: number;
  /** The previous page shows the runs before this number; null on the first page. */
  readonly newerBefore: number | null;
  /** The next page shows the runs before this number; null on the last page. */
  readonly olderBefore: number | null;
  /** The latest runs, oldest first, at most {@link CHART_RUNS_MAX}. */
  readonly charted: readonly RunLine[];
  /** How many of those each filter shows. */
  readonly counts: Readonly<Record<RunFilter, number>>;
}

export interface HistoryRequest {
  readonly filter: RunFilter;
  /** Only runs with a lower number. */
  readonly before?: number;
}

export async function readHistoryPage(
  db: Database,
  { id, latestNumber }: OwnSite,
  { filter, before = Infinity }: HistoryRequest,
): Promise<HistoryPage> {
  const firstCharted = Math.max(1, latestNumber - CHART_RUNS_MAX + 1);
  const latest = await readLines(db, id, firstCharted, latestNumber);
  const numbers =
    filter === 'all'
      ? Array.from({ length: latestNumber }, (_, index) => latestNumber - index)
      : latest.filter(FILTERS[filter]).map(({ number }) => number);
  const newerCount = numbers.filter((number) => number >= before).length;
  const shown = numbers.slice(newerCount, newerCount + PAGE_RUNS);
  const [last = 0, first = Infinity] = [shown.at(0), shown.at(-1)];
  const known = first < firstCharted ? await readLines(db, id, first, last) : latest;
  const newerFirst = numbers[Math.max(0, newerCount - PAGE_RUNS)];
  const count = (of: RunFilter): number => latest.filter(FILTERS[of]).length;
  return {
    lines: known.filter(({ number }) => shown.includes(number)),
    newerCount,
    newerBefore: newerCount > 0 && newerFirst !== undefined ? newerFirst + 1 : null,
    olderBefore: numbers.length > newerCount + PAGE_RUNS ? first : null,
    charted: latest.toReversed(),
    counts: { all: latestNumber, changed: count('changed'), worse: count('worse'), unscored: count('unscored') },
  };
}

/** Reads the runs from one number to another, newest first, and those before that they are compared with. */
async function readLines(db: Database, siteId: string, first: number, last: number): Promise<RunLine[]> {
  const runs = await readRuns(db, siteId, Math.max(1, first - SINCE_RUNS_MAX), last);
  return toRunLines(runs).filter(({ number }) => number >= first);
}
