import { compareEach, compareFindings, type ComparedRun, type Comparison } from '../../scanner/report/comparison.js';
import type { RunSummary } from './run-rows.js';

/** How many runs {@link findResultStarts} looks back. */
export const SINCE_RUNS_MAX = 50;

type ScoredRun = RunSummary & { readonly score: number };

/** A comparison of a run with the last earlier run that has a score. */
export interface RunChanges {
  readonly from: ScoredRun;
  readonly to: ScoredRun;
  readonly comparison: Comparison;
}

/** A run in the history of its site. */
export interface RunLine extends RunSummary {
  /** Null if this run or every earlier one has no score. */
  readonly change: RunChanges | null;
  /** True if a check newly fails and the score fell. */
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
 * @param findings findings of `to`; the comparison includes their titles, if they have any
 * @returns null if either run is missing or has no score
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
 * Returns the number of the run since which each check has had its result in the newest run, by check id. Skips runs without a score and
 * undetermined results. Omits a check whose result may be older than these runs.
 * @param runs newest first, without a gap
 */
export function findResultStarts(runs: readonly RunSummary[]): ReadonlyMap<string, number> {
  const [now] = runs;
  const scored = runs.filter((run) => run === now || hasScore(run));
  // Consecutive runs often share findings, so only the oldest run of each series is searched.
  const series = scored.filter(({ findings }, index) => findings !== scored[index + 1]?.findings);
  const resultMaps = series.map(({ findings }) => new Map(findings.map(({ checkId, result }) => [checkId, result])));
  const includesFirstRun = runs.at(-1)?.number === 1;
  const since = new Map<string, number>();
  for (const { checkId, result } of now?.findings ?? []) {
    const changedAt = resultMaps.findIndex((results) => ![result, 'UNDETERMINED'].includes(results.get(checkId) ?? ''));
    const end = changedAt === -1 ? series.length : changedAt;
    const first = series.findLast((_, index) => index < end && resultMaps[index]?.get(checkId) === result);
    if (first && (changedAt !== -1 || includesFirstRun)) since.set(checkId, first.number);
  }
  return since;
}
