import { countOf } from '../artifacts/counts.js';
import type { Finding } from '../verdict/finding.js';

type ScoredFinding = Pick<Finding, 'scored' | 'result'>;

/**
 * Passed scored checks ÷ applicable scored checks × 100, rounded half up to an integer (contract, "Score rule").
 * A scored check is applicable unless it is NOT_APPLICABLE, so UNDETERMINED counts in the denominator.
 * Returns null, not zero, if no scored check passed or failed.
 */
export function scoreOf(findings: readonly ScoredFinding[]): number | null {
  const { passed, applicable } = countScored(findings);
  const hasVerdict = findings.some(({ scored, result }) => scored && (result === 'PASS' || result === 'FAIL'));
  return hasVerdict ? Math.floor((passed * 100) / applicable + 0.5) : null;
}

/** Counts the applicable scored checks, and how many of them passed. */
export function countScored(findings: readonly ScoredFinding[]): Readonly<Record<'passed' | 'applicable', number>> {
  const applicable = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  return { passed: applicable.filter(({ result }) => result === 'PASS').length, applicable: applicable.length };
}

/** Returns the summary in two parts, such as `7 things to fix` and `, and 1 not scored`. */
export function summarizeFailures(findings: readonly ScoredFinding[]): readonly [main: string, unscored?: string] {
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const scored = failures.filter((failure) => failure.scored).length;
  const unscored = failures.length - scored;
  if (scored > 0) {
    const main = `${countOf(scored, 'thing')} to fix`;
    return unscored > 0 ? [main, `, and ${unscored} not scored`] : [main];
  }
  if (unscored > 0) return [`${countOf(unscored, 'thing')} to fix`, ', not scored'];
  const undetermined = findings.filter(({ result }) => result === 'UNDETERMINED').length;
  return [undetermined > 0 ? `Nothing to fix, ${countOf(undetermined, 'check')} undetermined` : 'Nothing to fix'];
}
