import type { Finding } from '../../scanner/verdict/finding.js';
import { leftToFix, shareOf } from '../../scanner/report/score.js';

type Judged = Pick<Finding, 'scored' | 'result'>;

/** What the score leaves to do: `7 things to fix, and 1 not scored`. @param findings without the failures that are gone or accepted */
export function describeScore(score: number | null, findings: readonly Judged[]): string {
  return partScore(score, findings).join('');
}

/** The same in two: `7 things to fix`, and what costs no points. */
export function partScore(
  score: number | null,
  findings: readonly Judged[],
): readonly [words: string, unscored?: string] {
  return score === null ? ['Nothing could be judged'] : leftToFix(findings);
}

/** `3 of 8 fixed, not yet in the score`. */
export function describeFixed(fixedCount: number, openCount: number): string {
  return `${fixedCount} of ${fixedCount + openCount} fixed, not yet in the score`;
}

/** `10 of 15 checks that apply pass`. */
export function describeCounting(findings: readonly Judged[]): string {
  return `${countPassed(findings)} checks that apply pass`;
}

/** What the score is made of: `10 of 15`, of the checks that apply and are scored. */
export function countPassed(findings: readonly Judged[]): string {
  const { passed, applicable } = shareOf(findings);
  return `${passed} of ${applicable}`;
}

const WORDS = [
  'none',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** `All four fixed`. */
export function describeAllFixed(count: number): string {
  return count === 1 ? 'Once fixed' : `${count === 2 ? 'Both' : `All ${WORDS[count] ?? count}`} fixed`;
}
