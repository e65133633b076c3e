import { countOf } from '../artifacts/counts.js';
import type { Finding } from '../verdict/finding.js';

type Judged = Pick<Finding, 'scored' | 'result'>;

/**
 * Passed scored checks ÷ applicable scored checks × 100, rounded half up to an integer (contract, "Score rule").
 * Applicable is every scored finding that is not NOT_APPLICABLE, so UNDETERMINED stays in the denominator.
 * Null when no scored finding is PASS or FAIL: nothing could be determined, which is not zero.
 */
export function scoreOf(findings: readonly Judged[]): number | null {
  const { passed, applicable } = shareOf(findings);
  const isJudged = findings.some(({ scored, result }) => scored && (result === 'PASS' || result === 'FAIL'));
  return isJudged ? Math.floor((passed * 100) / applicable + 0.5) : null;
}

/** Counts the scored checks that apply, and those that passed. */
export function shareOf(findings: readonly Judged[]): Readonly<Record<'passed' | 'applicable', number>> {
  const applicable = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  return { passed: applicable.filter(({ result }) => result === 'PASS').length, applicable: applicable.length };
}

/** Summarizes failures and undetermined checks, in two parts: `7 things to fix` and `, and 1 not scored`. */
export function leftToFix(
  findings: readonly Pick<Finding, 'scored' | 'result'>[],
): readonly [words: string, unscored?: string] {
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const scored = failures.filter((failure) => failure.scored).length;
  const unscored = failures.length - scored;
  if (scored > 0) {
    const words = `${countOf(scored, 'thing')} to fix`;
    return unscored > 0 ? [words, `, and ${unscored} not scored`] : [words];
  }
  if (unscored > 0) return [`${countOf(unscored, 'thing')} to fix`, ', not scored'];
  const unclear = findings.filter(({ result }) => result === 'UNDETERMINED').length;
  return [unclear > 0 ? `Nothing to fix, ${countOf(unclear, 'check')} undetermined` : 'Nothing to fix'];
}
