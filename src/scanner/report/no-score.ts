import { FETCH_FAILURES } from '../../net/failure.js';
import type { HomePageFailure } from '../artifacts/evidence.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** Returns the reason that more than half of the findings give for being undetermined; null if there is none. */
export function commonCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { result, detail } of findings) {
    if (result === 'UNDETERMINED' && detail !== null) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  const most = [...counts].find(([, count]) => count > findings.length / 2);
  return most?.[0] ?? null;
}

/** True if the host name does not exist, most likely because of a typing error. */
export function isUnknownHost(findings: readonly Pick<Finding, 'result' | 'detail'>[]): boolean {
  const cause = commonCause(findings) ?? '';
  return cause.includes(`: ${FETCH_FAILURES.name_not_found}`) || cause.includes(`: ${FETCH_FAILURES.dns_failed}`);
}

/** Describes the failure, such as `the site answered 503`. */
export function describeHomePageFailure(gap: HomePageFailure): string {
  if (gap === 'challenge') return 'a bot challenge';
  return 'status' in gap ? `the site answered ${gap.status}` : FETCH_FAILURES[gap.failure];
}

/** Says why a run without undetermined checks has no score; null for any other run. */
export function describeNothingApplies(findings: readonly Finding[]): string | null {
  if (scoreOf(findings) !== null || findings.some(({ result }) => result === 'UNDETERMINED')) return null;
  return findings.every(({ result }) => result === 'NOT_APPLICABLE') ? 'nothing applies' : 'nothing scored applies';
}

/** Says why a run with undetermined checks has no score; null for any other run. */
export function describeNothingDetermined(findings: readonly Finding[]): string | null {
  const hasUndetermined = findings.some(({ result }) => result === 'UNDETERMINED');
  if (!hasUndetermined || scoreOf(findings) !== null) return null;
  const cause = commonCause(findings);
  return `Nothing could be determined.${cause === null ? '' : ` Most checks say: ${cause}`}`;
}
