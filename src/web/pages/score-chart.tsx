import type { JSX } from 'preact';
import type { Trend } from '../../app/runs/overview.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { formatDay } from '../html/format.js';

/** A run in the chart. */
type Charted = Pick<RunSummary, 'number' | 'score' | 'finishedAt'> & { readonly isWorse?: boolean };

/** In units of the drawing, which stretches to the available width. */
const CHART = { width: 1000, height: 100 };
/** Height of runs without a score: below zero, which is a score. */
const UNSCORED_Y = 113;
/** More dots would hide the line. */
const DOTS_MAX = 60;
/** Labels on the axis; a narrow chart shows the first, the middle and the last. */
const LABELS_MAX = 5;

/** True if there are at least two scores to draw a line between. */
export function isCharted(runs: Trend): boolean {
  return scoresOf(runs).length > 1;
}

/** The score over the runs, evenly spaced. A run without a score is a gap, not a zero. @param props.runs oldest first */
export function ScoreChart({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const { width, height } = CHART;
  const place = (index: number): number => placeOf(index, runs.length, width);
  const level = (score: number): number => round(height - (score * height) / 100);
  const dots = (isDrawn: (run: Charted) => boolean): string =>
    runs
      .map((run, index) =>
        isDrawn(run) ? `M${place(index)} ${run.score === null ? UNSCORED_Y : level(run.score)}h0` : '',
      )
      .join('');
  const hasGaps = runs.some(({ score }) => score === null);
  return (
    <div class={hasGaps ? 'chart gaps' : 'chart'}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={describeRuns(runs)}>
        <path class="grid" d={[0, 50, 100].map((score) => `M0 ${level(score)}h${width}`).join('')} />
        <Path name="over" d={gapsOf(runs, place, level)} />
        <Path name="trend" d={lineOf(runs, place, level)} />
        <Path
          name="dot"
          d={dots(({ score, isWorse }) => runs.length <= DOTS_MAX && score !== null && isWorse !== true)}
        />
        <Path name="dot-u" d={dots(({ score }) => score === null)} />
        <Path name="dot-f" d={dots(({ score, isWorse }) => score !== null && isWorse === true)} />
      </svg>
      <Scores runs={runs} />
      <span class="y y1">100</span>
      <span class="y y2">50</span>
      <span class="y y3">0</span>
      {hasGaps && <span class="y y4">no score</span>}
      <Axis runs={runs} />
    </div>
  );
}

function Path({ name, d }: { readonly name: string; readonly d: string }): JSX.Element | null {
  return d === '' ? null : <path class={name} d={d} />;
}

/** The first and the last score, in figures. */
function Scores({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const scored = runs.flatMap(({ score }, index) => (score === null ? [] : [{ score, index }]));
  const ends = scored.length > 1 ? [scored.at(0), scored.at(-1)] : scored;
  return (
    <svg class="values" aria-hidden="true">
      {ends.map(
        (end) =>
          end && (
            <Label key={end.index} at={end.index} count={runs.length} y={`${100 - end.score}%`} dy={-9}>
              {end.score}
            </Label>
          ),
      )}
    </svg>
  );
}

/** Days below the chart; run numbers if all runs are of one day. */
function Axis({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const last = runs.at(-1)?.finishedAt ?? '';
  const isOneDay = runs.every(({ finishedAt }) => finishedAt.slice(0, 10) === last.slice(0, 10));
  const count = Math.min(runs.length, LABELS_MAX);
  const labels = Array.from({ length: count }, (_, step) => {
    const index = count === 1 ? 0 : Math.round((step * (runs.length - 1)) / (count - 1));
    const { number, finishedAt } = runs[index] ?? {};
    return { index, word: isOneDay ? `Run ${number}` : formatDay(finishedAt ?? '', last) };
  });
  const isEnd = (step: number): boolean => step === 0 || step === count - 1;
  return (
    <svg class="axis">
      {labels
        .filter(({ word }, step) => isEnd(step) || word !== labels[step - 1]?.word)
        .map(({ index, word }) => (
          <Label
            key={index}
            name={isEnd(labels.findIndex((label) => label.index === index)) ? undefined : 'inner'}
            at={index}
            count={runs.length}
            dy={14}
          >
            {word}
          </Label>
        ))}
    </svg>
  );
}

interface LabelProps {
  /** Index of the run. */
  readonly at: number;
  readonly count: number;
  readonly y?: string;
  /** In pixels. */
  readonly dy: number;
  readonly name?: string | undefined;
  readonly children: string | number;
}

/** Text above or below a run; at the ends it stays within the chart. */
function Label({ at, count, y, dy, name, children }: LabelProps): JSX.Element {
  const x = placeOf(at, count, 100);
  return (
    <text class={name} x={`${x}%`} y={y} dy={dy} text-anchor={x === 0 ? 'start' : x === 100 ? 'end' : undefined}>
      {children}
    </text>
  );
}

/** Dashes from the last score before a gap to the first after it. */
function gapsOf(runs: Trend, place: (index: number) => number, level: (score: number) => number): string {
  const scored = runs.flatMap(({ score }, index) =>
    score === null ? [] : [{ index, point: `${place(index)} ${level(score)}` }],
  );
  return scored
    .map(({ index, point }, step) => {
      const before = scored[step - 1];
      return before && before.index < index - 1 ? `M${before.point}L${point}` : '';
    })
    .join('');
}

/** In pixels, as in the style sheet. */
const SPARK = { width: 76, middle: 11, reach: 9 };
/** Below this span, a small change would look like a large one. */
const SPARK_SPAN_MIN = 24;

/** A chart as small as a word, on its own scale; nothing if no run has a score. */
export function Sparkline({ runs }: { readonly runs: Trend }): JSX.Element | null {
  const scores = scoresOf(runs);
  if (scores.length === 0) return null;
  const { width, middle, reach } = SPARK;
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const half = Math.max(SPARK_SPAN_MIN, highest - lowest) / 2;
  const place = (index: number): number => Math.round(placeOf(index, runs.length, width));
  const level = (score: number): number => round(middle - ((score - (lowest + highest) / 2) / half) * reach);
  const last = runs.at(-1)?.score ?? null;
  return (
    <svg class="spark" role="img" aria-label={describeEnds(runs)}>
      <path class="trend" d={lineOf(runs, place, level)} />
      {last !== null && <path class="dot" d={`M${place(runs.length - 1)} ${level(last)}h0`} />}
    </svg>
  );
}

/** More scores are not listed one by one. */
const LISTED_MAX = 30;

/** Describes the chart: ends, extremes, and the runs if there are few. */
export function describeRuns(runs: Trend): string {
  const scores = scoresOf(runs);
  if (scores.length === 0) return 'No run has a score yet';
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range = lowest === highest ? '' : `, lowest ${lowest}, highest ${highest}`;
  const gaps = runs.length - scores.length;
  const without = gaps === 0 ? '' : `, ${gaps} without a score`;
  const isListed = runs.length > 1 && runs.length <= LISTED_MAX;
  const each = isListed ? `. Run by run: ${runs.map(({ score }) => score ?? 'no score').join(', ')}` : '';
  return `${describeEnds(runs)}${range}${without}${each}`;
}

/** `Score over 10 runs: from 64 to 77` */
function describeEnds(runs: Trend): string {
  const scores = scoresOf(runs);
  const [first, last] = [scores.at(0), scores.at(-1)];
  const course = scores.every((score) => score === first) ? `always ${first}` : `from ${first} to ${last}`;
  return `Score over ${countOf(runs.length, 'run')}: ${course}`;
}

function scoresOf(runs: Trend): number[] {
  return runs.flatMap(({ score }) => (score === null ? [] : [score]));
}

/** A line through runs with a score; a run between two gaps is a dot. Points on a level line are left out. */
function lineOf(runs: Trend, place: (index: number) => number, level: (score: number) => number): string {
  const scoreAt = (index: number): number | null => runs[index]?.score ?? null;
  return runs
    .map(({ score }, index) => {
      if (score === null) return '';
      const point = `${place(index)} ${level(score)}`;
      const [before, after] = [scoreAt(index - 1), scoreAt(index + 1)];
      if (before === score && after === score) return '';
      if (before !== null) return `L${point}`;
      return after === null ? `M${point}h0` : `M${point}`;
    })
    .join('');
}

/** A single run is in the middle. */
function placeOf(index: number, count: number, width: number): number {
  return round(count === 1 ? width / 2 : (index * width) / (count - 1));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
