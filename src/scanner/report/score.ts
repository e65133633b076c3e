import type { Finding } from '../verdict/finding.js';

/**
 * Passed scored checks ÷ applicable scored checks × 100, rounded half up to an integer (contract, "Score rule").
 * Applicable is every scored finding that is not NOT_APPLICABLE, so UNDETERMINED stays in the denominator.
 * Null when no scored finding is PASS or FAIL: nothing could be determined, which is not zero.
 */
export function scoreOf(findings: readonly Pick<Finding, 'scored' | 'result'>[]): number | null {
  const applicable = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  const passed = applicable.filter(({ result }) => result === 'PASS').length;
  const failed = applicable.filter(({ result }) => result === 'FAIL').length;
  if (passed + failed === 0) return null;
  return Math.floor((passed * 100) / applicable.length + 0.5);
}
