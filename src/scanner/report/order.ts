import type { Finding } from '../verdict/finding.js';
import { SEVERITIES, type Severity } from '../verdict/failure.js';
import type { Gain } from './gain.js';
import { failureOf } from './failures.js';

const RANKS = Object.keys(SEVERITIES) as Severity[];

/** The failures among findings in the order in which to fix them: the gravest first, then those that gain most. */
export function orderFailures<F extends Finding>(findings: readonly F[], gains: readonly Gain[]): F[] {
  const pointsOf = ({ checkId }: Finding): number => gains.find((gain) => gain.checkId === checkId)?.points ?? 0;
  return findings
    .filter(({ result }) => result === 'FAIL')
    .sort((one, other) => rankOf(one) - rankOf(other) || pointsOf(other) - pointsOf(one));
}

/** How grave a failure is, the gravest 0. One that is retired from the registry comes last. */
export function rankOf(finding: Pick<Finding, 'checkId' | 'errorType'>): number {
  const failure = failureOf(finding);
  return failure ? RANKS.indexOf(failure.severity) : RANKS.length;
}
