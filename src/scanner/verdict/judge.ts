import type { Check } from './check.js';
import type { ErrorType } from './vocabulary.js';
import { type Evidence, type EvidenceKind, type EvidenceSet, found } from '../artifacts/evidence.js';
import type { Place } from '../artifacts/safe-text.js';
import type { Finding } from './finding.js';

/** A finding with what only the owner of the site may see. */
export interface Judgement {
  readonly check: Check;
  readonly finding: Finding;
  /** Places on the site that the detail points to. */
  readonly places: readonly Place[];
}

/**
 * Judges one check. If evidence that it needs is missing, the reason becomes the finding. Otherwise the check's judge decides; it sees
 * only the values that it `needs`, and a value or a reason for what it `uses`.
 */
export function judge(check: Check, evidence: Partial<EvidenceSet>): Judgement {
  const inputs = inputsOf(check, evidence);
  const verdict = 'failed' in inputs ? inputs.failed : check.judge(inputs.ok);
  const failure = verdict.result === 'FAIL' ? verdict : null;
  const { id: checkId, pillar, scored, title, explanation } = check;
  const finding: Finding = {
    checkId,
    pillar,
    scored,
    result: verdict.result,
    errorType: failure?.errorType ?? null,
    detail: verdict.detail?.text ?? null,
    title,
    explanation,
    fix: failure && fixOf(check, failure.errorType),
  };
  return { check, finding, places: verdict.detail?.places ?? [] };
}

/** {@link defineCheck} lets a judge return only the error types that its check declares. */
function fixOf({ id, failures }: Check, errorType: ErrorType): string {
  const failure = failures[errorType];
  if (!failure) throw new Error(`${id} declares no failure ${errorType}`);
  return failure.fix;
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
