import type { Finding } from '../../scanner/findings/finding.js';
import { countOf } from '../format.js';

type Judged = Pick<Finding, 'scored' | 'result'>;

/** `72 of 100`. Null is not zero. */
export function formatScore(score: number | null): string {
  return score === null ? 'No score' : `${score} of 100`;
}

/** The score in words: `3 things to fix`. */
export function describeScore(score: number | null, findings: readonly Judged[]): string {
  if (score === null) return 'nothing could be determined';
  const numberOf = (result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const [failed, open] = [numberOf('FAIL'), numberOf('UNDETERMINED')];
  if (failed > 0) return `${countOf(failed, 'thing')} to fix`;
  return open > 0 ? `nothing to fix, ${countOf(open, 'check')} could not be determined` : 'nothing to fix';
}

/** What the score is made of: `13 of 17 scored checks passed`. */
export function describeCounting(findings: readonly Judged[]): string {
  const counting = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE');
  const passed = counting.filter(({ result }) => result === 'PASS').length;
  return `${passed} of ${countOf(counting.length, 'scored check')} that apply passed`;
}

/** Why nothing could be determined: what more than half of the findings say, in our own words; null when they do not agree. */
export function commonCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { result, detail } of findings) {
    if (result === 'UNDETERMINED' && detail !== null) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  const most = [...counts].find(([, count]) => count > findings.length / 2);
  return most?.[0] ?? null;
}
