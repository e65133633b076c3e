import type { JSX } from 'preact';
import type { Finding } from '../../scanner/verdict/finding.js';
import { partScore } from './score.js';

interface ScoreFigureProps {
  readonly score: number | null;
  /** Whether words next to it say that there is none. */
  readonly isSaid?: boolean;
}

/** A score in a row: a dash where a run has none, which is not zero. */
export function ScoreFigure({ score, isSaid = false }: ScoreFigureProps): JSX.Element {
  if (score !== null) return <>{score}</>;
  return (
    <>
      <span class="soft w4" aria-hidden="true">
        –
      </span>
      {!isSaid && <span class="hide">no score</span>}
    </>
  );
}

interface ScoreWordsProps extends Pick<ScoreFigureProps, 'score'> {
  /** Without the failures that are gone or accepted. */
  readonly findings: readonly Finding[];
}

/** What the score leaves to do; what costs no points stands back. */
export function ScoreWords({ score, findings }: ScoreWordsProps): JSX.Element {
  const [words, unscored] = partScore(score, findings);
  return (
    <>
      {words}
      {unscored !== undefined && <span class="soft w4">{unscored}</span>}
    </>
  );
}
