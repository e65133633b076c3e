import type { Check } from './check.js';
import type { ErrorType } from './vocabulary.js';
import type { Evidence, EvidenceKind, EvidenceSet } from '../artifacts/evidence.js';
import { found } from '../artifacts/evidence.js';
import type { Place } from '../artifacts/safe-text.js';
import type { Finding } from './finding.js';
import type { Verdict } from './verdict.js';

/** A finding, and the places on the site that its detail points to: for its owner alone. */
export interface Judgement {
  readonly check: Check;
  readonly finding: Finding;
  readonly places: readonly Place[];
}

/** Judges one check: see {@link judge}. */
export function judgeWithPlaces(check: Check, evidence: Partial<EvidenceSet>): Judgement {
  const verdict = verdictOf(check, evidence);
  return { check, finding: findingOf(check, verdict), places: verdict.detail?.places ?? [] };
}

/**
 * Judges one check. If evidence that it needs is missing, the reason becomes the finding. Otherwise the check's judge decides; it sees
 * only the values that it `needs`, and a value or a reason for what it `uses`.
 */
export function judge(check: Check, evidence: Partial<EvidenceSet>): Finding {
  return findingOf(check, verdictOf(check, evidence));
}

function findingOf(check: Check, verdict: Verdict<ErrorType>): Finding {
  const errorType = verdict.result === 'FAIL' ? verdict.errorType : null;
  return {
    checkId: check.id,
    pillar: check.pillar,
    scored: check.scored,
    result: verdict.result,
    errorType,
    detail: verdict.detail === null ? null : verdict.detail.text,
    title: check.title,
    explanation: check.explanation,
    fix: errorType === null ? null : fixOf(check, errorType),
  };
}

/** {@link defineCheck} lets a judge return only the error types that its check declares. */
function fixOf({ id, failures }: Check, errorType: ErrorType): string {
  const failure = failures[errorType];
  if (!failure) throw new Error(`${id} declares no failure ${errorType}`);
  return failure.fix;
}

/** See {@link Check.unforeseen}: nothing if the check was not judged. */
export function unforeseenBy(check: Check, evidence: Partial<EvidenceSet>): readonly EvidenceKind[] {
  const inputs = inputsOf(check, evidence);
  return 'failed' in inputs ? [] : (check.unforeseen?.(inputs.ok) ?? []);
}

function verdictOf(check: Check, evidence: Partial<EvidenceSet>): Verdict<ErrorType> {
  const inputs = inputsOf(check, evidence);
  return 'failed' in inputs ? inputs.failed : check.judge(inputs.ok);
}

function inputsOf(check: Check, evidence: Partial<EvidenceSet>): Evidence<Readonly<Record<string, unknown>>> {
  const inputs: Record<string, unknown> = {};
  for (const kind of check.needs) {
    const item = evidenceOf(kind, evidence);
    if ('failed' in item) return item;
    inputs[kind] = item.ok;
  }
  for (const kind of check.uses) inputs[kind] = evidenceOf(kind, evidence);
  return found(inputs);
}

function evidenceOf(kind: EvidenceKind, evidence: Partial<EvidenceSet>): Evidence<unknown> {
  const item = evidence[kind];
  if (item === undefined) throw new Error(`no evidence of kind ${kind} was gathered`);
  return item;
}
