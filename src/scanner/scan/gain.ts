import type { EvidenceKind, EvidenceSet } from '../evidence/evidence.js';
import { found } from '../evidence/evidence.js';
import type { Check } from '../findings/check.js';
import type { Finding } from '../findings/finding.js';
import type { Gain } from '../findings/gain.js';
import { scoreOf } from '../findings/score.js';
import type { ErrorType } from '../findings/vocabulary.js';
import { judge, unforeseenBy } from './judge.js';

/** What else a fix changes, beside the check that failed. */
interface Repair {
  /** Evidence as it is then: whatever uses it is judged again. */
  readonly evidence?: Partial<EvidenceSet>;
  /** Evidence that was lacking, and is then as our fix has it: the checks that need it pass, which the tests of the fixes prove. */
  readonly asFixed?: readonly EvidenceKind[];
  /** Evidence that was lacking, and is then there: nobody can say how good. */
  readonly unknown?: readonly EvidenceKind[];
}

const LLMS: readonly EvidenceKind[] = ['llmsDocument', 'llmsLinks'];

/** No rules admit everybody. The replies to agents that were shut out are not known. */
const WITHOUT_RULES: Repair = {
  evidence: { robots: found({ kind: 'absent', status: 404 }) },
  unknown: ['agentReplies'],
};

/** By check and error type; a failure that is not here changes nothing but its own check, and what that {@link Check.unforeseen} names. */
const REPAIRS: Readonly<Record<string, Readonly<Partial<Record<ErrorType, Repair>>>>> = {
  'C-LLMS-01': {
    MISSING: { asFixed: LLMS },
    WRONG_MIME: { unknown: LLMS },
    BLOCKED: { unknown: LLMS },
    UNREACHABLE: { unknown: LLMS },
    TIMEOUT: { unknown: LLMS },
  },
  // Bare addresses and broken links become links.
  'C-LLMS-02': { FORMAT: { unknown: ['llmsLinks'] }, STRUCTURE: { unknown: ['llmsLinks'] } },
  'C-SITE-01': {
    MISSING: { asFixed: ['sitemapEntries'] },
    WRONG_MIME: { unknown: ['sitemapEntries'] },
    FORMAT: { unknown: ['sitemapEntries'] },
    BLOCKED: { unknown: ['sitemapEntries'] },
    UNREACHABLE: { unknown: ['sitemapEntries'] },
    TIMEOUT: { unknown: ['sitemapEntries'] },
  },
  'C-BOT-01': {
    BLOCKED: WITHOUT_RULES,
    UNREACHABLE: WITHOUT_RULES,
    TIMEOUT: WITHOUT_RULES,
    WRONG_MIME: WITHOUT_RULES,
    OVERSIZE: WITHOUT_RULES,
  },
  'C-SD-01': {
    // Which profiles the owner names cannot be foreseen.
    NO_JSONLD: { asFixed: ['structuredData'], unknown: ['sameAs'] },
    FORMAT: { unknown: ['structuredData', 'sameAs'] },
  },
};

/**
 * What each failure is worth: the score as it would be if that one were mended and the evidence judged again, dependants included, less
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
    const repair = REPAIRS[failure.checkId]?.[failure.errorType] ?? {};
    const mended = findings.map((finding, index) => {
      const check = checks[index];
      const isMended = finding === failure || (check && passesThen(check, finding, repair, evidence));
      return isMended ? { ...finding, result: 'PASS' as const } : finding;
    });
    const failed = checks[failureIndex];
    const unknown = [...(repair.unknown ?? []), ...(failed ? unforeseenBy(failed, evidence) : [])];
    const isAtLeast = checks.some((check, index) => isOpenThen(check, mended[index], unknown));
    return [
      { checkId: failure.checkId, points: (scoreOf(mended) ?? 0) - score, isAtLeast: failure.scored && isAtLeast },
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

function isOpenThen(check: Check, finding: Finding | undefined, unknown: readonly EvidenceKind[]): boolean {
  return finding !== undefined && check.scored && isLacking(finding) && reads(check.needs, unknown);
}

/** What it needs was not there to be judged. */
function isLacking({ result }: Finding): boolean {
  return result === 'NOT_APPLICABLE' || result === 'UNDETERMINED';
}

function reads(kinds: readonly EvidenceKind[], others: readonly EvidenceKind[]): boolean {
  return kinds.some((kind) => others.includes(kind));
}
