import type { JSX } from 'preact';
import type { Trend } from '../../app/runs/overview.js';
import { describeEnds, lineOf, placeOf, round, scoresOf } from './trend.js';

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
