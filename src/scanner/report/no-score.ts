import { FETCH_FAILURES } from '../../net/failure.js';
import type { HomePageFailure } from '../artifacts/evidence.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** Returns the reason that more than half of the findings give; null if they do not agree. */
export function commonCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { result, detail } of findings) {
    if (result === 'UNDETERMINED' && detail !== null) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  const most = [...counts].find(([, count]) => count > findings.length / 2);
  return most?.[0] ?? null;
}

/** True if the host name itself does not exist, most likely a typing error. */
export function isUnknownHost(findings: readonly Pick<Finding, 'result' | 'detail'>[]): boolean {
  const cause = commonCause(findings) ?? '';
  return cause.includes(`: ${FETCH_FAILURES.name_not_found}`) || cause.includes(`: ${FETCH_FAILURES.dns_failed}`);
}

/** Describes the failure, such as `the site answered 503`. */
export function describeBriefly(gap: HomePageFailure): string {
  if (gap === 'challenge') return 'a bot challenge';
  return 'status' in gap ? `the site answered ${gap.status}` : FETCH_FAILURES[gap.failure];
}

/** Says why no check counts, although all were judged; null if there is a score, or if a check is undetermined. */
export function describeNoneScored(findings: readonly Finding[]): string | null {
  if (scoreOf(findings) !== null || findings.some(({ result }) => result === 'UNDETERMINED')) return null;
  return findings.every(({ result }) => result === 'NOT_APPLICABLE') ? 'nothing applies' : 'nothing scored applies';
}

/** Says why there is no score; null if there is one, or if no check is undetermined. */
export function describeNoScore(findings: readonly Finding[]): string | null {
  const hasUndetermined = findings.some(({ result }) => result === 'UNDETERMINED');
  if (!hasUndetermined || scoreOf(findings) !== null) return null;
  const cause = commonCause(findings);
  return `Nothing could be determined.${cause === null ? '' : ` Most checks say: ${cause}`}`;
}
