import { failingOtherwise } from '../../scanner/report/comparison.js';
import { describeBriefly } from '../../scanner/report/no-score.js';
import type { Database } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import type { OwnSite } from '../sites/own-site.js';
import { unpackRun } from './run-bodies.js';
import { toRunLines, type RunLine } from './run-lines.js';
import { readRuns, type RunRow } from './run-rows.js';

/** Filters of the run history. */
export const RUN_FILTERS = ['all', 'changed', 'worse', 'unscored'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

const SHOWS: Readonly<Record<RunFilter, (line: RunLine) => boolean>> = {
  all: () => true,
  changed: hasChange,
  worse: ({ isWorse }) => isWorse,
  unscored: ({ score }) => score === null,
};

/** How many of the latest runs the chart, the counts and the filters cover. */
export const CHART_RUNS_MAX = 500;
/** How many runs a page shows. */
export const PAGE_RUNS = 50;
/** How many runs before the first one are read to compare it with. */
const EARLIER_RUNS = 50;

/** A run in the history. */
export interface HistoryLine extends RunLine {
  /** Why the run has no score, such as `the site answered 503`; null if it has one, or for an unusual cause. */
  readonly cause: string | null;
}

/** A page of a site's history, with its chart. */
export interface HistoryPage {
  /** Newest first. */
  readonly lines: readonly HistoryLine[];
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

/** Selects the runs without a score in a range of a site's runs. */
const selectUnscored = defineQuery<Pick<RunRow, 'number' | 'body'>, { site_id: string; first: number; last: number }>(
  (sql, { site_id, first, last }) =>
    sql('runs')
      .select('number', 'body')
      .where({ site_id })
      .where('number', '>=', first)
      .where('number', '<=', last)
      .whereNull('score'),
);

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
      : latest.filter(SHOWS[filter]).map(({ number }) => number);
  const newerCount = numbers.filter((number) => number >= before).length;
  const shown = new Set(numbers.slice(newerCount, newerCount + PAGE_RUNS));
  const [first, last] = [Math.min(...shown), Math.max(...shown)];
  const known = first < firstCharted ? await readLines(db, id, first, last) : latest;
  const lines = known.filter(({ number }) => shown.has(number));
  const causes = await readCauses(db, id, lines);
  const newerFirst = numbers[Math.max(0, newerCount - PAGE_RUNS)];
  const count = (of: RunFilter): number => latest.filter(SHOWS[of]).length;
  return {
    lines: lines.map((line) => ({ ...line, cause: causes.get(line.number) ?? null })),
    newerCount,
    newerBefore: newerCount > 0 && newerFirst !== undefined ? newerFirst + 1 : null,
    olderBefore: numbers.length > newerCount + PAGE_RUNS ? first : null,
    charted: latest.toReversed(),
    counts: { all: latestNumber, changed: count('changed'), worse: count('worse'), unscored: count('unscored') },
  };
}

/** Reads the runs from one number to another, newest first. */
async function readLines(db: Database, siteId: string, first: number, last: number): Promise<RunLine[]> {
  const known = await readRuns(db, siteId, { first: Math.max(1, first - EARLIER_RUNS), last });
  return toRunLines(known).filter(({ number }) => number >= first);
}

async function readCauses(
  db: Database,
  site_id: string,
  lines: readonly RunLine[],
): Promise<Map<number, string | null>> {
  const unscored = lines.filter(SHOWS.unscored);
  const [last, first] = [unscored.at(0)?.number, unscored.at(-1)?.number];
  if (first === undefined || last === undefined) return new Map();
  const rows = await db.run(selectUnscored({ site_id, first, last }));
  return new Map(rows.map(({ number, body }) => [number, readCause(body)]));
}

function readCause(body: Uint8Array): string | null {
  try {
    const { gap } = unpackRun(body).advice;
    return gap ? describeBriefly(gap) : null;
  } catch {
    // The stored run is damaged: its own page says so.
    return null;
  }
}

/** Whether a run found anything else than the last one before it that has a score. */
export function hasChange({ score, change }: RunLine): boolean {
  if (change === null) return false;
  const { newFailures, fixed, nowJudged } = change.comparison;
  const news = [newFailures, fixed, nowJudged, failingOtherwise(change.comparison)];
  return score !== change.scoreBefore || news.some(({ length }) => length > 0);
}
