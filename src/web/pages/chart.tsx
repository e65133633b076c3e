import type { JSX } from 'preact';
import { formatDay } from '../html/format.js';
import type { Trend } from '../../app/runs/overview.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { describeRuns, lineOf, placeOf, round, scoresOf } from './trend.js';

/** A run as a drawing shows it. */
type Charted = Pick<RunSummary, 'number' | 'score' | 'finishedAt'> & { readonly isWorse?: boolean };

/** In units of the drawing, which stretches to the width that there is: strokes keep theirs, so dots stay round. */
const CHART = { width: 1000, height: 100 };
/** Where runs without a score stand: in a row of their own below zero, since none of them is one. */
const UNSCORED_Y = 113;
/** Fewer scores show no way, and are told in words. */
const CHARTED_MIN = 2;
/** Above so many runs, dots would hide the line. */
const DOTS_MAX = 60;
/** Above so many runs, several share a point: else the line would be a comb. */
const POINTS_MAX = 100;
/** So few are all told by their scores, too: of more, the ends and the extremes. */
const TOLD_MAX = 8;
/** How far apart scores of many are told, as a share of the chart. */
const TOLD_APART = 1 / 6;
/** How far above its point a score stands, or below it: in pixels, from its base line. */
const TOLD_DY = { above: -9, below: 19 };
/** Below this score there is no room below it. */
const BELOW_MIN = 30;
/** Days below a chart, or runs: where it is narrow, the ends and the middle alone. */
const LABELS_MAX = 5;
/** Whether there is a way to show. */
export function isCharted(runs: Trend): boolean {
  return scoresOf(runs).length >= CHARTED_MIN;
}

/** How many runs share a point of their chart. */
export function runsPerPoint(runCount: number): number {
  return Math.ceil(runCount / POINTS_MAX);
}

interface ScoreChartProps {
  /** The oldest first, without a gap. */
  readonly runs: readonly Charted[];
  /** The numbers of those that a list next to it has: where it has not all, they are marked, see {@link markOf}. */
  readonly listed?: ReadonlySet<number>;
}

/**
 * The score over the runs, as far apart as each other. A run without a score is a gap, not a zero; dashes lead over it. Where several runs
 * share a point it is their average, with a bar from the lowest to the highest.
 */
export function ScoreChart({ runs, listed }: ScoreChartProps): JSX.Element {
  const { width, height } = CHART;
  const perPoint = runsPerPoint(runs.length);
  const points = pointsOf(runs, perPoint);
  const place = (index: number): number => placeOf(points[index]?.at ?? 0, runs.length, width);
  const level = (score: number): number => round(height - (score * height) / 100);
  const draw = (stroke: (point: Point, x: number) => string): string =>
    points.map((point, index) => stroke(point, place(index))).join('');
  const gaps = draw(({ hasGap }, x) => (hasGap ? `M${x} ${UNSCORED_Y}h0` : ''));
  const mark = markOf(runs, listed);
  const dots = (worse: boolean): string =>
    runs
      .map(({ number, score, isWorse = false }, index) => {
        const isDrawn = runs.length <= DOTS_MAX || (mark === 'dots' && listed?.has(number));
        return isDrawn && score !== null && isWorse === worse
          ? `M${placeOf(index, runs.length, width)} ${level(score)}h0`
          : '';
      })
      .join('');
  const bars = perPoint === 1 ? '' : draw(({ reach }, x) => reach && `M${x} ${level(reach[1])}V${level(reach[0])}`);
  return (
    <div class={gaps === '' ? 'chart' : 'chart gaps'}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={describeRuns(runs)}>
        <Path name="listed" d={mark === 'shade' ? shadeOf(runs, listed) : ''} />
        <path class="grid" d={[0, 50, 100].map((score) => `M0 ${level(score)}h${width}`).join('')} />
        <Path name="reach" d={bars} />
        <Path name="over" d={bridgesOf(points, place, level)} />
        <Path name="trend" d={lineOf(points, place, level)} />
        <Path name="dot" d={dots(false)} />
        <Path name="dot-u" d={gaps} />
        <Path name="dot-f" d={dots(true)} />
      </svg>
      <svg class="values" aria-hidden="true">
        {toldOf(runs).map(({ index, score, side }) => (
          <Mark key={index} at={index} count={runs.length} y={`${level(score)}%`} dy={TOLD_DY[side]}>
            {score}
          </Mark>
        ))}
      </svg>
      <span class="y y1">100</span>
      <span class="y y2">50</span>
      <span class="y y3">0</span>
      {gaps !== '' && <span class="y y4">no score</span>}
      <Axis runs={runs} />
    </div>
  );
}

function Path({ name, d }: { readonly name: string; readonly d: string }): JSX.Element | null {
  return d === '' ? null : <path class={name} d={d} />;
}

/** One run, or some in a row. */
interface Point {
  /** The average; null where none has a score. */
  readonly score: number | null;
  /** The lowest and the highest score; empty where there is none. */
  readonly reach: readonly [number, number] | '';
  /** Whether any has no score. */
  readonly hasGap: boolean;
  /** Where it stands among the runs, from 0. */
  readonly at: number;
}

function pointsOf(runs: readonly Charted[], perPoint: number): Point[] {
  return Array.from({ length: Math.ceil(runs.length / perPoint) }, (_, index): Point => {
    const first = index * perPoint;
    const together = runs.slice(first, first + perPoint);
    const scores = scoresOf(together);
    return {
      score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
      reach: scores.length === 0 ? '' : [Math.min(...scores), Math.max(...scores)],
      hasGap: scores.length < together.length,
      at: first + (together.length - 1) / 2,
    };
  });
}

/** A score that is told next to its point, on the side where no line leads away. */
interface Told {
  readonly index: number;
  readonly score: number;
  readonly side: keyof typeof TOLD_DY;
}

function toldOf(runs: readonly Charted[]): Told[] {
  const scored = runs.flatMap(({ score }, index) => (score === null ? [] : [{ index, score }]));
  const told = runs.length <= TOLD_MAX ? scored : endsAndExtremesOf(scored, runs.length * TOLD_APART);
  return told.map(({ index, score }) => {
    const others = [
      scored.findLast((one) => one.index < index && one.score !== score),
      scored.find((one) => one.index > index && one.score !== score),
    ].flatMap((one) => (one ? [one.score] : []));
    const isDip = others.length > 0 && others.every((other) => other > score);
    return { index, score, side: isDip && score >= BELOW_MIN ? 'below' : 'above' };
  });
}

type Scored = Pick<Told, 'index' | 'score'>;

/** The last time each extreme was there, where that is so many runs from what is told already. */
function endsAndExtremesOf(scored: readonly Scored[], apart: number): readonly Scored[] {
  const scores = scored.map(({ score }) => score);
  const told = [scored.at(0), scored.at(-1)].flatMap((end) => end ?? []);
  for (const extreme of [Math.max(...scores), Math.min(...scores)]) {
    if (told.some(({ score }) => score === extreme)) continue;
    const last = scored.findLast(
      ({ index, score }) => score === extreme && told.every((other) => Math.abs(other.index - index) >= apart),
    );
    if (last) told.push(last);
  }
  return told;
}

/** How the runs of a list are told from the others: a row of them by its shade, some here and there each by a dot. */
export function markOf(runs: readonly Charted[], listed: ReadonlySet<number> | undefined): 'shade' | 'dots' | null {
  const places = runs.flatMap(({ number }, index) => (listed?.has(number) ? [index] : []));
  const [first = 0, last = -1] = [places.at(0), places.at(-1)];
  if (places.length === 0 || places.length === runs.length) return null;
  if (places.length === last - first + 1) return 'shade';
  return runs.length > DOTS_MAX ? 'dots' : null;
}

/** Over the row of runs that are listed, as wide as they are. */
function shadeOf(runs: readonly Charted[], listed: ReadonlySet<number> | undefined): string {
  const { width, height } = CHART;
  const edge = (index: number): number => Math.max(0, Math.min(width, placeOf(index, runs.length, width)));
  const first = runs.findIndex(({ number }) => listed?.has(number));
  const last = runs.findLastIndex(({ number }) => listed?.has(number));
  return `M${edge(first - 0.5)} 0V${height}H${edge(last + 0.5)}V0z`;
}

/** Days below the chart, each below the point of its run; runs by number where all are of one day. */
function Axis({ runs }: { readonly runs: readonly Charted[] }): JSX.Element {
  const last = runs.at(-1)?.finishedAt ?? '';
  const isOneDay = runs.every(({ finishedAt }) => finishedAt.slice(0, 10) === last.slice(0, 10));
  const count = Math.min(runs.length, LABELS_MAX);
  const labels = Array.from({ length: count }, (_, step) => {
    const index = count === 1 ? 0 : Math.round((step * (runs.length - 1)) / (count - 1));
    const { number, finishedAt } = runs[index] ?? {};
    return { index, word: isOneDay ? `Run ${number}` : formatDay(finishedAt ?? '', last) };
  });
  return (
    <svg class="axis">
      {labels.map(({ index, word }, step) => {
        const isEnd = step === 0 || step === count - 1;
        if (!isEnd && word === labels[step - 1]?.word) return null;
        const isInner = !isEnd && 2 * step !== count - 1;
        return (
          <Mark key={index} name={isInner ? 'inner' : undefined} at={index} count={runs.length} dy={14}>
            {word}
          </Mark>
        );
      })}
    </svg>
  );
}

interface MarkProps {
  /** Which of so many runs it belongs to. */
  readonly at: number;
  readonly count: number;
  readonly y?: string;
  /** In pixels. */
  readonly dy: number;
  readonly name?: string | undefined;
  readonly children: string | number;
}

/** Words in the middle of a run's place; at the ends of the chart they stay in it. */
function Mark({ at, count, y, dy, name, children }: MarkProps): JSX.Element {
  const x = placeOf(at, count, 100);
  const anchor = x === 0 ? 'start' : x === 100 ? 'end' : undefined;
  return (
    <text class={name} x={`${x}%`} y={y} dy={dy} text-anchor={anchor}>
      {children}
    </text>
  );
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
