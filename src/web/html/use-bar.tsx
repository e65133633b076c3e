import type { JSX } from 'preact';

/** Minimum width, of 100, so that the bar is visible. */
const LEAST = 2;

export interface UseBarProps {
  readonly used: number;
  readonly max: number;
}

/** A bar that shows how much of a limit is used. Figures next to it say the same. */
export function UseBar({ used, max }: UseBarProps): JSX.Element {
  const share = max > 0 ? Math.min(used / max, 1) * 100 : 0;
  const width = used > 0 ? Math.max(Math.round(share * 10) / 10, LEAST) : 0;
  return (
    <svg class="use" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <path class="bar-whole" d="M0 0h100v6H0z" />
      <path class="bar-used" d={`M0 0h${width}v6H0z`} />
    </svg>
  );
}
