import type { JSX } from 'preact';
import type { RunSummary } from '../../runs/history.js';

type Scored = Pick<RunSummary, 'number' | 'score'>;

/** Where a run's score lies in the drawing, in its units. */
interface Point {
  readonly x: number;
  readonly y: number;
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const CHART: Frame = { left: 64, right: 700, top: 20, bottom: 172 };
const SPARKLINE: Frame = { left: 3, right: 97, top: 3, bottom: 21 };

/** The score over the runs, oldest first, and the same as a table. A run without a score is a gap, not a zero. */
export function ScoreChart({ runs }: { readonly runs: readonly Scored[] }): JSX.Element {
  const { left, right, bottom } = CHART;
  const [first, last] = [runs.at(0), runs.at(-1)];
  return (
    <figure>
      <svg class="chart" viewBox="0 0 724 200" width="724" height="200" role="img" aria-label={describeTrend(runs)}>
        {[0, 50, 100].map((score) => (
          <g key={score}>
            <line class="grid" x1={left} x2={right} y1={heightOf(score, CHART)} y2={heightOf(score, CHART)} />
            <text x={left - 16} y={heightOf(score, CHART) + 4} text-anchor="end">
              {score}
            </text>
          </g>
        ))}
        <Lines runs={runs} frame={CHART} />
        {runs.map(({ number, score }, index) => (
          <Mark key={number} number={number} score={score} x={placeOf(index, runs.length, CHART)} />
        ))}
        <text x={left} y={bottom + 22}>
          run {first?.number}
        </text>
        <text x={right} y={bottom + 22} text-anchor="end">
          run {last?.number}
        </text>
      </svg>
      <details>
        <summary>The same as a table</summary>
        <table class="narrow">
          <caption>Score by run, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {[...runs].reverse().map(({ number, score }) => (
              <tr key={number}>
                <td>{number}</td>
                <td>{score ?? 'no score'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The same as small as a word, with its words for those who do not see it. */
export function Sparkline({ runs }: { readonly runs: readonly Scored[] }): JSX.Element {
  return (
    <svg class="sparkline" viewBox="0 0 100 24" width="100" height="24" role="img" aria-label={describeTrend(runs)}>
      <Lines runs={runs} frame={SPARKLINE} />
    </svg>
  );
}

/** How the score went, in a sentence. */
export function describeTrend(runs: readonly Scored[]): string {
  const scores = runs.flatMap(({ score }) => (score === null ? [] : [score]));
  if (scores.length === 0) return 'No run has a score yet';
  const ends = [scores.at(0), scores.at(-1)].join(' to ');
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const way = lowest === highest ? `always ${lowest}` : `from ${ends}, lowest ${lowest}, highest ${highest}`;
  const gaps = runs.length - scores.length;
  const without = gaps === 0 ? '' : `, ${gaps} without a score`;
  return `Score over ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${way}${without}`;
}

/** One line for each row of runs with a score; a dot for a run that stands alone. */
function Lines({ runs, frame }: { readonly runs: readonly Scored[]; readonly frame: Frame }): JSX.Element {
  return (
    <>
      {rowsOf(runs, frame).map((row) => {
        const [start] = row;
        if (row.length === 1 && start) return <circle key={start.x} class="dot" cx={start.x} cy={start.y} r="2" />;
        const points = row.map(({ x, y }) => `${x},${y}`).join(' ');
        return <polyline key={points} class="line" points={points} />;
      })}
    </>
  );
}

function rowsOf(runs: readonly Scored[], frame: Frame): readonly (readonly Point[])[] {
  const rows: Point[][] = [[]];
  for (const [index, run] of runs.entries()) {
    if (run.score === null) rows.push([]);
    else rows.at(-1)?.push({ x: placeOf(index, runs.length, frame), y: heightOf(run.score, frame) });
  }
  return rows.filter((row) => row.length > 0);
}

function Mark({ number, score, x }: Scored & { readonly x: number }): JSX.Element {
  if (score === null) {
    return (
      <text x={x} y={CHART.bottom - 4} text-anchor="middle">
        <title>{`Run ${number}: no score`}</title>
        n/a
      </text>
    );
  }
  return (
    <circle class="dot" cx={x} cy={heightOf(score, CHART)} r="3.5">
      <title>{`Run ${number}: ${score} of 100`}</title>
    </circle>
  );
}

function placeOf(index: number, count: number, { left, right }: Frame): number {
  return round(count === 1 ? (left + right) / 2 : left + (index * (right - left)) / (count - 1));
}

function heightOf(score: number, { top, bottom }: Frame): number {
  return round(bottom - (score * (bottom - top)) / 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
