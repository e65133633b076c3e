import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { formatDay, formatTime } from '../../../web/kit/format.js';
import type { Trend } from '../../runs/overview.js';
import type { RunSummary } from '../../runs/run-lines.js';

/** A run as a drawing shows it. */
type Scored = Pick<RunSummary, 'number' | 'score'>;
type Charted = Scored & Pick<RunSummary, 'finishedAt'> & { readonly isWorse?: boolean };

/** In units of the drawing, which stretches to the width that there is: strokes keep theirs, so dots stay round. */
const CHART = { width: 1000, height: 100 };
/** Where runs without a score stand: in a row of their own below zero, since none of them is one. */
const UNSCORED_Y = 113;
/** Fewer scores show no way, and are told in words. */
const CHARTED_MIN = 2;
/** Above so many runs, dots would hide the line. */
const DOTS_MAX = 60;
const LABELS_MAX = 5;
/** How many scores the name of a chart says one by one. */
const TOLD_MAX = 30;

/** Whether there is a way to show. */
export function isCharted(runs: Trend): boolean {
  return scoresOf(runs).length >= CHARTED_MIN;
}

/** The score over the runs, oldest first and as far apart as each other. A run without a score is a gap, not a zero; dashes lead over it. */
export function ScoreChart({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const { width, height } = CHART;
  const place = (index: number): number => placeOf(index, runs.length, width);
  const level = (score: number): number => round(height - (score * height) / 100);
  const dots = { ok: '', worse: '', none: '' };
  for (const [index, { score, isWorse = false }] of runs.entries()) {
    const dot = `M${place(index)} ${score === null ? UNSCORED_Y : level(score)}h0`;
    if (score === null) dots.none += dot;
    else if (isWorse) dots.worse += dot;
    else dots.ok += dot;
  }
  const hasDots = runs.length <= DOTS_MAX;
  const grid = [0, 50, 100].map((score) => `M0 ${level(score)}h${width}`).join('');
  return (
    <>
      <div class={dots.none === '' ? 'chart' : 'chart gaps'}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={nameOf(runs)}>
          <path class="grid" d={grid} />
          <Path name="over" d={bridgesOf(runs, place, level)} />
          <Path name="trend" d={lineOf(runs, place, level)} />
          {hasDots && <Path name="dot" d={dots.ok} />}
          <Path name="dot-u" d={dots.none} />
          {hasDots && <Path name="dot-f" d={dots.worse} />}
        </svg>
        <span class="y y1">100</span>
        <span class="y y2">50</span>
        <span class="y y3">0</span>
        {dots.none !== '' && <span class="y y4">none</span>}
      </div>
      <Axis runs={runs} />
    </>
  );
}

function Path({ name, d }: { readonly name: string; readonly d: string }): JSX.Element | null {
  return d === '' ? null : <path class={name} d={d} />;
}

/** Days below the chart; times where all runs are of one day, the last of which is named. */
function Axis({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const times = runs.map(({ finishedAt }) => finishedAt);
  const last = times.at(-1) ?? '';
  const isOneDay = times.every((at) => at.slice(0, 10) === last.slice(0, 10));
  const count = Math.min(runs.length, LABELS_MAX);
  const indexes = Array.from({ length: count }, (_, step) =>
    count === 1 ? 0 : Math.round((step * (runs.length - 1)) / (count - 1)),
  );
  const words = indexes.map((index) => {
    const at = times[index] ?? '';
    if (!isOneDay) return formatDay(at, last);
    return at === last ? `${formatDay(at, last)}, ${formatTime(at)}` : formatTime(at);
  });
  return (
    <p class={count === 1 ? 'axis one' : 'axis'}>
      {words.map((word, index) => (
        <span key={indexes[index]}>{word === words[index - 1] && index < count - 1 ? '' : word}</span>
      ))}
    </p>
  );
}

/** In pixels, as the style sheet has it. */
const SPARK = { width: 76, middle: 11, reach: 9 };
/** Below this, a small change would look like a large one. */
const SPARK_SPAN_MIN = 24;

/** The same as small as a word, each on its own scale: it shows a way, not a height. Nothing where no run has a score. */
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

/** How the score went, in a sentence. */
export function describeTrend(runs: Trend): string {
  const scores = scoresOf(runs);
  if (scores.length === 0) return 'No run has a score yet';
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range = lowest === highest ? '' : `, lowest ${lowest}, highest ${highest}`;
  const gaps = runs.length - scores.length;
  const without = gaps === 0 ? '' : `, ${gaps} without a score`;
  return `${describeEnds(runs)}${range}${without}`;
}

/** `Score over 10 runs: from 64 to 77`. */
function describeEnds(runs: Trend): string {
  const scores = scoresOf(runs);
  const [first, last] = [scores.at(0), scores.at(-1)];
  const way = scores.every((score) => score === first) ? `always ${first}` : `from ${first} to ${last}`;
  return `Score over ${countOf(runs.length, 'run')}: ${way}`;
}

function nameOf(runs: readonly Scored[]): string {
  if (runs.length < 2 || runs.length > TOLD_MAX) return describeTrend(runs);
  return `${describeTrend(runs)}. Run by run: ${runs.map(({ score }) => score ?? 'no score').join(', ')}`;
}

function scoresOf(runs: Trend): number[] {
  return runs.flatMap(({ score }) => (score === null ? [] : [score]));
}

/** A line for each row of runs with a score; a run that stands alone is a dot. What lies on a level between two needs no point. */
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

/** From the last score before a gap to the first after it. */
function bridgesOf(runs: Trend, place: (index: number) => number, level: (score: number) => number): string {
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

/** One run lies in the middle. */
function placeOf(index: number, count: number, width: number): number {
  return round(count === 1 ? width / 2 : (index * width) / (count - 1));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
