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

/** What the score is made of: how many of the checks that are scored and apply passed. */
export function shareOf(findings: readonly Judged[]): Readonly<Record<'passed' | 'applicable', number>> {
  const applicable = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  return { passed: applicable.filter(({ result }) => result === 'PASS').length, applicable: applicable.length };
}
