import type { Check } from '../findings/check.js';
import type { ErrorType } from '../findings/vocabulary.js';
import type { Evidence, EvidenceKind, EvidenceSet } from '../evidence/evidence.js';
import type { Finding } from '../findings/finding.js';
import type { Verdict } from '../findings/verdict.js';

/**
 * Judges one check: a shortfall of evidence that it needs is the finding; otherwise its judge decides, seeing the values
 * that it `needs` and the value-or-reason of what it `uses`, and nothing else.
 */
export function judge(check: Check, evidence: Partial<EvidenceSet>): Finding {
  const verdict = verdictOf(check, evidence);
  return {
    checkId: check.id,
    pillar: check.pillar,
    scored: check.scored,
    result: verdict.result,
    errorType: verdict.result === 'FAIL' ? verdict.errorType : null,
    detail: verdict.detail === null ? null : verdict.detail.text,
    title: check.title,
    explanation: check.explanation,
    fix: check.fix,
  };
}

function verdictOf(check: Check, evidence: Partial<EvidenceSet>): Verdict<ErrorType> {
  const handed: Record<string, unknown> = {};
  for (const kind of check.needs) {
    const piece = pieceOf(kind, evidence);
    if ('failed' in piece) return piece.failed;
    handed[kind] = piece.ok;
  }
  for (const kind of check.uses) handed[kind] = pieceOf(kind, evidence);
  return check.judge(handed);
}

function pieceOf(kind: EvidenceKind, evidence: Partial<EvidenceSet>): Evidence<unknown> {
  const piece = evidence[kind];
  if (piece === undefined) throw new Error(`no evidence of kind ${kind} was gathered`);
  return piece;
}
