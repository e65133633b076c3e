import { CHECKS } from '../checks/index.js';
import type { Check } from '../verdict/check.js';
import { type Failure, SEVERITIES, type Severity } from '../verdict/failure.js';
import type { Finding } from '../verdict/finding.js';
import type { Gain } from './gain.js';

const CHECKS_BY_ID: ReadonlyMap<string, Check> = new Map(CHECKS.map((check: Check) => [check.id, check]));

/** Returns today's check; undefined if it was retired. */
export function checkOf(checkId: string): Check | undefined {
  return CHECKS_BY_ID.get(checkId);
}

/** Returns the title of a check, or its id if it was retired. */
export function titleOf(checkId: string): string {
  return checkOf(checkId)?.title ?? checkId;
}

/** Returns today's texts of a failure; null if nothing failed, or if the check or error type was retired. */
export function failureOf({ checkId, errorType }: Pick<Finding, 'checkId' | 'errorType'>): Failure | null {
  return errorType === null ? null : (checkOf(checkId)?.failures[errorType] ?? null);
}

/** Returns the headline of a failure, otherwise the title of the check. */
export function headlineOf(finding: Pick<Finding, 'checkId' | 'errorType' | 'title'>): string {
  return failureOf(finding)?.headline ?? finding.title ?? finding.checkId;
}

const RANKS = Object.keys(SEVERITIES) as Severity[];

/** Returns the failures in the order in which to fix them: by severity, then by gain. */
export function orderFailures<F extends Finding>(findings: readonly F[], gains: readonly Gain[]): F[] {
  const pointsOf = ({ checkId }: Finding): number => gains.find((gain) => gain.checkId === checkId)?.points ?? 0;
  return findings
    .filter(({ result }) => result === 'FAIL')
    .sort((one, other) => rankOf(one) - rankOf(other) || pointsOf(other) - pointsOf(one));
}

/** Rank of a failure by severity, 0 for the most severe. Retired failures come last. */
export function rankOf(finding: Pick<Finding, 'checkId' | 'errorType'>): number {
  const failure = failureOf(finding);
  return failure ? RANKS.indexOf(failure.severity) : RANKS.length;
}
