import { compareEach, compareFindings, type ComparedRun, type Comparison } from '../../scanner/report/comparison.js';
import type { RunSummary } from './run-rows.js';

/** A run in a site's history, compared with the last run before it that has a score. */
export interface RunLine extends RunSummary {
  /** Null if this run or every earlier one has no score. */
  readonly change: LineChange | null;
  /** True if something broke and the score fell. A fix that reveals another failure makes nothing worse. */
  readonly isWorse: boolean;
}

export interface LineChange {
  readonly scoreBefore: number;
  readonly comparison: Comparison;
}

/** A comparison of two runs that have a score. */
export interface RunChanges {
  readonly from: RunSummary;
  readonly to: RunSummary;
  readonly comparison: Comparison;
}

export function hasScore({ score }: Pick<RunSummary, 'score'>): boolean {
  return score !== null;
}

/** @param runs newest first, without a gap */
export function toRunLines(runs: readonly RunSummary[]): RunLine[] {
  const scored = runs.filter(hasScore).reverse();
  const comparisons = compareEach(scored);
  const changes = new Map<RunSummary, LineChange>();
  for (const [index, run] of scored.entries()) {
    const [comparison, scoreBefore] = [comparisons[index], scored[index - 1]?.score];
    if (comparison && typeof scoreBefore === 'number') changes.set(run, { scoreBefore, comparison });
  }
  return runs.map((run) => {
    const change = changes.get(run) ?? null;
    return { ...run, change, isWorse: change !== null && hasBroken(change, run.score ?? 0) };
  });
}

function hasBroken({ scoreBefore, comparison }: LineChange, score: number): boolean {
  return score < scoreBefore && comparison.newFailures.length > 0;
}

/**
 * Compares a run with the last earlier one that has a score.
 * @param earlier newest first
 * @param found findings of the run with their titles
 * @returns null if there is no such run, or this one has no score
 */
export function findChanges(
  earlier: readonly RunSummary[],
  to: RunSummary,
  found: ComparedRun['findings'],
): RunChanges | null {
  const [from, ...others] = earlier.filter(hasScore);
  if (!from || !hasScore(to)) return null;
  return { from, to, comparison: compareFindings([from, ...others], { findings: found, pages: to.pages }) };
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
