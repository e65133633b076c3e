import { compareEach, type Comparison } from '../../scanner/report/comparison.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { Trigger } from './run.js';
import { labelOfRow, type RunLabel } from './run-label.js';
import { unpackPages } from './run-pages.js';
import { type CheckResult, parseResults, type RunResults } from './run-results.js';
import type { RunResultsRow, RunSummaryRow } from './run-statements.js';

/** What is known of a run without its findings. */
export interface RunSummary {
  readonly number: number;
  readonly reference: string;
  readonly score: number | null;
  readonly trigger: Trigger;
  readonly label: RunLabel | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** A line of a site's history: what a run came to, alongside the last one before it that has a score. */
export interface RunLine extends RunSummary {
  readonly results: readonly CheckResult[];
  readonly pages: SampledPages | null;
  /** Null where this run or every earlier one has no score. */
  readonly change: LineChange | null;
  /** Whether something broke and the score fell: a fix that brings a failure into view makes nothing worse. */
  readonly isWorse: boolean;
}

export interface LineChange {
  readonly scoreBefore: number;
  readonly comparison: Comparison;
}

/** @param rows without a gap, the newest first, as are the lines */
export function linesOf(rows: readonly RunResultsRow[]): RunLine[] {
  const oldestFirst = rows
    .toReversed()
    .map((row) => ({ summary: summaryOf(row), results: parseResults(row.results), pages: unpackPages(row.pages) }));
  const comparisons = compareEach(
    oldestFirst.flatMap(({ summary, results, pages }) =>
      summary.score === null ? [] : [{ findings: results, pages }],
    ),
  ).values();
  let scoreBefore: number | null = null;
  const lines = oldestFirst.map(({ summary, results, pages }): RunLine => {
    const { score } = summary;
    if (score === null) return { ...summary, results, pages, change: null, isWorse: false };
    const comparison = comparisons.next().value ?? null;
    const change = comparison && scoreBefore !== null ? { scoreBefore, comparison } : null;
    scoreBefore = score;
    return { ...summary, results, pages, change, isWorse: change !== null && hasBroken(change, score) };
  });
  return lines.reverse();
}

function hasBroken({ scoreBefore, comparison }: LineChange, score: number): boolean {
  return score < scoreBefore && comparison.newFailures.length > 0;
}

export function summaryOf({ number, reference, score, trigger, ...row }: RunSummaryRow): RunSummary {
  const { started_at: startedAt, finished_at: finishedAt } = row;
  return { number, reference, score, trigger, label: labelOfRow(row), startedAt, finishedAt };
}

export function resultsOf(row: RunResultsRow): RunResults {
  return { run: summaryOf(row), findings: parseResults(row.results), pages: unpackPages(row.pages) };
}

/** A line as what is compared between runs. */
export function resultsOfLine(line: RunLine): RunResults {
  const { number, reference, score, trigger, startedAt, finishedAt, results: findings, pages } = line;
  return { run: { number, reference, score, trigger, startedAt, finishedAt }, findings, pages };
}
