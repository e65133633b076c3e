import type { EvidenceKind, EvidenceSet } from '../artifacts/evidence.js';
import type { Check } from '../verdict/check.js';
import type { Repair } from '../verdict/failure.js';
import type { Finding } from '../verdict/finding.js';
import type { Gain } from './gain.js';
import { scoreOf } from './score.js';
import { judge, unforeseenBy } from '../verdict/judge.js';

/**
 * What each failure is worth: the score as it would be if that one were fixed and the evidence judged again, dependants included, less
 * the score as it is. A dependant that would come out worse than it is says nothing: the owner will see to it.
 */
export function gainsOf(
  checks: readonly Check[],
  findings: readonly Finding[],
  evidence: Partial<EvidenceSet>,
): Gain[] {
  const score = scoreOf(findings) ?? 0;
  return findings.flatMap((failure, failureIndex): Gain[] => {
    if (failure.result !== 'FAIL' || failure.errorType === null) return [];
    const failed = checks[failureIndex];
    const repair = failed?.failures[failure.errorType]?.onFixed ?? {};
    const passing = findings.filter((finding, index) => {
      const check = checks[index];
      return finding !== failure && check !== undefined && passesThen(check, finding, repair, evidence);
    });
    const unknown = [...(repair.unknown ?? []), ...(failed ? unforeseenBy(failed, evidence) : [])];
    const opening = findings.filter(
      (finding, index) => !passing.includes(finding) && isOpenThen(checks[index], finding, unknown),
    );
    const fixed = findings.map((finding) =>
      finding === failure || passing.includes(finding) ? { ...finding, result: 'PASS' as const } : finding,
    );
    return [
      {
        checkId: failure.checkId,
        points: (scoreOf(fixed) ?? 0) - score,
        isAtLeast: failure.scored && opening.length > 0,
        passing: passing.map(({ checkId }) => checkId),
        opening: opening.map(({ checkId }) => checkId),
      },
    ];
  });
}

function passesThen(check: Check, finding: Finding, repair: Repair, evidence: Partial<EvidenceSet>): boolean {
  if (finding.result === 'PASS') return false;
  if (isLacking(finding) && check.needs.every((kind) => repair.asFixed?.includes(kind))) return true;
  const changed = repair.evidence ?? {};
  return (
    reads([...check.needs, ...check.uses], Object.keys(changed) as EvidenceKind[]) &&
    judge(check, { ...evidence, ...changed }).result === 'PASS'
  );
}

function isOpenThen(check: Check | undefined, finding: Finding, unknown: readonly EvidenceKind[]): boolean {
  return check !== undefined && check.scored && isLacking(finding) && reads(check.needs, unknown);
}

/** What it needs was not there to be judged. */
function isLacking({ result }: Finding): boolean {
  return result === 'NOT_APPLICABLE' || result === 'UNDETERMINED';
}

function reads(kinds: readonly EvidenceKind[], others: readonly EvidenceKind[]): boolean {
  return kinds.some((kind) => others.includes(kind));
}
