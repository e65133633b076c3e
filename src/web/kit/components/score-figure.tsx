import type { JSX } from 'preact';

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
