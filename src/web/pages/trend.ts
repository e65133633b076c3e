import { countOf } from '../../scanner/artifacts/counts.js';
import type { Trend } from '../../app/runs/overview.js';

/** How many scores the name of a chart says one by one. */
const TOLD_MAX = 30;

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
export function describeEnds(runs: Trend): string {
  const scores = scoresOf(runs);
  const [first, last] = [scores.at(0), scores.at(-1)];
  const way = scores.every((score) => score === first) ? `always ${first}` : `from ${first} to ${last}`;
  return `Score over ${countOf(runs.length, 'run')}: ${way}`;
}

/** The same, and where there are few runs what each of them came to. */
export function describeRuns(runs: Trend): string {
  if (runs.length < 2 || runs.length > TOLD_MAX) return describeTrend(runs);
  return `${describeTrend(runs)}. Run by run: ${runs.map(({ score }) => score ?? 'no score').join(', ')}`;
}

export function scoresOf(runs: Trend): number[] {
  return runs.flatMap(({ score }) => (score === null ? [] : [score]));
}

/** A line for each row of runs with a score; a run that stands alone is a dot. What lies on a level between two needs no point. */
export function lineOf(runs: Trend, place: (index: number) => number, level: (score: number) => number): string {
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

/** One run lies in the middle. */
export function placeOf(index: number, count: number, width: number): number {
  return round(count === 1 ? width / 2 : (index * width) / (count - 1));
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
