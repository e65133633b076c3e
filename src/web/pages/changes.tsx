import type { JSX } from 'preact';
import { type Comparison, failingOtherwise } from '../../scanner/report/comparison.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Icon } from '../html/icons.js';

/** What came out between two runs, in a few words each: `1 new failure`, `2 fixed`. */
export function newsOf(comparison: Comparison): readonly string[] {
  const { newFailures, fixed, nowJudged } = comparison;
  const otherwise = failingOtherwise(comparison);
  const news = [
    [newFailures, countOf(newFailures.length, 'new failure')],
    [fixed, `${fixed.length} fixed`],
    [nowJudged, `${nowJudged.length} now judged`],
    [otherwise, `${otherwise.length} failing differently`],
  ] as const;
  return news.flatMap(([changes, words]) => (changes.length > 0 ? [words] : []));
}

interface ScoreMoveProps {
  readonly before: number;
  readonly now: number;
  /** True if something broke. A score also falls if more is judged, which is not marked as worse. */
  readonly isWorse: boolean;
}

/** An arrow with the points by which a score changed. */
export function ScoreMove({ before, now, isWorse }: ScoreMoveProps): JSX.Element | null {
  if (before === now) return null;
  const isUp = now > before;
  return (
    <span class={isUp ? 'up' : isWorse ? 'down' : 'soft'}>
      <Icon name={isUp ? 'up' : 'fall'} />
      <span class="hide">{isUp ? 'up ' : 'down '}</span>
      {Math.abs(now - before)}
    </span>
  );
}
