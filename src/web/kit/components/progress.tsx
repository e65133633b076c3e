import type { JSX } from 'preact';

/** How much of a scan is done. */
export interface Steps {
  readonly done: number;
  /** 0 while that is not known. */
  readonly total: number;
}

export interface ProgressProps {
  /** What is running, such as `run`. */
  readonly what: 'run' | 'scan';
  readonly progress: Steps;
  /** The stream that moves the bar. */
  readonly href: string;
}

/** How far a scan is. With script the stream moves it; without, the page is loaded again and again (see {@link REFRESH}). */
export function Progress({ what, progress, href }: ProgressProps): JSX.Element {
  const { done, total, text } = stepOf(what, progress);
  return (
    <div data-live={href}>
      <progress max={total} value={done} aria-label={`Progress of the ${what}`} />
      <p role="status">{text}</p>
    </div>
  );
}

/** Only for browsers without script: others follow the stream. */
export const REFRESH = (
  <noscript>
    <meta http-equiv="refresh" content="3" />
  </noscript>
);

/** What the bar and the words next to it show. */
export function stepOf(what: ProgressProps['what'], { done, total }: Steps): Steps & { readonly text: string } {
  return { done, total: Math.max(1, total), text: describe(what, done, total) };
}

/** Few words, and new ones now and then only: they are read aloud. */
const STEPS_A_WORD = 5;

function describe(what: ProgressProps['what'], done: number, total: number): string {
  if (total === 0) return `The ${what} is about to begin.`;
  if (done >= total) return 'All evidence is gathered. The findings are being written.';
  return `${done - (done % STEPS_A_WORD)} of ${total} steps done.`;
}
