import type { Database } from '../../store/database.js';
import type { OwnSite } from '../sites/own-site.js';
import { type RunLine, linesOf } from './run-lines.js';
import { selectRunSheet } from './run-statements.js';
import { findingsOfPacked } from './run-texts.js';
import { failingOtherwise } from '../../scanner/report/comparison.js';
import { briefCause } from '../../scanner/report/no-score.js';

/** Which runs a sheet shows. */
export const RUN_FILTERS = ['all', 'changed', 'worse', 'unscored'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

/** How many of the latest runs the chart, the counts and the filters look at. */
export const CHART_RUNS_MAX = 500;
/** How many runs stand on a page. */
export const PAGE_RUNS = 50;
/** How many runs before the first one shown tell what it is compared with. */
const BEFORE_RUNS = 50;

/** A line as the sheet shows it. */
export interface SheetLine extends RunLine {
  /** Why the run has no score: `the site answered 503`; null where it has one, or the cause is none of the usual ones. */
  readonly cause: string | null;
}

/** The history of a site: a page of it, and the way of its score. */
export interface RunSheet {
  /** The newest first. */
  readonly lines: readonly SheetLine[];
  /** How many runs that the filter shows are newer than those. */
  readonly newerCount: number;
  /** The runs before this number stand on the page before this one; null on the first. */
  readonly newerBefore: number | null;
  /** The runs before this number stand on the next page; null on the last. */
  readonly olderBefore: number | null;
  /** The latest runs, the oldest first, at most {@link CHART_RUNS_MAX}. */
  readonly charted: readonly RunLine[];
  /** How many of those a filter shows. */
  readonly counts: Readonly<Record<RunFilter, number>>;
}

const SHOWS: Readonly<Record<RunFilter, (line: RunLine) => boolean>> = {
  all: () => true,
  changed: hasChange,
  worse: ({ isWorse }) => isWorse,
  unscored: ({ score }) => score === null,
};

export interface SheetAsked {
  readonly filter: RunFilter;
  /** Only runs with a lower number. */
  readonly before?: number;
}

export async function readRunSheet(
  db: Database,
  { id, latestNumber }: OwnSite,
  { filter, before = Infinity }: SheetAsked,
): Promise<RunSheet> {
  const unscored = new Map<number, Uint8Array>();
  const read = async (first: number, last: number): Promise<RunLine[]> => {
    const known = Math.max(1, first - BEFORE_RUNS);
    const rows = await db.run(selectRunSheet({ site_id: id, first: known, last }));
    for (const { number, unscored_body: body } of rows) if (body) unscored.set(number, body);
    return linesOf(rows).filter(({ number }) => number >= first);
  };
  const firstCharted = Math.max(1, latestNumber - CHART_RUNS_MAX + 1);
  const latest = await read(firstCharted, latestNumber);
  const last = Math.min(before - 1, latestNumber);
  const first = Math.max(1, last - PAGE_RUNS + 1);
  const isBeyond = filter === 'all' && first < firstCharted;
  const found = isBeyond
    ? await read(first, last)
    : latest.filter((line) => line.number <= last && SHOWS[filter](line));
  const lines = found.slice(0, PAGE_RUNS).map((line) => {
    const body = unscored.get(line.number);
    return { ...line, cause: body ? causeIn(body) : null };
  });
  const hasOlder = isBeyond ? first > 1 : found.length > lines.length || (filter === 'all' && first > 1);
  const newer =
    filter === 'all'
      ? Array.from({ length: latestNumber - last }, (_, index) => latestNumber - index)
      : latest.filter((line) => line.number > last && SHOWS[filter](line)).map(({ number }) => number);
  const newerFirst = newer.at(-PAGE_RUNS) ?? newer.at(0);
  return {
    lines,
    newerCount: newer.length,
    newerBefore: newerFirst === undefined ? null : newerFirst + 1,
    olderBefore: hasOlder ? (lines.at(-1)?.number ?? null) : null,
    charted: latest.toReversed(),
    counts: {
      all: latestNumber,
      changed: latest.filter(SHOWS.changed).length,
      worse: latest.filter(SHOWS.worse).length,
      unscored: latest.filter(SHOWS.unscored).length,
    },
  };
}

function causeIn(body: Uint8Array): string | null {
  try {
    return briefCause(findingsOfPacked(body));
  } catch {
    // Somebody has changed what is stored: the page of the run says so.
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
