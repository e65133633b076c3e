import type { Finding } from '../../../scanner/verdict/finding.js';
import { countOf } from '../../../platform/counts.js';

type Judged = Pick<Finding, 'scored' | 'result'>;

/** `72 of 100`. Null is not zero. */
export function formatScore(score: number | null): string {
  return score === null ? 'No score' : `${score} of 100`;
}

/**
 * The score in words: `7 things to fix, and 1 not scored; 3 of 11 fixed, not yet in the score`.
 * @param findings without those of `fixedCount` failures that passed when they were checked again
 */
export function describeScore(score: number | null, findings: readonly Judged[], fixedCount = 0): string {
  if (score === null) return 'nothing could be determined';
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const fixed = `${fixedCount} of ${fixedCount + failures.length} fixed, not yet in the score`;
  const left = describeLeft(failures, findings.filter(({ result }) => result === 'UNDETERMINED').length);
  return fixedCount > 0 ? `${left}; ${fixed}` : left;
}

function describeLeft(failures: readonly Judged[], openCount: number): string {
  const scored = failures.filter((failure) => failure.scored).length;
  const unscored = failures.length - scored;
  if (scored > 0) return `${countOf(scored, 'thing')} to fix${unscored > 0 ? `, and ${unscored} not scored` : ''}`;
  if (unscored > 0) return `${countOf(unscored, 'thing')} to fix, not scored`;
  return openCount > 0 ? `nothing to fix, ${countOf(openCount, 'check')} could not be determined` : 'nothing to fix';
}

/** What the score is made of: `13 of 17 scored checks passed`. */
export function describeCounting(findings: readonly Judged[]): string {
  const counting = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  const passed = counting.filter(({ result }) => result === 'PASS').length;
  return `${passed} of ${countOf(counting.length, 'scored check')} that apply passed`;
}
