import type { JSX } from 'preact';
import type { Result } from '../../../scanner/verdict/vocabulary.js';

const LOOKS: Readonly<Record<Result, readonly [className: string, shape: string, word: string]>> = {
  PASS: ['pass', '✓', 'Passed'],
  FAIL: ['fail', '✕', 'Failed'],
  UNDETERMINED: ['undetermined', '?', 'Undetermined'],
  NOT_APPLICABLE: ['not-applicable', '–', 'Does not apply'],
};

/** A result as shape and word: colour alone says nothing. */
export function ResultMark({ result }: { readonly result: Result }): JSX.Element {
  const [className, shape, word] = LOOKS[result];
  return (
    <span class={`result ${className}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}

/** The address of a check's own words: its place on the page of all checks. */
export function checkHref(checkId: string): string {
  return `/checks#${checkAnchor(checkId)}`;
}

/** The page of one kind of failure, with its example. */
export function failureHref(checkId: string, errorType: string): string {
  return `/checks/${checkId}/${errorType}`;
}

/** The id of a check's place on that page. */
export function checkAnchor(checkId: string): string {
  return checkId.toLowerCase();
}
