import type { Trend } from '../../app/runs/overview.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { formatDay } from '../html/text.js';

type Charted = Pick<RunSummary, 'number' | 'score' | 'finishedAt'> & { readonly isWorse?: boolean };

/** More dots would hide the line. */
const DOTS_MAX = 60;

/** True if there are at least two scores to draw a line between. */
export function isCharted(runs: Trend): boolean {
  return scoresOf(runs).length > 1;
}

/** The score over the runs, evenly spaced. A run without a score is a gap, not a zero. @param props.runs oldest first */
export function ScoreChart({ runs }: { readonly runs: readonly Charted[] }) {
  const points = pointsOf(runs, 1000, (score) => 100 - score);
  const dots = (isDrawn: (run: Charted) => boolean): string =>
    runs.map((run, index) => (points[index] && isDrawn(run) ? `M${points[index].join(' ')}h0` : '')).join('');
  const [first, last] = [runs.at(0), runs.at(-1)];
  return (
    <div class="chart">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={describeRuns(runs)}>
        <path class="grid" d="M0 0h1000M0 50h1000M0 100h1000" />
        <path class="trend" d={lineOf(points)} />
        <path class="dot" d={dots(({ isWorse }) => !isWorse && runs.length <= DOTS_MAX)} />
        {runs.some(({ isWorse }) => isWorse) && <path class="dot-f" d={dots(({ isWorse }) => isWorse === true)} />}
      </svg>
      <div class="scale">
        <span>100</span>
        <span>50</span>
        <span>0</span>
      </div>
      {first && last && (
        <p class="axis">
          <span>{formatDay(first.finishedAt, last.finishedAt)}</span>
          <span>{formatDay(last.finishedAt, last.finishedAt)}</span>
        </p>
      )}
    </div>
  );
}

/** Below this span, a small change would look like a large one. */
const SPARK_SPAN_MIN = 24;

/** A chart as small as a word, on its own scale; nothing if no run has a score. The style sheet has its size. */
export function Sparkline({ runs }: { readonly runs: Trend }) {
  const scores = scoresOf(runs);
  if (scores.length === 0) return null;
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const scale = 18 / Math.max(SPARK_SPAN_MIN, highest - lowest);
  const points = pointsOf(runs, 76, (score) => 11 - (score - (lowest + highest) / 2) * scale);
  const last = points.at(-1);
  return (
    <svg class="spark" role="img" aria-label={describeRuns(runs)}>
      <path class="trend" d={lineOf(points)} />
      {last && <path class="dot" d={`M${last.join(' ')}h0`} />}
    </svg>
  );
}

/** Describes a chart: `Score over 10 runs: from 64 to 77, lowest 60, highest 82, 1 without a score`. */
export function describeRuns(runs: Trend): string {
  const scores = scoresOf(runs);
  const [first, last] = [scores.at(0), scores.at(-1)];
  if (first === undefined || last === undefined) return 'No run has a score yet';
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const words = [
    first === last ? String(first) : `from ${first} to ${last}`,
    ...(lowest < Math.min(first, last) ? [`lowest ${lowest}`] : []),
    ...(highest > Math.max(first, last) ? [`highest ${highest}`] : []),
    ...(scores.length < runs.length ? [`${runs.length - scores.length} without a score`] : []),
  ];
  return `Score over ${countOf(runs.length, 'run')}: ${words.join(', ')}`;
}

function scoresOf(runs: Trend): number[] {
  return runs.flatMap(({ score }) => (score === null ? [] : [score]));
}

/** Null for a run without a score. */
type Point = readonly [x: number, y: number] | null;

/** Returns a point for each run. A single run is in the middle. */
function pointsOf(runs: Trend, width: number, yOf: (score: number) => number): Point[] {
  return runs.map(({ score }, index) =>
    score === null
      ? null
      : [Math.round(runs.length === 1 ? width / 2 : (index * width) / (runs.length - 1)), Math.round(yOf(score))],
  );
}

/** Draws a line through the points, and a dot for a point between two gaps. */
function lineOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      if (!point) return '';
      if (points[index - 1]) return `L${point.join(' ')}`;
      return `M${point.join(' ')}${points[index + 1] ? '' : 'h0'}`;
    })
    .join('');
}
