import { compareFindings, type Comparison } from '../../scanner/report/comparison.js';
import type { RunResponse } from './run.js';
import type { RunResults } from './run-results.js';

/** One run alongside an earlier one, or any other; both have a score. */
export interface RunChanges {
  readonly from: RunResponse['run'];
  readonly to: RunResponse['run'];
  readonly comparison: Comparison;
}

/**
 * @param earlier runs, the newest first, with or without a score
 * @param pages which the later run looked at
 */
export function changesOf(
  earlier: readonly RunResults[],
  now: RunResponse,
  pages: RunResults['pages'],
): RunChanges | null {
  const [before, ...others] = earlier.filter(hasScore);
  if (!before || now.run.score === null) return null;
  const comparison = compareFindings([before, ...others], { findings: now.findings, pages });
  return { from: before.run, to: now.run, comparison };
}

export function hasScore({ run }: RunResults): boolean {
  return run.score !== null;
}

/** By check of the first of `runs` (the newest first, without a gap): where the row of its result begins. */
export function sinceOf(runs: readonly RunResults[]): ReadonlyMap<string, number> {
  const [now] = runs;
  const judged = runs.filter((run) => run === now || hasScore(run));
  // Most runs find the same as the one before: of a row of them the first says it all.
  const rows = judged.filter(({ findings }, index) => findings !== judged[index + 1]?.findings);
  const resultsByRow = rows.map(({ findings }) => new Map(findings.map(({ checkId, result }) => [checkId, result])));
  const isWhole = runs.at(-1)?.run.number === 1;
  const since = new Map<string, number>();
  for (const { checkId, result } of now?.findings ?? []) {
    const otherwiseAt = resultsByRow.findIndex(
      (results) => ![result, 'UNDETERMINED'].includes(results.get(checkId) ?? ''),
    );
    const end = otherwiseAt === -1 ? rows.length : otherwiseAt;
    const first = rows.findLast((_, index) => index < end && resultsByRow[index]?.get(checkId) === result);
    if (first && (otherwiseAt !== -1 || isWhole)) since.set(checkId, first.run.number);
  }
  return since;
}
